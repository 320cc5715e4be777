// Turns a job into its sequence of requests. The sequence depends only on the job and the seed, never on time or on the
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
  Content content{};    // writes only: content, if the job specifies any
  bool verify = false;  // a read whose data is compared with what was written
};

class Generator {
 public:
  // `seed` is the run's seed; the job's randseed and number are mixed in. REQUIRES: a job from parse_job_file.
  Generator(const Job& job, std::uint64_t seed);
  ~Generator();
  Generator(Generator&&) noexcept;

  // Sets the next request; returns false when the job's amount has been issued. A time-based job never ends here. Takes
  // about 10 ns. A random map needs one bit of memory per block, verify 16 bytes or more per write not yet read back.
  bool next(Access& access);

  // From now on a mixed job issues requests in this direction instead of a random one; nullopt: random again. As in fio,
  // only per-direction rates need this.
  void steer(std::optional<Direction> choice);
  // Fills `accesses` with the next requests and returns their number, smaller only at the end. Saves a call per request.
  std::size_t next(std::span<Access> accesses);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ftlab
