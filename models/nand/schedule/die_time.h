// What the dies of a drive spent their time on, all of them together. An operation counts whole when it begins; of one that
// is suspended, what it has left counts when it goes on.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "sim/core/types.h"

namespace ftlab {

class DieTime {
 public:
  enum Use : std::uint32_t {
    host_reads,
    internal_reads,  // of relocation and of the map
    erases,
    host_programs,        // of stripes with data of the host
    relocation_programs,  // of all others
    suspensions           // stopping programs and erases, and going on with them
  };
  static constexpr std::uint32_t kUses = 6;

  Nanoseconds of(Use use) const { return spent_[use]; }
  Nanoseconds total() const { return std::accumulate(spent_.begin(), spent_.end(), Nanoseconds{0}); }
  void add(Use use, Nanoseconds time) { spent_[use] += time; }
  void take_back(Use use, Nanoseconds time) { spent_[use] -= time; }

  template <class A>
  void archive(A& archive) {
    for (Nanoseconds& time : spent_) archive.duration(time);
  }

 private:
  std::array<Nanoseconds, kUses> spent_{};
};

}  // namespace ftlab
