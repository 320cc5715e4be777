// What the measuring tool reads: its own log of durability promises, which may be truncated anywhere, and the kernel's tables of
// mounts and swap areas, in which users can choose the names of folders.
#include "validation/measure/contents/durability_log.h"

#include <sstream>

#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"
#include "validation/measure/target/facts_sources.h"

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

void enter_kernel_tables(std::string_view input) {
  const std::string text(input);
  parse_mounts(text);
  parse_swaps(text);
}

std::vector<std::string> kernel_tables_seeds() {
  return {
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n31 22 0:28 /a\\040b /tmp/a\\011\\134 rw - tmpfs tmpfs rw\n",
      "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n/a\\040b file 1 0 -3\n"};
}

}  // namespace

Door durability_log() { return {"durability_log", enter_durability_log, durability_log_seeds, 512, 4}; }
Door kernel_tables() { return {"kernel_tables", enter_kernel_tables, kernel_tables_seeds, 512, 4}; }

}  // namespace ftlab::fuzz
