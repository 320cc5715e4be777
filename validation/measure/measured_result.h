// Everything kept of a run on a real device, as the texts of its files: in the format of a simulated result, with the
// measured device instead of the simulated drive.
#pragma once

#include <sys/resource.h>

#include "validation/measure/device/watchdog.h"
#include "validation/results/result.h"

namespace ftlab {

// Cost of measuring to this process. The CPU time per request is a figure of the instrument: it must be small compared with
// the request's own time.
class Expense {
 public:
  Expense();
  nlohmann::ordered_json json(std::uint64_t requests) const;  // since construction
  double user_s() const;
  double system_s() const;
  std::int64_t context_switches() const;
  double wall_s() const;

 private:
  rusage usage_{};
  std::int64_t wall_ns_ = 0;
};

struct Measured {
  nlohmann::ordered_json device;  // the device and the computer, as in the preamble
  std::string engine;             // kernel interfaces in use
  std::uint64_t seed = 0;
  std::string ended_because;  // empty: as planned
  std::vector<ObservedFault> faults;
  std::uint64_t fault_count = 0;
};

Result make_result(const Measured& measured, const JobFile& jobs, const RunStats& stats, const Expense& expense);

nlohmann::ordered_json faults_json(const std::vector<ObservedFault>& faults, std::uint64_t count);

}  // namespace ftlab
