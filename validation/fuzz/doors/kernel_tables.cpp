// The kernel's tables of mounts and swap areas. Names in them are folder names that users can choose.
#include "validation/fuzz/door.h"
#include "validation/measure/target/facts_mounts.h"

namespace ftlab::fuzz {
namespace {

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

Door kernel_tables() { return {"kernel_tables", enter_kernel_tables, kernel_tables_seeds, 512, 4}; }

}  // namespace ftlab::fuzz
