// By how much completions are late in the host's software: a processor sleeps and has to wake, its clock is low, another
// thread is in the way. How often and how much is stated as classes, measured or fitted, and each completion draws for
// itself.
//
// Neighbours may be late together, since the clock or what else runs beside changes slowly: then a completion's rank among
// all delays, none the lowest, is that of sqrt(r) s + sqrt(1 - r) e, where e is a normal number of its own and s that of the
// host, which wanders as an Ornstein-Uhlenbeck process of variance 1 (a Gaussian copula: Nelsen, "An Introduction to
// Copulas", 2nd edition, 2006). The shares of the classes stay as stated, whatever r is; r is the share of the ranks'
// variance that is the host's and not the completion's.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/core/types.h"

namespace ftlab {

// So many completions of a million are between least and most late, all of these times equally likely.
struct HostDelay {
  std::uint32_t per_million = 0;
  Nanoseconds least{0}, most{0};
};

struct DelaysTogether {
  std::uint32_t permille = 0;  // r; 0: each by itself
  Nanoseconds wander_over{0};  // in which the host's part falls to 1/e of what it was. REQUIRES: above 0 where r is
};

class HostDelays {
 public:
  // REQUIRES: a million together, or fewer; with `together` each class begins where the one before it ends, or later.
  HostDelays(std::vector<HostDelay> classes, const DelaysTogether& together, std::uint64_t seed)
      : classes_(std::move(classes)), together_(together), random_(seed, "host delays") {}

  // Of a completion that the device returns at `now`.
  Nanoseconds draw(Nanoseconds now);

 private:
  Nanoseconds draw_alone();
  void wander(Nanoseconds now);
  Nanoseconds at_rank(double of_million) const;
  double normal();

  std::vector<HostDelay> classes_;
  DelaysTogether together_;
  RandomStream random_;
  std::optional<double> host_;  // s
  Nanoseconds host_at_{0};
};

}  // namespace ftlab
