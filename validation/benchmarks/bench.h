// Benchmarks that are also tests: `make test` runs each at a small size so that none rots. The large size is for measuring.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// Stopwatches for benchmarks.

// CPU seconds of this process since construction. Other users of the machine disturb it less than wall-clock time.
class CpuWatch {
 public:
  double seconds() const { return now() - began_; }

 private:
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }
  double began_ = now();
};

// Wall-clock seconds, for work that waits for a disk or runs in several processes.
class WallWatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

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
std::vector<BenchRow> pair_rows(bool small);        // drive_bench.cpp
std::vector<BenchRow> workload_rows(bool small);    // workload_bench.cpp
std::vector<BenchRow> trace_rows(bool small);       // trace_bench.cpp

}  // namespace ftlab
