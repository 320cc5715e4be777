#include "validation/results/health/smart_table.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <spdlog/fmt/fmt.h>

#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/config/library.h"
#include "sim/config/reader.h"
#include "sim/config/split.h"
#include "sim/core/error.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMsPerHour = 3'600'000;

std::uint64_t SmartLog::*read_quantity(Reader& reader) {
  const std::string wanted = reader.text("raw");
  std::vector<std::string> names;
  for (const HealthField& field : kHealthFields) {
    if (wanted == field.name) return field.member;
    names.emplace_back(field.name);
  }
  const std::string nearest = nearest_name(wanted, names);
  reader.refuse("raw", "is nothing that the health log holds" + (nearest.empty() ? "" : " (did you mean " + nearest + "?)"),
                joined(names));
}

void read_value(Reader& reader, SmartAttribute& attribute) {
  attribute.least = static_cast<std::uint32_t>(reader.integer_or("least", 0, 100, 1));
  if (reader.has("fixed")) {
    if (reader.has("value")) reader.refuse("fixed", "and \"value\" both say what the normalised value is", "one of them");
    attribute.fixed = static_cast<std::uint32_t>(reader.integer("fixed", 0, 253));
  } else if (reader.has("value")) {
    attribute.value = reader.choice("value", {"life-left", "reserve-left"}) == 0 ? SmartAttribute::Value::life_left
                                                                                 : SmartAttribute::Value::reserve_left;
  }
}

SmartAttribute read_attribute(Reader reader) {
  SmartAttribute attribute;
  attribute.id = static_cast<std::uint32_t>(reader.integer("id", 1, 255));
  attribute.name = reader.text("name");
  attribute.flags = static_cast<std::uint32_t>(reader.integer("flags", 0, 63));
  attribute.quantity = read_quantity(reader);
  attribute.unit = reader.integer_or("unit", 1, std::uint64_t{1} << 50, 1);
  attribute.threshold = static_cast<std::uint32_t>(reader.integer_or("threshold", 0, 253, 0));
  read_value(reader, attribute);
  if (reader.choice_or("format", {"plain", "hours-and-milliseconds"}, 0) == 1) {
    attribute.format = SmartAttribute::Format::hours_and_milliseconds;
    if (attribute.quantity != &SmartLog::powered_ms)
      reader.refuse("format", "is for a time in milliseconds", "plain, or \"raw\": \"powered_ms\"");
  }
  reader.text_or("note", "");
  reader.finish();
  return attribute;
}

}  // namespace

std::uint64_t SmartAttribute::raw(const SmartLog& log) const {
  const std::uint64_t counted = log.*quantity;
  if (format == Format::hours_and_milliseconds) return counted / kMsPerHour | counted % kMsPerHour << 32;
  return counted / unit;
}

std::string SmartAttribute::raw_text(const SmartLog& log) const {
  if (format == Format::plain) return std::to_string(raw(log));
  const std::uint64_t ms = log.*quantity % kMsPerHour;
  return fmt::format("{}h+{:02}m+{:02}.{:03}s", log.*quantity / kMsPerHour, ms / 60'000, ms / 1000 % 60, ms % 1000);
}

std::uint32_t SmartAttribute::normalised(const SmartLog& log) const {
  if (value == Value::fixed) return fixed;
  const std::uint64_t left =
      value == Value::reserve_left ? log.reserve_left_percent : 100 - std::min<std::uint64_t>(100, log.life_used_percent);
  return std::max(least, static_cast<std::uint32_t>(left));
}

SmartTable read_smart_table(const Node& document) {
  Reader reader(document);
  SmartTable table;
  table.name = reader.text("name");
  reader.text("about");
  table.revision = static_cast<std::uint32_t>(reader.integer_or("revision", 1, 65535, 1));
  std::set<std::uint32_t> seen;
  for (Reader& attribute : reader.objects("attributes")) {
    table.attributes.push_back(read_attribute(attribute));
    if (!seen.insert(table.attributes.back().id).second) attribute.refuse("id", "is in the table twice", "one row each");
  }
  reader.finish();
  return table;
}

SmartTable load_smart_table(const std::string& name_or_path) {
  return read_smart_table(load_document(library_path({"smart", "--table", "SMART table"}, name_or_path),
                                        [](const std::string& path) { return read_text_file(path); }));
}

}  // namespace ftlab
