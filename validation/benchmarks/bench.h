// Benchmarks that are also tests: `make test` runs each at a small size so that none rots. The large size is for measuring.
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
  double asked = 0;      // target on one core of a server; 0: none
  bool at_most = false;  // `asked` is an upper limit, so smaller is better
  double limit = 0;      // bound set by this machine (memory, cores, disk), measured in the same run; 0: unknown
  bool compared = true;  // by --against; false for values that the code cannot change
};

// Rows that share a drive or an input.
struct BenchSection {
  std::string_view name;
  std::string_view about;
  std::function<std::vector<BenchRow>(bool small)> run;
};

// All sections, in the order in which they run. `small`: drives of 512 MiB instead of 64 GiB.
const std::vector<BenchSection>& bench_sections();

// --- the sections, one file each ---
std::vector<BenchRow> write_rows(bool small);       // drive_bench.cpp
std::vector<BenchRow> spare_rows(bool small);       //
std::vector<BenchRow> everything_rows(bool small);  //
std::vector<BenchRow> steady_rows(bool small);      // steady_bench.cpp
std::vector<BenchRow> size_rows(bool small);        // size_bench.cpp
std::vector<BenchRow> precondition_rows(bool small);  //
std::vector<BenchRow> state_rows(bool small);       //
std::vector<BenchRow> pair_rows(bool small);        // pair_bench.cpp
std::vector<BenchRow> workload_rows(bool small);    // workload_bench.cpp
std::vector<BenchRow> trace_rows(bool small);       // trace_bench.cpp

}  // namespace ftlab
