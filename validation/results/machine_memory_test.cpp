#include "validation/results/machine_memory.h"

#include "ftl/drive/config/table_bytes.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a drive that exceeds free memory is refused with the sum, and one that just fits is accepted") {
  const DriveConfig config = theory_drive(4096, 256, 4000 * 256);
  const std::uint64_t bytes = table_bytes(config);
  CHECK(memory_problem(config, true, 1, bytes).empty());
  CHECK(memory_problem(config, true, 2, 2 * bytes).empty());
  CHECK_FALSE(memory_problem(config, true, 2, 2 * bytes - 1).empty());
  CHECK(memory_problem(config, false, 1, bytes - 1).empty());
  CHECK(memory_problem(config, true, 1, 1'000'000) ==
        "takes 12.9 MB of memory, more than the 1.0 MB that this machine has left (map 4.1 MB + flash pages 4.3 MB + "
        "versions 4.2 MB + superblocks 0.3 MB + pages of the host 0.0 MB)");
  CHECK(memory_problem(config, true, 4, 20'000'000).find("4 of them at once, more than the 20.0 MB") != std::string::npos);
}

TEST_CASE("the remedy gives the divisor with which the drive fits") {
  const DriveConfig config = theory_drive(4096, 256, 4000 * 256);
  const std::uint64_t bytes = table_bytes(config);
  for (std::uint64_t divisor = 2; divisor <= 64; divisor *= 2) {
    const std::string remedy = memory_remedy(config, true, 1, bytes / divisor);
    CHECK(remedy.find("divided by " + std::to_string(divisor) + ")") != std::string::npos);
  }
}

TEST_CASE("free memory of this machine is known") { CHECK(free_memory_bytes().value_or(0) > (64u << 20)); }
