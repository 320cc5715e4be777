// Benchmarks that are also tests: each has a small size, run in `make test` so that none rots, and a large one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

struct BenchRow {
  std::string name;
  double value = 0;
  std::string unit;
  double asked = 0;      // on one core of a server; 0: nothing
  bool at_most = false;  // what is asked is a ceiling; so the smaller value is the better one
  double limit = 0;      // what the memory or the arithmetic of this machine allows, measured in the same run; 0: not told
  bool compared = true;  // between two builds: false for what the code cannot change
};

// Rows that belong together, because they share a drive or an input.
struct BenchSection {
  std::string_view name;
  std::string_view about;
  std::function<std::vector<BenchRow>(bool small)> run;
};

// All there are, in the order in which they are run. `small` takes drives of 512 MiB instead of 64 GiB.
const std::vector<BenchSection>& bench_sections();

// --- the sections; each is one file ---
std::vector<BenchRow> write_rows(bool small);       // drive_bench.cpp
std::vector<BenchRow> spare_rows(bool small);       //
std::vector<BenchRow> everything_rows(bool small);  //
std::vector<BenchRow> steady_rows(bool small);      // steady_bench.cpp
std::vector<BenchRow> size_rows(bool small);        // size_bench.cpp
std::vector<BenchRow> state_rows(bool small);       //
std::vector<BenchRow> pair_rows(bool small);        // pair_bench.cpp
std::vector<BenchRow> workload_rows(bool small);    // workload_bench.cpp
std::vector<BenchRow> trace_rows(bool small);       // trace_bench.cpp

}  // namespace ftlab
