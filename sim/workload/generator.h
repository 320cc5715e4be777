// Turns a job into its sequence of requests. The sequence depends on the job and the seed alone, never on time or on the
// device, so that a simulated and a real drive get byte-identical sequences.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sim/core/random.h"
#include "sim/request.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

struct Access {
  Direction direction = Direction::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  Content content{};    // of a write, when the job says anything about it
  bool verify = false;  // a read that is compared with what was written
};

class Generator {
 public:
  // `seed` is the run's seed; the job's randseed and number are mixed in. REQUIRES: a job from parse_job_file.
  Generator(const Job& job, std::uint64_t seed);
  ~Generator();
  Generator(Generator&&) noexcept;

  // The next request; false when the job's amount has been issued. A time-based job never ends here.
  // Costs about 10 ns; a random map adds one bit per block of memory, verify 16 bytes and more for each write that is not
  // read back yet.
  bool next(Access& access);

  // From now on, where a mixed job would throw its coin, its requests go this way instead; nothing: the coin again. Only
  // the rate of a direction asks for that, as with fio.
  void steer(std::optional<Direction> choice);
  // As many of the next requests as there is room for; fewer only at the end. Saves a call for each.
  std::size_t next(std::span<Access> accesses);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ftlab
