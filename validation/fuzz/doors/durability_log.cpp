// The measuring tool's log of durability promises, which may be truncated anywhere.
#include "validation/measure/contents/durability_log.h"

#include <sstream>

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

void enter_durability_log(std::string_view input) {
  std::istringstream text{std::string(input)};
  try {
    parse_promises(text, kInputName);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> durability_log_seeds() {
  return {"ftlab-promises-1 7 0 1048576 SERIAL 1\nissued 65536\nheld 0 0 4096\ntrim 8 4096 4096\nheld 8 8192 512\n"};
}

}  // namespace

Door durability_log() { return {"durability_log", enter_durability_log, durability_log_seeds, 512, 4}; }

}  // namespace ftlab::fuzz
