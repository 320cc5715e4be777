// Compares two builds of the benchmarks.
#pragma once

#include <string>
#include <vector>

#include "validation/benchmarks/bench.h"

namespace ftlab {

struct BuildComparison {
  std::string name;
  double here = 0, there = 0;  // medians
  double speed = 0;            // this build's over the other's; above 1: faster
  bool slower = false;         // by more than most_lost
};

struct AgainstOptions {
  std::string other;                  // benchmark program of the other build
  std::vector<std::string> sections;  // empty: all
  bool small = false;
  unsigned pairs = 5;       // runs of each program, alternating
  double most_lost = 0.05;  // largest accepted loss of speed, as a share
};

// Runs both programs alternately and compares, row by row, the median of the ratios of neighbouring runs: a disturbance that
// outlasts a run affects both. Throws std::runtime_error if a program fails or they have no row in common.
std::vector<BuildComparison> compare_builds(const std::string& own, const AgainstOptions& options);

}  // namespace ftlab
