// Two builds of the benchmarks held against each other.
#pragma once

#include <string>
#include <vector>

#include "validation/benchmarks/bench.h"

namespace ftlab {

struct BuildComparison {
  std::string name;
  double here = 0, there = 0;  // medians
  double speed = 0;            // of this build over the other's; above 1: faster
  bool slower = false;         // by more than was allowed
};

struct AgainstOptions {
  std::string other;                  // program of the other build
  std::vector<std::string> sections;  // empty: all
  bool small = false;
  unsigned pairs = 5;       // so often each, in turn
  double most_lost = 0.05;  // of the speed
};

// Runs both programs in turn and compares, row by row, the median of the ratios of neighbouring runs: what disturbs a
// machine for longer than a run disturbs both. Throws std::runtime_error when a program does not run or they have no row in
// common.
std::vector<BuildComparison> compare_builds(const std::string& own, const AgainstOptions& options);

}  // namespace ftlab
