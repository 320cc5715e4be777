// Turns a job into its sequence of requests. The sequence depends on the job and the seed alone, never on time or on the
// device, so that a simulated and a real drive get byte-identical sequences.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sim/random.h"
#include "sim/workload/job.h"

namespace ftlab {

struct Access {
  Direction direction = Direction::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
};

class Generator {
 public:
  // `seed` is the run's seed; the job's randseed and number are mixed in. REQUIRES: a job from parse_job_file.
  Generator(const Job& job, std::uint64_t seed);
  ~Generator();
  Generator(Generator&&) noexcept;

  // The next request; false when the job's amount has been issued. A time-based job never ends here.
  // Costs about 10 ns; a random map adds one bit per block of memory. `wish`: where a mixed job would throw its coin, its
  // request goes this way instead; only a rate of one direction asks for that, as with fio.
  bool next(Access& access, std::optional<Direction> wish = std::nullopt);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ftlab
