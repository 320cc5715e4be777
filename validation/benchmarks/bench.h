// Benchmarks that are also tests: each has a small size, run in `make test` so that none rots, and a large one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ftlab {

struct BenchRow {
  std::string name;
  double value = 0;
  std::string unit;
  double floor = 0;      // what is asked for on one core of a server; 0: nothing
  bool at_most = false;  // the floor is a ceiling
};

// All rows, each measured once. `small` takes a drive of 512 MiB instead of 64 GiB.
std::vector<BenchRow> run_benchmarks(bool small);

}  // namespace ftlab
