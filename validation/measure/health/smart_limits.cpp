#include "validation/measure/health/smart_limits.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "validation/measure/target/facts.h"

namespace ftlab {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kNvmeDataUnit = 512'000;  // NVMe base specification: thousands of 512 bytes

// Value under a path of keys; null if a step is missing or not an object.
const json& under(const json& from, std::initializer_list<const char*> path) {
  static const json nothing;
  const json* at = &from;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return nothing;
    at = &(*at)[key];
  }
  return *at;
}

std::string text_at(const json& from, std::initializer_list<const char*> path) {
  const auto& value = under(from, path);
  return value.is_string() ? value.get<std::string>() : "";
}

Fact<std::uint64_t> count_of(const json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0)
    return static_cast<std::uint64_t>(value.get<std::int64_t>());
  return std::nullopt;
}

Fact<std::int64_t> integer_of(const json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    return std::nullopt;
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<std::int64_t>();
}

struct Attribute {
  std::int64_t id;
  std::string name;
  Fact<std::int64_t> value, threshold;
  Fact<std::uint64_t> raw;
};

std::vector<Attribute> attributes_of(const json& report) {
  std::vector<Attribute> attributes;
  const auto& table = under(report, {"ata_smart_attributes", "table"});
  if (!table.is_array()) return attributes;
  for (const auto& row : table) {
    const auto id = integer_of(under(row, {"id"}));
    if (!id) continue;
    attributes.push_back({*id, text_at(row, {"name"}), integer_of(under(row, {"value"})), integer_of(under(row, {"thresh"})),
                          count_of(under(row, {"raw", "value"}))});
  }
  return attributes;
}

const Attribute* find(const std::vector<Attribute>& attributes, std::int64_t id, const std::string& name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& attribute) { return attribute.id == id && attribute.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

// Counters as vendors define them, by their names in smartmontools' drive database (drivedb.h of 7.3). The same number with
// another name means something else, so both must match.
struct KnownCounter {
  std::int64_t id;
  const char* name;
  std::uint64_t unit_bytes;  // 0: the drive's sector size
};
constexpr std::array kHostCounters = {
    KnownCounter{225, "Host_Writes_32MiB", 32 * kMiB},  // Intel X25, 320
    KnownCounter{241, "Host_Writes_32MiB", 32 * kMiB},  // Intel 510 and later
    KnownCounter{241, "Host_Writes_GiB", kGiB},        KnownCounter{241, "Lifetime_Writes_GiB", kGiB},  // SandForce
    KnownCounter{241, "Total_LBAs_Written", 0},                                                         // Samsung
    KnownCounter{246, "Total_LBAs_Written", 0},                                                         // Crucial, Micron
    KnownCounter{246, "Total_Host_Sector_Write", 0},
};
constexpr std::array kMediaCounters = {
    KnownCounter{243, "NAND_Writes_32MiB", 32 * kMiB},                                           // Intel 730, DC S3x00, D3
    KnownCounter{249, "NAND_Writes_1GiB", kGiB},                                                 // Intel 520
    KnownCounter{233, "SandForce_Internal", kGiB}, KnownCounter{233, "Flash_Writes_GiB", kGiB},  // Kingston
};

template <std::size_t kCount>
Fact<WriteCounter> first_known(const std::array<KnownCounter, kCount>& known, const std::vector<Attribute>& attributes,
                               std::uint64_t sector_bytes) {
  for (const auto& counter : known) {
    const auto* attribute = find(attributes, counter.id, counter.name);
    if (!attribute || !attribute->raw) continue;
    const auto unit = counter.unit_bytes == 0 ? sector_bytes : counter.unit_bytes;
    return WriteCounter{std::to_string(counter.id) + " " + counter.name, *attribute->raw, unit};
  }
  return std::nullopt;
}

// Micron counts the pages programmed for the host and those added by the firmware, in pages of one size.
bool add_page_counters(SmartReading& reading, const std::vector<Attribute>& attributes) {
  const auto* host = find(attributes, 247, "Host_Program_Page_Count");
  const auto* added = find(attributes, 248, "FTL_Program_Page_Count");
  if (!added) added = find(attributes, 248, "Bckgnd_Program_Page_Cnt");
  if (!host || !added || !host->raw || !added->raw) return false;
  reading.host_writes = WriteCounter{"247 " + host->name, *host->raw, 0};
  reading.media_writes = WriteCounter{"247 " + host->name + " + 248 " + added->name, *host->raw + *added->raw, 0};
  return true;
}

// Skips drives unknown to smartmontools, whose names are guesses by number.
void add_ata_counters(SmartReading& reading, const json& report, const std::vector<Attribute>& attributes) {
  const auto& known = under(report, {"in_smartctl_database"});
  if (known.is_boolean() && !known.get<bool>()) return;
  if (add_page_counters(reading, attributes)) return;
  const auto sector = count_of(under(report, {"logical_block_size"})).value_or(kSectorBytes);
  reading.host_writes = first_known(kHostCounters, attributes, sector);
  reading.media_writes = first_known(kMediaCounters, attributes, sector);
}

// From attributes whose normalised value falls from 100 with the endurance left.
Fact<std::int64_t> used_by_attributes(const std::vector<Attribute>& attributes) {
  static const std::array<std::pair<std::int64_t, const char*>, 5> kLifeLeft = {{{233, "Media_Wearout_Indicator"},
                                                                                 {231, "SSD_Life_Left"},
                                                                                 {202, "Percent_Lifetime_Remain"},
                                                                                 {169, "Remaining_Lifetime_Perc"},
                                                                                 {177, "Wear_Leveling_Count"}}};
  for (const auto& [id, name] : kLifeLeft)
    if (const auto* attribute = find(attributes, id, name); attribute && attribute->value) return 100 - *attribute->value;
  return std::nullopt;
}

// From the page of device statistics (ATA ACS-3) that has it.
Fact<std::int64_t> used_by_statistics(const json& report) {
  const auto& pages = under(report, {"ata_device_statistics", "pages"});
  if (!pages.is_array()) return std::nullopt;
  for (const auto& page : pages) {
    const auto& table = under(page, {"table"});
    if (!table.is_array()) continue;
    for (const auto& row : table)
      if (text_at(row, {"name"}) == "Percentage Used Endurance Indicator") return integer_of(under(row, {"value"}));
  }
  return std::nullopt;
}

void add_ata(SmartReading& reading, const json& report) {
  const auto attributes = attributes_of(report);
  reading.percentage_used = integer_of(under(report, {"endurance_used", "current_percent"}));
  if (!reading.percentage_used) reading.percentage_used = used_by_statistics(report);
  if (!reading.percentage_used) reading.percentage_used = used_by_attributes(attributes);
  reading.spare_percent = integer_of(under(report, {"spare_available", "current_percent"}));
  if (const auto* reserve = find(attributes, 232, "Available_Reservd_Space"); reserve && !reading.spare_percent) {
    reading.spare_percent = reserve->value;
    reading.spare_threshold_percent = reserve->threshold;
  }
  add_ata_counters(reading, report, attributes);
}

void add_nvme(SmartReading& reading, const json& log) {
  reading.percentage_used = integer_of(under(log, {"percentage_used"}));
  reading.spare_percent = integer_of(under(log, {"available_spare"}));
  reading.spare_threshold_percent = integer_of(under(log, {"available_spare_threshold"}));
  if (const auto written = count_of(under(log, {"data_units_written"})))
    reading.host_writes = WriteCounter{"data_units_written", *written, kNvmeDataUnit};
}

std::string against(const std::string& what, std::int64_t value, const std::string& unit, const std::string& limit) {
  return what + " is " + std::to_string(value) + unit + ", " + limit;
}

void judge_spare(const SmartReading& reading, const SmartLimits& limits, std::vector<std::string>& reasons) {
  if (!reading.spare_percent) return;
  const auto spare = *reading.spare_percent;
  if (spare < limits.spare_percent_least)
    reasons.push_back(
        against("its spare", spare, " %", "at least " + std::to_string(limits.spare_percent_least) + " is wanted"));
  if (reading.spare_threshold_percent && spare <= *reading.spare_threshold_percent)
    reasons.push_back(against("its spare", spare, " %",
                              "not above its own threshold of " + std::to_string(*reading.spare_threshold_percent)));
}

template <class T>
void want_still_reported(const Fact<T>& before, const Fact<T>& now, const char* what, std::vector<std::string>& reasons) {
  if (before && !now) reasons.push_back(std::string("it no longer reports ") + what);
}

}  // namespace

SmartReading parse_smart(const json& report) {
  SmartReading reading;
  reading.model = text_at(report, {"model_name"});
  reading.serial = text_at(report, {"serial_number"});
  reading.firmware = text_at(report, {"firmware_version"});
  reading.capacity_bytes = count_of(under(report, {"user_capacity", "bytes"}));
  const auto& passed = under(report, {"smart_status", "passed"});
  if (passed.is_boolean()) reading.passed = passed.get<bool>();
  reading.temperature_c = integer_of(under(report, {"temperature", "current"}));
  reading.power_on_hours = count_of(under(report, {"power_on_time", "hours"}));
  const auto& nvme = under(report, {"nvme_smart_health_information_log"});
  if (nvme.is_object())
    add_nvme(reading, nvme);
  else
    add_ata(reading, report);
  return reading;
}

void add_smart_identity(DeviceFacts& facts, const SmartReading& reading) {
  auto& context = facts.context;
  if (!context.model && !reading.model.empty()) context.model = reading.model;
  if (!context.firmware && !reading.firmware.empty()) context.firmware = reading.firmware;
  if (!reading.serial.empty() && !facts.serial) facts.serial = reading.serial;
  if (!reading.serial.empty() && facts.serial != reading.serial)
    facts.contradictions.push_back("its serial number is " + *facts.serial + " by sysfs and " + reading.serial +
                                   " by SMART");
  if (reading.capacity_bytes && facts.size_bytes && *reading.capacity_bytes != *facts.size_bytes)
    facts.contradictions.push_back("its size is " + std::to_string(*facts.size_bytes) + " by its descriptor and " +
                                   std::to_string(*reading.capacity_bytes) + " by SMART");
}

std::vector<std::string> beyond_limits(const SmartReading& reading, const SmartLimits& limits) {
  std::vector<std::string> reasons;
  if (reading.passed && !*reading.passed) reasons.push_back("the drive itself says that it is failing");
  if (reading.temperature_c && *reading.temperature_c > limits.temperature_c_most)
    reasons.push_back(against("its temperature", *reading.temperature_c, " C",
                              "at most " + std::to_string(limits.temperature_c_most) + " is allowed"));
  if (reading.percentage_used && *reading.percentage_used > limits.percentage_used_most)
    reasons.push_back(against("the used part of its endurance", *reading.percentage_used, " %",
                              "at most " + std::to_string(limits.percentage_used_most) + " is allowed"));
  judge_spare(reading, limits, reasons);
  return reasons;
}

std::vector<std::string> unjudged(const SmartReading& reading) {
  std::vector<std::string> names;
  if (!reading.passed) names.push_back("the drive's own verdict");
  if (!reading.temperature_c) names.push_back("temperature");
  if (!reading.percentage_used) names.push_back("percentage used");
  if (!reading.spare_percent) names.push_back("spare");
  return names;
}

std::vector<std::string> beyond_limits_since(const SmartReading& before, const SmartAnswer& now, const SmartLimits& limits) {
  if (!now.reading) return {"the drive no longer answers: " + now.why_not};
  const auto& reading = *now.reading;
  std::vector<std::string> reasons;
  if (reading.serial != before.serial) reasons.push_back("it now shows the serial number \"" + reading.serial + "\"");
  want_still_reported(before.passed, reading.passed, "its own verdict", reasons);
  want_still_reported(before.temperature_c, reading.temperature_c, "its temperature", reasons);
  want_still_reported(before.percentage_used, reading.percentage_used, "how far it is used up", reasons);
  want_still_reported(before.spare_percent, reading.spare_percent, "its spare", reasons);
  const auto limited = beyond_limits(reading, limits);
  reasons.insert(reasons.end(), limited.begin(), limited.end());
  return reasons;
}

MeasuredAmplification amplification_between(const SmartReading& before, const SmartReading& after) {
  MeasuredAmplification found;
  const auto because = [&](const char* why) {
    found.why_not = why;
    return found;
  };
  if (!before.host_writes || !after.host_writes) return because("the drive has no counter of host writes that is known");
  if (!before.media_writes || !after.media_writes) return because("the drive has no counter of media writes that is known");
  if (before.host_writes->name != after.host_writes->name || before.media_writes->name != after.media_writes->name)
    return because("the two readings are not of the same counters");
  if (after.host_writes->count < before.host_writes->count || after.media_writes->count < before.media_writes->count)
    return because("a counter has gone backwards");
  found.host_units = after.host_writes->count - before.host_writes->count;
  found.media_units = after.media_writes->count - before.media_writes->count;
  found.host_unit_bytes = after.host_writes->unit_bytes;
  found.media_unit_bytes = after.media_writes->unit_bytes;
  found.enough_units = std::min(found.host_units, found.media_units) >= MeasuredAmplification::kUnitsWanted;
  if (found.host_units == 0) return because("the counter of host writes has not moved");
  // Ratio of pages, or of bytes if the sizes of the units are known.
  const bool pages = found.host_unit_bytes == 0 || found.media_unit_bytes == 0;
  const double ratio =
      pages ? 1.0 : static_cast<double>(found.media_unit_bytes) / static_cast<double>(found.host_unit_bytes);
  const auto host = static_cast<double>(found.host_units), media = static_cast<double>(found.media_units);
  found.value = ratio * media / host;
  found.lowest = ratio * std::max(media - 1, 0.0) / (host + 1);
  if (host > 1) found.highest = ratio * (media + 1) / (host - 1);
  return found;
}

// A drive's health as JSON for the result.

namespace {

using nlohmann::ordered_json;

ordered_json counter_json(const Fact<WriteCounter>& counter) {
  if (!counter) return nullptr;
  ordered_json described{{"name", counter->name}, {"count", counter->count}};
  if (counter->unit_bytes == 0)
    described["unit"] = "page";
  else
    described["unit_bytes"] = counter->unit_bytes;
  return described;
}

}  // namespace

ordered_json smart_json(const SmartReading& reading) {
  return {{"model", reading.model},
          {"serial", reading.serial},
          {"firmware", reading.firmware},
          {"capacity_bytes", value_or_null(reading.capacity_bytes)},
          {"passed", value_or_null(reading.passed)},
          {"temperature_c", value_or_null(reading.temperature_c)},
          {"percentage_used", value_or_null(reading.percentage_used)},
          {"spare_percent", value_or_null(reading.spare_percent)},
          {"spare_threshold_percent", value_or_null(reading.spare_threshold_percent)},
          {"power_on_hours", value_or_null(reading.power_on_hours)},
          {"host_writes", counter_json(reading.host_writes)},
          {"media_writes", counter_json(reading.media_writes)},
          {"not_told", unjudged(reading)}};
}

ordered_json changing_json(const SmartReading& reading) {
  return {{"temperature_c", value_or_null(reading.temperature_c)},
          {"percentage_used", value_or_null(reading.percentage_used)},
          {"spare_percent", value_or_null(reading.spare_percent)},
          {"host_writes", counter_json(reading.host_writes)},
          {"media_writes", counter_json(reading.media_writes)}};
}

ordered_json amplification_json(const MeasuredAmplification& amplification) {
  if (!amplification.value) return {{"value", nullptr}, {"why_not", amplification.why_not}};
  return {{"value", *amplification.value},
          {"lowest", *amplification.lowest},
          {"highest", value_or_null(amplification.highest)},
          {"host_units", amplification.host_units},
          {"media_units", amplification.media_units},
          {"host_unit_bytes", amplification.host_unit_bytes},
          {"media_unit_bytes", amplification.media_unit_bytes},
          {"units_wanted", MeasuredAmplification::kUnitsWanted},
          {"enough_units", amplification.enough_units}};
}

}  // namespace ftlab
