// A table of SMART attributes, applied to a drive's health.
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"
#include "validation/results/health/smart_report.h"

namespace ftlab::fuzz {
namespace {

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

}  // namespace

Door smart_table() { return {"smart_table", enter_smart_table, smart_table_seeds, 2048, 2}; }

}  // namespace ftlab::fuzz
