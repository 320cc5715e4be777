// SNIA's rule for the steady state of rounds (Solid State Storage Performance Test Specification 2.0.2, 2020): over the last
// five rounds the range of the tracked figure is at most 20 % of its average, and the line fitted by least squares rises or
// falls by at most 10 % of that average. At most 25 rounds are run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ftlab {

struct SteadyRule {
  std::size_t window = 5;
  std::uint64_t range_percent = 20;  // largest minus smallest, relative to the average
  std::uint64_t slope_percent = 10;  // excursion of the fitted line over the window, relative to the average
  std::size_t most = 25;             // maximum number of rounds
};

struct SteadyRounds {
  bool reached = false;
  std::size_t rounds = 0;       // so far
  std::size_t first_round = 0;  // first round of the window, counted from 1; 0: fewer rounds than the window
  double average = 0;           // over the window
  double range = 0;
  double slope = 0;            // slope of the fitted line, per round
  double at_first_round = 0;   // value of the fitted line at first_round
  double slope_excursion = 0;  // |slope| * (window - 1)
};

// Judges the last rounds. REQUIRES: rule.window >= 2.
SteadyRounds judge_rounds(std::span<const double> rounds, const SteadyRule& rule);

}  // namespace ftlab
