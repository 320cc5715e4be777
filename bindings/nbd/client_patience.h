// How long simulated time pauses for clients with --time free: until answered clients have sent their next requests, and
// until a group of requests that arrive together is complete. Learnt from arrivals; at most 200 us and 20 us of wall time.
#pragma once

#include <algorithm>

#include "sim/core/types.h"

namespace ftlab {

class ClientPatience {
 public:
  struct Wait {
    std::size_t requests = 1;  // number of arrivals that end the wait
    Nanoseconds until{0};      // wall time; 0: do not wait
    bool for_answered = false;
  };
  // Wait until all answered clients except `enough` have sent their next request, or until a group is complete.
  // REQUIRES: requests are outstanding.
  Wait next_wait(std::size_t enough) const {
    if (awaited_ > enough) return {awaited_ - enough, last_given_ + patience_, true};
    return in_groups_ ? Wait{1, last_arrival_ + kGroup, false} : Wait{};
  }
  // The wait timed out after only `requests` arrivals, so the other clients are assumed to think longer.
  void waited_in_vain(const Wait& wait, std::size_t requests) {
    if (!wait.for_answered)
      in_groups_ = false;
    else if (requests == 0)
      patience_ = std::max(patience_ / 2, kLeast);
    awaited_ = requests;
  }

  void arrived(std::size_t requests, Nanoseconds first, Nanoseconds last) {
    if (requests > awaited_ && first < last_arrival_ + kGroup) in_groups_ = true;  // without being awaited
    if (awaited_ > 0) patience_ = kMost;
    awaited_ -= std::min(awaited_, requests);
    last_arrival_ = last;
  }
  void answered(std::size_t requests, Nanoseconds at) {
    awaited_ += requests;
    if (requests > 0) last_given_ = at;
  }
  void await_nobody() { awaited_ = 0; }

  // Number of answers whose clients have not sent their next request.
  std::size_t awaited() const { return awaited_; }
  // True if requests arrive in groups.
  bool in_groups() const { return in_groups_; }

 private:
  static constexpr Nanoseconds kMost{200'000}, kLeast{20'000};
  static constexpr Nanoseconds kGroup{20'000};  // requests closer together than this belong to one group

  std::size_t awaited_ = 0;
  Nanoseconds patience_ = kMost;
  bool in_groups_ = true;
  Nanoseconds last_arrival_{0};
  Nanoseconds last_given_{0};
};

}  // namespace ftlab
