#include "validation/results/health/smart_report.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"
#include "sim/core/types.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kUnitBytes = 512'000;
constexpr std::uint64_t kMostPercentage = 255;  // one byte; larger values are capped

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string units_text(std::uint64_t bytes) {
  const std::uint64_t units = nvme_data_units(bytes);
  return fmt::format("{} [{:.4g} GB]", with_commas(units), static_cast<double>(units * kUnitBytes) / 1e9);
}

std::string line(const char* name, const std::string& value) { return fmt::format("{:<36}{}\n", name, value); }

}  // namespace

std::uint32_t nvme_critical_warning(const SmartLog& log) {
  return (log.reserve_left_percent == 0 ? 1u : 0u) | (log.read_only != 0 ? 8u : 0u);
}

std::uint64_t nvme_data_units(std::uint64_t bytes) { return bytes / kUnitBytes + (bytes % kUnitBytes != 0 ? 1 : 0); }

nlohmann::ordered_json nvme_health_json(const SmartLog& log) {
  nlohmann::ordered_json json = {{"critical_warning", nvme_critical_warning(log)},
                                 {"available_spare", log.reserve_left_percent}};
  if (log.has_endurance_limit != 0) json["percentage_used"] = std::min(log.life_used_percent, kMostPercentage);
  json["data_units_read"] = nvme_data_units(log.host_read_bytes);
  json["data_units_written"] = nvme_data_units(log.host_write_bytes);
  json["host_reads"] = log.host_read_commands;
  json["host_writes"] = log.host_write_commands;
  if (log.has_busy_time != 0) json["controller_busy_time"] = log.busy_ms / 60'000;
  json["power_cycles"] = log.power_cycles;
  json["power_on_hours"] = log.powered_ms / 3'600'000;
  json["unsafe_shutdowns"] = log.power_cuts;
  json["media_errors"] = log.lost_pages;
  return json;
}

nlohmann::ordered_json nvme_cli_health_json(const SmartLog& log) {
  constexpr std::pair<const char*, const char*> kNames[] = {{"available_spare", "avail_spare"},
                                                            {"percentage_used", "percent_used"},
                                                            {"host_reads", "host_read_commands"},
                                                            {"host_writes", "host_write_commands"}};
  const nlohmann::ordered_json health = nvme_health_json(log);
  nlohmann::ordered_json json;
  for (const auto& [name, value] : health.items()) {
    const auto other =
        std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& pair) { return name == pair.first; });
    json[other == std::end(kNames) ? name : other->second] = value;
  }
  return json;
}

nlohmann::ordered_json ocp_health_json(const SmartLog& log) {
  const auto wide = [](std::uint64_t number) { return nlohmann::ordered_json{{"hi", 0}, {"lo", number}}; };
  return {{"Physical media units written", wide(log.media_write_bytes)},
          {"Bad user nand blocks - Raw", log.grown_bad_blocks},
          {"Bad user nand blocks - Normalized", log.reserve_left_percent},
          {"Uncorrectable read error count", log.lost_pages},
          {"Max User data erase counts", log.most_erases}};
}

nlohmann::ordered_json fdp_stats_json(const SmartLog& log) {
  return {{"host_bytes_with_metadata_written", log.host_write_bytes},
          {"media_bytes_with_metadata_written", log.media_write_bytes},
          {"media_bytes_erased", log.media_erase_bytes},
          {"ftlab",
           {{"handles", log.placement_handles},
            {"reclaim_groups", log.reclaim_groups},
            {"reclaim_units_opened", log.reclaim_units_opened}}}};
}

std::string nvme_health_text(const SmartLog& log) {
  std::string text = "SMART/Health Information (NVMe Log 0x02)\n";
  text += line("Critical Warning:", fmt::format("0x{:02x}", nvme_critical_warning(log)));
  text += line("Available Spare:", fmt::format("{}%", log.reserve_left_percent));
  if (log.has_endurance_limit != 0)
    text += line("Percentage Used:", fmt::format("{}%", std::min(log.life_used_percent, kMostPercentage)));
  text += line("Data Units Read:", units_text(log.host_read_bytes));
  text += line("Data Units Written:", units_text(log.host_write_bytes));
  text += line("Host Read Commands:", with_commas(log.host_read_commands));
  text += line("Host Write Commands:", with_commas(log.host_write_commands));
  if (log.has_busy_time != 0) text += line("Controller Busy Time:", with_commas(log.busy_ms / 60'000));
  text += line("Power Cycles:", with_commas(log.power_cycles));
  text += line("Power On Hours:", with_commas(log.powered_ms / 3'600'000));
  text += line("Unsafe Shutdowns:", with_commas(log.power_cuts));
  text += line("Media and Data Integrity Errors:", with_commas(log.lost_pages));
  return text;
}

namespace {

using Json = nlohmann::ordered_json;

struct Flag {
  char letter;
  const char* name;
};
constexpr Flag kFlags[] = {{'P', "prefailure"}, {'O', "updated_online"}, {'S', "performance"},
                           {'R', "error_rate"}, {'C', "event_count"},    {'K', "auto_keep"}};

Json flags_json(std::uint32_t flags) {
  std::string letters;
  for (std::size_t bit = 0; bit < std::size(kFlags); ++bit) letters += (flags >> bit & 1) != 0 ? kFlags[bit].letter : '-';
  Json json = {{"value", flags}, {"string", letters + " "}};
  for (std::size_t bit = 0; bit < std::size(kFlags); ++bit) json[kFlags[bit].name] = (flags >> bit & 1) != 0;
  return json;
}

Json attribute_json(const SmartAttribute& attribute, const SmartLog& log) {
  const std::uint32_t value = attribute.normalised(log);
  return {{"id", attribute.id},
          {"name", attribute.name},
          {"value", value},
          {"worst", value},  // values only fall (except the reserve, after a redesign that needs less)
          {"thresh", attribute.threshold},
          {"when_failed", attribute.failed(log) ? "now" : ""},
          {"flags", flags_json(attribute.flags)},
          {"raw", {{"value", attribute.raw(log)}, {"string", attribute.raw_text(log)}}}};
}

Json blocks_and_bytes(std::uint64_t bytes) { return {{"blocks", bytes / kSectorBytes}, {"bytes", bytes}}; }

// Size (NSZE) counts the gaps between zones, capacity (NCAP) does not. Without thin provisioning utilization (NUSE) may
// always be the capacity (NVM Command Set Specification 1.0, 4.1.5.1).
Json namespaces_json(const SmartLog& log) {
  Json only = {{"id", 1},
               {"size", blocks_and_bytes(log.namespace_bytes)},
               {"capacity", blocks_and_bytes(log.user_bytes)},
               {"utilization", blocks_and_bytes(log.user_bytes)},
               {"formatted_lba_size", kSectorBytes}};
  return Json::array({std::move(only)});
}

bool any_prefailure(const SmartTable& table, const SmartLog& log) {
  return std::any_of(table.attributes.begin(), table.attributes.end(),
                     [&log](const SmartAttribute& a) { return a.prefailure() && a.failed(log); });
}

}  // namespace

Json health_json(const SmartLog& log) {
  Json json = Json::object();
  for (const HealthField& field : kHealthFields) {
    if (field.member != &SmartLog::none) json[field.name] = log.*field.member;
  }
  return json;
}

SmartLog read_health(const nlohmann::json& health, const std::string& where) {
  SmartLog log;
  for (const HealthField& field : kHealthFields) {
    if (field.member == &SmartLog::none) continue;
    const auto found = health.find(field.name);
    if (found == health.end()) throw ConfigError({where, 0}, std::string("ftlab.health.") + field.name, "is missing");
    if (!found->is_number_unsigned())
      throw ConfigError({where, 0}, std::string("ftlab.health.") + field.name, "is not a count", found->dump(), "0 or more");
    log.*field.member = found->get<std::uint64_t>();
  }
  return log;
}

namespace {

bool failed(const SmartSubject& subject, const SmartTable& table, const SmartLog& log) {
  return log.read_only != 0 || (!subject.nvme && any_prefailure(table, log));
}

Json device_json(const SmartSubject& subject) {
  return {{"name", subject.path},
          {"info_name", subject.path},
          {"type", subject.nvme ? "nvme" : "ata"},
          {"protocol", subject.nvme ? "NVMe" : "ATA"}};
}

void add_attributes(Json& json, const SmartTable& table, const SmartLog& log) {
  Json rows = Json::array();
  for (const SmartAttribute& attribute : table.attributes) rows.push_back(attribute_json(attribute, log));
  json["ata_smart_attributes"] = {{"revision", table.revision}, {"table", rows}};
}

std::string attributes_text(const SmartTable& table, const SmartLog& log) {
  std::string text = fmt::format("{:<4}{:<24}{:<9}{:<6}{:<6}{:<7}{:<10}{:<9}{:<12}{}\n", "ID#", "ATTRIBUTE_NAME", "FLAG",
                                 "VALUE", "WORST", "THRESH", "TYPE", "UPDATED", "WHEN_FAILED", "RAW_VALUE");
  for (const SmartAttribute& attribute : table.attributes) {
    const std::uint32_t value = attribute.normalised(log);  // also the worst: values only fall
    text += fmt::format("{:>3} {:<24}{:<9}{:<6}{:<6}{:<7}{:<10}{:<9}{:<12}{}\n", attribute.id, attribute.name,
                        fmt::format("0x{:04x}", attribute.flags), fmt::format("{:03}", value), fmt::format("{:03}", value),
                        fmt::format("{:03}", attribute.threshold), attribute.prefailure() ? "Pre-fail" : "Old_age",
                        (attribute.flags >> 1 & 1) != 0 ? "Always" : "Offline", attribute.failed(log) ? "FAILING_NOW" : "-",
                        attribute.raw_text(log));
  }
  return text;
}

}  // namespace

Json smart_json(const SmartSubject& subject, const SmartTable& table, const SmartLog& log) {
  const bool prefailure = !subject.nvme && any_prefailure(table, log);
  const bool passed = !failed(subject, table, log);
  Json json = {{"json_format_version", {1, 0}},
               {"smartctl",
                {{"version", {7, 4}},
                 {"platform_info", "a drive simulated by ftlab " FTLAB_VERSION},
                 {"exit_status", (passed ? 0 : 8) + (prefailure ? 16 : 0)}}},
               {"device", device_json(subject)},
               {"model_name", subject.model},
               {"serial_number", "seed-" + std::to_string(subject.seed)},
               {"firmware_version", FTLAB_VERSION},
               {"user_capacity", blocks_and_bytes(log.user_bytes)},
               {"logical_block_size", kSectorBytes},
               {"rotation_rate", 0},
               {"smart_support", {{"available", true}, {"enabled", true}}},
               {"smart_status", {{"passed", passed}}}};
  if (subject.nvme) {
    json.erase("rotation_rate");
    json["nvme_namespaces"] = namespaces_json(log);
    json["smart_status"]["nvme"] = {{"value", nvme_critical_warning(log)}};
    json["nvme_smart_health_information_log"] = nvme_health_json(log);
  } else {
    add_attributes(json, table, log);
  }
  json["spare_available"] = {{"current_percent", log.reserve_left_percent}};
  if (log.has_endurance_limit != 0) json["endurance_used"] = {{"current_percent", log.life_used_percent}};
  json["power_on_time"] = {{"hours", log.powered_ms / 3'600'000}, {"minutes", log.powered_ms / 60'000 % 60}};
  json["power_cycle_count"] = log.power_cycles;
  return json;
}

std::string smart_text(const SmartSubject& subject, const SmartTable& table, const SmartLog& log) {
  std::string text = fmt::format("{}, {} bytes, {}: SMART overall-health {}\n", subject.model, log.user_bytes, subject.path,
                                 failed(subject, table, log) ? "FAILED" : "PASSED");
  if (log.has_endurance_limit != 0) text += fmt::format("{} % of its life used\n", log.life_used_percent);
  return text + "\n" + (subject.nvme ? nvme_health_text(log) : attributes_text(table, log));
}

}  // namespace ftlab
