// The map that assigns meanings to the columns of a CSV trace.
#include "sim/traces/formats/column_map.h"
#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

void enter_column_map(std::string_view input) {
  try {
    read_column_map(input, kInputName);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> column_map_seeds() {
  return joined(
      bad_texts("trace/trace-", ".columns", 512),
      {R"({"time":0,"op":3,"offset":4,"size":5,"time_unit":"100ns","volume":1,"separator":";","heading_lines":1,"write":["w","1"]})"});
}

}  // namespace

Door column_map() { return {"column_map", enter_column_map, column_map_seeds, 512, 3}; }

}  // namespace ftlab::fuzz
