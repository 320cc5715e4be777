// smartctl's output for a real drive, checked against the limits that end a measurement, and used again as a later output.
#include <nlohmann/json.hpp>

#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/measure/health/smart_limits.h"

namespace ftlab::fuzz {
namespace {

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

Door smartctl() { return {"smartctl", enter_smartctl, smartctl_seeds, 2048, 3}; }

}  // namespace ftlab::fuzz
