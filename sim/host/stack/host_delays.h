// Delays of completions in the host's software: a CPU sleeps and must wake up, its clock is low, another thread is in the
// way. Frequency and length of the delays are given as classes, measured or fitted; each completion draws its own.
//
// Neighbouring completions may be delayed together, since the CPU clock and other load change slowly. Then a completion's
// rank among all delays, the lowest of which is none, is that of sqrt(r) s + sqrt(1 - r) e, where e is a normal number of
// its own and s that of the host, an Ornstein-Uhlenbeck process of variance 1 (a Gaussian copula: Nelsen, "An Introduction
// to Copulas", 2nd edition, 2006). The shares of the classes do not depend on r, the share of the ranks' variance that comes
// from the host and not from the completion.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/core/types.h"

namespace ftlab {

// This many completions per million are delayed by a time between least and most, uniformly distributed.
struct HostDelay {
  std::uint32_t per_million = 0;
  Nanoseconds least{0}, most{0};
};

struct DelayCorrelation {
  std::uint32_t permille = 0;  // r; 0: delays are independent
  Nanoseconds wander_over{0};  // time in which the host's part decays to 1/e. REQUIRES: above 0 if r is
};

class HostDelays {
 public:
  // REQUIRES: the classes sum to at most a million; with `together`, each class begins at or after the end of the previous
  // one.
  HostDelays(std::vector<HostDelay> classes, const DelayCorrelation& together, std::uint64_t seed)
      : classes_(std::move(classes)), together_(together), random_(seed, "host delays") {}

  // Delay of a completion that the device returns at `now`.
  Nanoseconds draw(Nanoseconds now);

 private:
  Nanoseconds draw_alone();
  void wander(Nanoseconds now);
  Nanoseconds at_rank(double of_million) const;
  double normal();

  std::vector<HostDelay> classes_;
  DelayCorrelation together_;
  RandomStream random_;
  std::optional<double> host_;  // s (see above)
  Nanoseconds host_at_{0};
};

}  // namespace ftlab
