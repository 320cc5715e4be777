#include "validation/run/unusual_values.h"

#include <algorithm>
#include <optional>

#include "ftl/drive/config/drive_defaults.h"
#include "models/hdd/disk_config.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kFactor = 10;
const std::vector<std::string> kObjects = {"geometry", "nand"};
// Depend on the capacity.
const std::vector<std::string> kCounts = {"channels", "chips_per_channel", "dies_per_chip"};

struct Range {
  std::uint64_t least, most;
  bool holds(std::uint64_t value) const { return value >= least / kFactor && value / kFactor <= most; }
  // Factor by which the value is too small or too large; 1 if neither.
  std::uint64_t times_off(std::uint64_t value) const {
    return std::max<std::uint64_t>({1, (least + value - 1) / value, (value + most - 1) / most});
  }
};

void collect(const Node& node, std::string_view path, std::vector<std::string>& values) {
  if (path.empty()) {
    const Node* const value = node.find("value");
    const Node& shown = value == nullptr ? node : *value;
    values.push_back(shown.text.empty() ? shown.shown() : shown.text);
    return;
  }
  for (const Node& item : node.items) collect(item, path, values);
  const std::size_t end = std::min(path.find('.'), path.size());
  const Node* const below = node.find(path.substr(0, end));
  if (below != nullptr) collect(*below, path.substr(std::min(end + 1, path.size())), values);
}

// The number with or without its source; null unless it is a positive number.
const Node* positive(const Node& member) {
  const Node* const value = member.find("value");
  const Node& number = value == nullptr ? member : *value;
  return number.kind == Node::Kind::integer && !number.negative && number.magnitude > 0 ? &number : nullptr;
}

bool is_of_library(const Node& value) { return value.file == kDefaultFile || value.file.starts_with(config_folder() + "/"); }

struct Stated {
  std::string key;
  const Node* value;
};

std::vector<Stated> numbers_of(const Node& drive) {
  std::vector<Stated> numbers;
  for (const std::string& object : kObjects) {
    const Node* const part = drive.find(object);
    if (part == nullptr) continue;
    for (const auto& [key, member] : part->members)
      if (const Node* const value = positive(member); value != nullptr && !std::ranges::count(kCounts, key))
        numbers.push_back({object + "." + key, value});
  }
  return numbers;
}

std::vector<Node> library_drives() {
  std::vector<Node> drives;
  for (const std::string& name : drive_names()) {
    Node drive = load_drive(name, {});
    if (!is_disk(drive)) drives.push_back(std::move(drive));
  }
  return drives;
}

std::optional<Range> range_of(const std::string& key, const std::vector<Node>& library) {
  std::optional<Range> range;
  const auto widen = [&range](std::uint64_t value) {
    if (!range) range = Range{value, value};
    *range = {std::min(range->least, value), std::max(range->most, value)};
  };
  for (const Node& drive : library)
    for (const Stated& one : numbers_of(drive))
      if (one.key == key) widen(one.value->magnitude);
  return range;
}

// The value with the unit that was likely meant; empty if no unit fits the range.
std::string likely(const std::string& key, std::uint64_t value, const Range& range) {
  struct Unit {
    const char *ending, *name;
    std::uint64_t factor;
  };
  static constexpr Unit kUnits[] = {
      {"_ns", "us", 1000}, {"_ns", "ms", 1'000'000}, {"_bytes", "KiB", 1024}, {"_per_s", "MB/s", 1'000'000}};
  const Unit* best = nullptr;
  for (const Unit& unit : kUnits) {
    if (!key.ends_with(unit.ending) || value > range.most || !range.holds(value * unit.factor)) continue;
    if (best == nullptr || range.times_off(value * unit.factor) < range.times_off(value * best->factor)) best = &unit;
  }
  return best == nullptr ? "" : std::to_string(value) + best->name;
}

Note note_on(const Stated& one, const Range& range) {
  const std::uint64_t value = one.value->magnitude;
  const std::string meant = likely(one.key, value, range);
  Note note{one.value->file, one.value->line,
            one.key + " is " + std::to_string(value) + ", far outside what the library's drives have, " +
                std::to_string(range.least) + " to " + std::to_string(range.most)};
  note.problem = ProblemCode::unusual_value;
  note.remedy = meant.empty() ? "ftlab explain " + one.key + " shows the library's values" : "did you mean " + meant + "?";
  return note;
}

}  // namespace

std::vector<std::string> values_at(const Node& document, std::string_view path) {
  std::vector<std::string> values;
  collect(document, path, values);
  return values;
}

std::vector<Note> unusual_values(const Node& drive) {
  std::vector<Stated> own = numbers_of(drive);
  std::erase_if(own, [](const Stated& one) { return is_of_library(*one.value); });
  if (own.empty() || is_disk(drive)) return {};
  const std::vector<Node> library = library_drives();
  std::vector<Note> notes;
  for (const Stated& one : own) {
    const std::optional<Range> range = range_of(one.key, library);
    if (range && !range->holds(one.value->magnitude)) notes.push_back(note_on(one, *range));
  }
  return notes;
}

}  // namespace ftlab
