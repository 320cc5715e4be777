#include "validation/results/health/nvme_health.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

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

}  // namespace ftlab
