// Health of drives: the log of a simulated one, tables of attributes, and the output of smartctl.
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"
#include "validation/measure/health/smart_limits.h"
#include "validation/results/health/smart_report.h"

namespace ftlab::fuzz {
namespace {

// The health log of a result, as `ftlab smart` reads it, printed as a table of attributes. The input is the log.
void enter_smart_log(std::string_view input) {
  static const SmartTable table = read_smart_table(parse_document(text_of("configs/smart/intel.json"), "intel"));
  const auto health = nlohmann::json::parse(input, nullptr, false);
  if (!health.is_object()) return;
  try {
    smart_json({kInputName, "m", 1}, table, read_health(health, kInputName)).dump();
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> smart_log_seeds() {
  SmartLog log;
  log.host_write_bytes = 5ull << 40;
  log.has_endurance_limit = 1;
  return {health_json(log).dump(), health_json(SmartLog{}).dump(2)};
}

// A table of SMART attributes, applied to a drive's health.
void enter_smart_table(std::string_view input) {
  SmartLog log;
  log.host_write_bytes = ~std::uint64_t{0};
  log.powered_ms = 3'600'001;
  try {
    smart_json({kInputName, "m", 1}, read_smart_table(parse_document(input, kInputName)), log);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> smart_table_seeds() {
  return joined(texts_of("configs/smart", "", ".json", 4096),
                {R"({"name":"t","attributes":[{"id":241,"name":"W","flags":50,"raw":"host_write_bytes","unit":33554432},
{"id":9,"name":"H","flags":50,"raw":"powered_ms","format":"hours-and-milliseconds","value":"life-left","least":2,"threshold":1}]})"});
}

// smartctl's output for a real drive, checked against the limits that end a measurement, and used again as a later output.
void enter_smartctl(std::string_view input) {
  const std::string first(next_part(input));
  const SmartAnswer before = smart_answer(first, 0, "smartctl");
  const SmartAnswer after = input.empty() ? before : smart_answer(std::string(input), 4, "smartctl");
  before.raw.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!before.reading) return;
  beyond_limits(*before.reading, {});
  unjudged(*before.reading);
  beyond_limits_since(*before.reading, after, {});
  DeviceFacts facts;
  add_smart_identity(facts, *before.reading);
  if (after.reading) amplification_json(amplification_between(*before.reading, *after.reading));
  smart_json(*before.reading).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> smartctl_seeds() {
  const std::string ata =
      R"({"smartctl":{"exit_status":0},"model_name":"INTEL SSD","serial_number":"S","firmware_version":"F",
"user_capacity":{"bytes":480103981056},"smart_status":{"passed":true},"temperature":{"current":30},"power_on_time":{"hours":9},
"ata_smart_attributes":{"table":[{"id":241,"name":"Host_Writes_32MiB","value":100,"thresh":0,"raw":{"value":1000}},
{"id":249,"name":"NAND_Writes_1GiB","value":100,"thresh":0,"raw":{"value":40}},
{"id":233,"name":"Media_Wearout_Indicator","value":98,"thresh":0,"raw":{"value":0}},
{"id":232,"name":"Available_Reservd_Space","value":100,"thresh":10,"raw":{"value":0}},
{"id":194,"name":"Temperature_Celsius","value":100,"thresh":0,"raw":{"value":30}}]}})";
  const std::string nvme =
      R"({"model_name":"N","serial_number":"S","nvme_smart_health_information_log":{"critical_warning":0,
"temperature":40,"available_spare":100,"available_spare_threshold":10,"percentage_used":1,"data_units_written":1000,
"power_on_hours":9}})";
  return {ata, nvme, ata + std::string(1, '\0') + ata, R"({"smartctl":{"messages":[{"string":"no"}],"exit_status":2}})"};
}

}  // namespace

Door smart_log() { return {"smart_log", enter_smart_log, smart_log_seeds, 1024, 2}; }
Door smart_table() { return {"smart_table", enter_smart_table, smart_table_seeds, 2048, 2}; }
Door smartctl() { return {"smartctl", enter_smartctl, smartctl_seeds, 2048, 3}; }

}  // namespace ftlab::fuzz
