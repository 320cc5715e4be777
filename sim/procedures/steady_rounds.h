// SNIA's rule for the steady state of rounds (Solid State Storage Performance Test Specification 2.0.2, 2020): over the last
// five rounds the tracked figure stays within 20 % of its average, and the line fitted to them by least squares rises or
// falls by no more than 10 % of that average. At most 25 rounds are tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ftlab {

struct SteadyRule {
  std::size_t window = 5;
  std::uint64_t range_percent = 20;  // largest minus smallest, of the average
  std::uint64_t slope_percent = 10;  // excursion of the fitted line over the window, of the average
  std::size_t most = 25;             // rounds
};

struct SteadyRounds {
  bool reached = false;
  std::size_t rounds = 0;       // so far
  std::size_t first_round = 0;  // of the window, counted from 1; 0: fewer rounds than the window has
  double average = 0;           // over the window
  double range = 0;
  double slope = 0;            // of the fitted line, a round
  double at_first_round = 0;   // the fitted line there
  double slope_excursion = 0;  // |slope| * (window - 1)
};

// Judges the last rounds. REQUIRES: window of 2 or more.
SteadyRounds judge_rounds(std::span<const double> rounds, const SteadyRule& rule);

}  // namespace ftlab
