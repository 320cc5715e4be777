// What was measured, wherever it comes from: points (one workload, its rates and latencies) and curves over time. A result
// of ftlab, simulated or by the instrument, fio's own JSON and logs, and figure files (validation/measured) all become this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/workload/jobs/job.h"
#include "validation/compare/reading/run_facts.h"

namespace ftlab {

// What was asked of the device, as far as speed depends on it. Points of two measurements with equal workloads and
// directions are held against each other.
struct Workload {
  std::string rw;                  // fio's name, the shortest of its synonyms: "randread", "rw", "write:8k"
  std::uint64_t read_percent = 0;  // of rw and randrw; 0 of all others
  std::uint64_t block_bytes = 0;   // 0: the sizes vary, and block_sizes says how
  std::string block_sizes;         // as the job says it; empty when all are of block_bytes
  std::uint64_t depth = 1;         // of each job; 1 with an engine that sends one request at a time
  std::uint64_t jobs = 1;

  auto operator<=>(const Workload&) const = default;
};

// "randread 4k, depth 32, 1 job"; the mix where there is one.
std::string name_of(const Workload& workload);
const char* name_of(Direction direction);

// A latency at or below which `percent` of the requests lay.
struct Percentile {
  double percent = 0;
  double ns = 0;
};

// One direction of one workload. What was not measured, or not told, is absent, never 0.
struct Point {
  Workload workload;
  Direction direction = Direction::read;
  std::string label;      // the job's name, with the step's folder in a procedure; empty in figure files
  double duration_s = 0;  // 0: not told
  std::optional<double> iops;
  std::optional<double> bytes_per_s;
  std::optional<double> latency_mean_ns;  // completion latency, fio's clat: from when the submission returned
  std::vector<Percentile> percentiles;    // of the same, ascending
  std::string file;                       // where it was read
  std::size_t line = 0;

  std::optional<double> percentile_ns(double percent) const;
};

enum class Quantity : std::uint8_t { iops, bytes_per_s, latency_mean_ns };
const char* name_of(Quantity quantity);

// A mean of each interval of time. Intervals may leave gaps, of which nothing is known, and never overlap.
struct TimeCurve {
  struct Interval {
    double begin_s = 0, end_s = 0;  // from the start of the run, or of the job whose log it is
    double value = 0;               // in the unit of the quantity
  };
  Quantity quantity = Quantity::iops;
  Direction direction = Direction::read;
  std::string label;  // the job's, as of points; empty for all jobs of the run together
  std::vector<Interval> intervals;
  std::string file;
};

struct Measurement {
  std::string name;                  // the path it was read from
  std::string what;                  // the device, as far as it is told
  std::string source;                // of figures; empty otherwise
  std::uint64_t capacity_bytes = 0;  // of the device; 0: unknown
  std::optional<RunFacts> facts;     // of one run of ftlab
  bool buffered = false;             // a real device was measured through the page cache
  std::vector<Point> points;
  std::vector<TimeCurve> curves;
  std::vector<std::string> notes;  // what was found and left out, one sentence each
};

// Reads `path`:
//   a file    fio's JSON (json or json+; lines of fio's before it are skipped), a figure file, a fio log or a series.csv
//   a folder  a result (result.json, its steps' folders, series.csv and fio's logs), or any folder with at least one of
//             those files; other files in it are named in `notes`
// Throws ConfigError: file, line, key, what is allowed. REQUIRES nothing of the input; hostile input is refused.
Measurement read_measurement(const std::string& path);
// Of the text of fio's JSON or of a figure file; `path` is what messages call it.
Measurement measurement_in(std::string text, const std::string& path);

}  // namespace ftlab
