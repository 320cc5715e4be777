// How the simulated time of a served drive follows the wall clock.
//   free        follows it while clients think, pauses while the simulator computes, and skips the drive's latency
//   real        follows it
//   scaled:N    runs N times as fast
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/types.h"

namespace ftlab {

class ServingClock {
 public:
  // "free", "real" or "scaled:N", N from 0.001 to 1000. Throws ConfigError.
  explicit ServingClock(const std::string& word);

  const std::string& word() const { return word_; }
  bool free() const { return free_; }
  // Starts simulated time at 0.
  void begin(Nanoseconds wall) { anchor(Nanoseconds{0}, wall); }
  bool begun() const { return begun_; }
  // Simulated time at a wall time. A wall time before the latest anchor gives the anchor's simulated time.
  Nanoseconds at(Nanoseconds wall) const;
  // Wall time at which a simulated time is reached. REQUIRES: not free.
  Nanoseconds wall_at(Nanoseconds simulated) const;
  // From now on, simulated time is `simulated` at wall time `wall`.
  void anchor(Nanoseconds simulated, Nanoseconds wall);

 private:
  std::string word_;
  bool free_ = false;
  bool begun_ = false;
  double speed_ = 1;
  Nanoseconds simulated_{0};
  Nanoseconds wall_{0};
};

}  // namespace ftlab
