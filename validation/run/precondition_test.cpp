#include "validation/run/precondition.h"

#include <sys/resource.h>

#include <fstream>
#include <memory>

#include "ftl/testing/drives.h"
#include "sim/core/error.h"
#include "sim/testing/test.h"
#include "validation/results/machine_memory.h"
#include "validation/run/simulated_device.h"

using namespace ftlab;

namespace {

// Leaves the process only the addresses that ftlab sets aside for what is no table, 64 MiB, and a little less.
class NoMoreAddresses {
 public:
  NoMoreAddresses() {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    limit.rlim_cur = pages * 4096 + (std::uint64_t{60} << 20);
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~NoMoreAddresses() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

std::string refusal_of(SimulatedDevice& device, Precondition state) {
  const NoMoreAddresses limited;
  try {
    refuse_preconditioning(device, state);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("preconditioning beyond the memory is refused before it starts, with ways to need less") {
  const auto used = used_device({}, std::make_unique<Drive>(striped_drive(), Clock::untimed));
  SimulatedDevice& device = *used;
  const std::string problem = refusal_of(device, Precondition::steady);
  CHECK(problem.find("--precondition: takes ") != std::string::npos);
  CHECK(problem.find("more than the 0.0 MB that the limit of this process (ulimit -v) leaves") != std::string::npos);
  CHECK(problem.find("sequential, a scaled drive, a larger ftl.mapping.page_bytes or a smaller capacity") !=
        std::string::npos);
  CHECK(refusal_of(device, Precondition::none).empty());
  refuse_preconditioning(device, Precondition::steady);  // with the memory of the machine it is not
}
