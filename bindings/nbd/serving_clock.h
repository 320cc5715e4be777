// How the simulated time of a served drive goes with the time of the clock on the wall.
//   free        it goes with the wall while clients think, stands still while the simulator computes, and passes over the
//               time that the drive needs
//   real        it goes with the wall
//   scaled:N    N times as fast as the wall
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
  // Simulated time begins, at 0.
  void begin(Nanoseconds wall) { anchor(Nanoseconds{0}, wall); }
  bool begun() const { return begun_; }
  // The simulated moment at a moment of the wall, which may be before the latest anchor and is the anchor's then.
  Nanoseconds at(Nanoseconds wall) const;
  // When the wall reaches a simulated moment. REQUIRES: not free.
  Nanoseconds wall_at(Nanoseconds simulated) const;
  // From here on: it is `simulated` at `wall`.
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
