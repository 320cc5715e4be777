// How long simulated time stands still for clients, on the free clock: for those who were answered, to ask again, and for
// those who ask in groups, to complete one. How long is learnt: at most 200 and 20 us of the wall.
#pragma once

#include <algorithm>

#include "sim/core/types.h"

namespace ftlab {

class ClientPatience {
 public:
  struct Wait {
    std::size_t requests = 1;  // that end it
    Nanoseconds until{0};      // by the wall; 0: there is nothing to wait for
    bool for_answered = false;
  };
  // With requests outstanding: until those have asked again who were answered, but for `enough`, or until a group is
  // complete.
  Wait next_wait(std::size_t enough) const {
    if (awaited_ > enough) return {awaited_ - enough, last_given_ + patience_, true};
    return in_groups_ ? Wait{1, last_arrival_ + kGroup, false} : Wait{};
  }
  // The wait ended without what it was for; so many requests are there. The other clients think longer.
  void waited_in_vain(const Wait& wait, std::size_t requests) {
    if (!wait.for_answered)
      in_groups_ = false;
    else if (requests == 0)
      patience_ = std::max(patience_ / 2, kLeast);
    awaited_ = requests;
  }

  void arrived(std::size_t requests, Nanoseconds first, Nanoseconds last) {
    if (requests > awaited_ && first < last_arrival_ + kGroup) in_groups_ = true;  // unasked
    if (awaited_ > 0) patience_ = kMost;
    awaited_ -= std::min(awaited_, requests);
    last_arrival_ = last;
  }
  void answered(std::size_t requests, Nanoseconds at) {
    awaited_ += requests;
    if (requests > 0) last_given_ = at;
  }
  void await_nobody() { awaited_ = 0; }

  // Answers whose clients have not asked again.
  std::size_t awaited() const { return awaited_; }
  // Requests have come close to each other unasked.
  bool in_groups() const { return in_groups_; }

 private:
  static constexpr Nanoseconds kMost{200'000}, kLeast{20'000};
  static constexpr Nanoseconds kGroup{20'000};  // requests that arrive closer to each other belong together

  std::size_t awaited_ = 0;
  Nanoseconds patience_ = kMost;
  bool in_groups_ = true;
  Nanoseconds last_arrival_{0};
  Nanoseconds last_given_{0};
};

}  // namespace ftlab
