// How the dies of a drive spent their time, all together. An operation is counted in full when it begins. If it is
// suspended, the rest is taken back and counted again when it resumes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

class DieTime {
 public:
  enum Use : std::uint32_t {
    host_reads,
    internal_reads,  // for relocation and the map
    erases,
    host_programs,        // stripes with host data
    relocation_programs,  // all other stripes
    suspensions           // stopping and resuming programs and erases
  };
  static constexpr std::uint32_t kUses = 6;

  Nanoseconds of(Use use) const { return spent_[use]; }
  Nanoseconds total() const { return std::accumulate(spent_.begin(), spent_.end(), Nanoseconds{0}); }
  void add(Use use, Nanoseconds time) { spent_[use] += time; }
  void take_back(Use use, Nanoseconds time) {
    FTLAB_DCHECK(time <= spent_[use], "more time is taken back than was spent");
    spent_[use] -= time;
  }
  // Adds what was spent between two moments; nothing for a use of which more was taken back than spent.
  void add_between(const DieTime& before, const DieTime& after) {
    for (std::uint32_t use = 0; use < kUses; ++use)
      spent_[use] += std::max(after.spent_[use], before.spent_[use]) - before.spent_[use];
  }

  template <class A>
  void archive(A& archive) {
    for (Nanoseconds& time : spent_) archive.duration(time);
  }

 private:
  std::array<Nanoseconds, kUses> spent_{};
};

}  // namespace ftlab
