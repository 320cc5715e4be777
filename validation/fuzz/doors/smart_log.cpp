// The health log of a result, as `ftlab smart` reads it, printed as a table of attributes. The input is the log.
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"
#include "validation/results/health/smart_report.h"

namespace ftlab::fuzz {
namespace {

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

}  // namespace

Door smart_log() { return {"smart_log", enter_smart_log, smart_log_seeds, 1024, 2}; }

}  // namespace ftlab::fuzz
