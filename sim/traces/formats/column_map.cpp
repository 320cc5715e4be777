#include "sim/traces/formats/column_map.h"

#include <algorithm>
#include <array>

#include "sim/config/reader.h"
#include "sim/core/check.h"
#include "sim/traces/formats/fields.h"

namespace ftlab {
namespace {

constexpr std::array<std::uint64_t, 5> kTimeUnits = {kSecondNs, kMillisecondNs, kMicrosecondNs, kFileTimeNs, 1};
constexpr std::initializer_list<const char*> kTimeUnitNames = {"s", "ms", "us", "100ns", "ns"};
constexpr std::array<char, 4> kSeparators = {',', ';', '\t', ' '};
constexpr std::array<std::uint64_t, 3> kSizeUnits = {1, kSectorBytes, 4096};

std::size_t column(Reader& reader, std::string_view key) { return reader.integer(key, 0, kMostFields - 1); }

std::uint64_t bytes_unit(Reader& reader, std::string_view key) {
  return kSizeUnits[reader.choice_or(key, {"B", "sector", "4KiB"}, 0)];
}

void take_words(Reader& reader, std::string_view key, std::vector<std::string>& words) {
  if (reader.has(key)) words = reader.texts(key);
}

void check_columns(const ColumnMap& map, const Reader& reader) {
  std::vector<std::size_t> used{map.time, map.op, map.offset, map.size};
  if (map.volume) used.push_back(*map.volume);
  if (map.event && *map.event != map.op) used.push_back(*map.event);
  std::sort(used.begin(), used.end());
  if (std::adjacent_find(used.begin(), used.end()) != used.end()) reader.refuse("", "gives one column two meanings");
}

void check_words(const ColumnMap& map, const Reader& reader) {
  std::vector<std::string_view> seen;
  for (const auto* words : {&map.read, &map.write, &map.trim, &map.flush}) {
    for (const std::string& word : *words) {
      const auto same = [&word](std::string_view other) { return same_word(word, other); };
      if (std::any_of(seen.begin(), seen.end(), same))
        reader.refuse("", "gives the operation \"" + word + "\" two meanings");
      seen.push_back(word);
    }
  }
}

}  // namespace

std::size_t ColumnMap::last_column() const {
  return std::max({time, op, offset, size, volume.value_or(0), event.value_or(0)});
}

const char* time_unit_name(std::uint64_t unit_ns) {
  const auto* const found = std::find(kTimeUnits.begin(), kTimeUnits.end(), unit_ns);
  FTLAB_CHECK(found != kTimeUnits.end(), "a unit of time has no name");
  return kTimeUnitNames.begin()[found - kTimeUnits.begin()];
}

ColumnMap read_column_map(std::string_view text, const std::string& file_name) {
  const Node document = parse_document(text, file_name);
  Reader reader(document);
  ColumnMap map;
  map.time = column(reader, "time");
  map.op = column(reader, "op");
  map.offset = column(reader, "offset");
  map.size = column(reader, "size");
  if (reader.has("volume")) map.volume = column(reader, "volume");
  map.time_unit_ns = kTimeUnits[reader.choice("time_unit", kTimeUnitNames)];
  map.offset_unit_bytes = bytes_unit(reader, "offset_unit");
  map.size_unit_bytes = bytes_unit(reader, "size_unit");
  map.separator = kSeparators[reader.choice_or("separator", {",", ";", "tab", "blank"}, 0)];
  map.heading_lines = reader.integer_or("heading_lines", 0, 1000, 0);
  take_words(reader, "read", map.read);
  take_words(reader, "write", map.write);
  take_words(reader, "trim", map.trim);
  take_words(reader, "flush", map.flush);
  if (reader.has("event")) {
    map.event = column(reader, "event");
    map.events = reader.texts("events");
  }
  reader.finish();
  check_columns(map, reader);
  check_words(map, reader);
  return map;
}

}  // namespace ftlab
