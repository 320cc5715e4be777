// Measurements from any source: points (one workload with its rates and latencies) and curves over time. Results of ftlab
// (simulated or measured), fio's own JSON and logs, and figure files (validation/measured) are all read into this form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/workload/jobs/job.h"
#include "validation/compare/reading/json_field.h"

namespace ftlab {

// Limits of plausible measurements. Files that exceed them are broken or hostile.
inline constexpr std::uint64_t kMostInputBytes = 256ull << 20;  // per file
inline constexpr std::size_t kMostFiles = 10'000;               // per folder
inline constexpr std::uint64_t kMostBytes = 1ull << 60;         // device capacity
inline constexpr double kMostCount = 1e18;                      // requests, bytes, milliseconds: fits 64 bits
inline constexpr double kMostIops = 1e10;
inline constexpr double kMostBytesPerS = 1e14;
inline constexpr double kMostLatencyNs = 1e15;  // twelve days
inline constexpr double kMostSeconds = 3.2e8;   // ten years
inline constexpr std::uint64_t kMostDepth = 1u << 20;
inline constexpr std::uint64_t kMostJobs = 1u << 16;
inline constexpr std::uint64_t kMostBlockBytes = 1ull << 40;

// Facts about a run of ftlab other than speeds: comparability of two runs, and differences between two designs.
struct RunFacts {
  bool simulated = false;
  bool untimed = false;
  std::string ended_because;         // incomplete runs only
  std::string drive;                 // the resolved drive file of a simulation, as JSON; empty: unknown
  std::string host;                  // name of the simulated host; empty: unknown
  std::uint64_t capacity_bytes = 0;  // device capacity; 0: unknown
  // Entries of ftlab.problems.
  struct Problem {
    std::string code, text, remedy;
  };
  std::vector<Problem> problems;

  // Flash only. Absent if not reported or nothing was written.
  struct WriteAmplification {
    double whole_run = 0;
    std::optional<double> at_end;
    bool steady = false;
    std::string why_not_steady;
  };
  std::optional<WriteAmplification> wa;
  std::optional<double> erases_per_block;  // mean, since the drive was new
  std::optional<double> blocks_erased;     // by the run
  std::optional<double> tbw_bytes;

  // Bounds in which a real drive's figures lie in a share `level` of cases (ftlab run --interval).
  struct Intervals {
    struct Bounds {
      std::string job, direction, figure;  // figure: the key in result.json, as clat_mean_ns
      double low = 0, high = 0;
    };
    std::string known;
    double level = 0;
    std::vector<Bounds> bounds;
  };
  std::optional<Intervals> intervals;
};

// Reads the object `ftlab` of a result.json. Throws ConfigError for values of another type.
RunFacts read_run_facts(const JsonField& ftlab);

// Workload properties that affect speed. Points of two measurements are compared if workload and direction are equal.
struct Workload {
  std::string rw;                  // fio's shortest name: "randread", "rw", "write:8k"
  std::uint64_t read_percent = 0;  // rw and randrw only; otherwise 0
  std::uint64_t block_bytes = 0;   // 0: sizes vary, see block_sizes
  std::string block_sizes;         // as in the job; empty if all are block_bytes
  std::uint64_t depth = 1;         // per job; 1 with an engine that sends one request at a time
  std::uint64_t jobs = 1;

  auto operator<=>(const Workload&) const = default;
};

// "randread 4k, depth 32, 1 job", with the mix if there is one.
std::string name_of(const Workload& workload);
const char* name_of(Direction direction);

// Latency at or below which `percent` of the requests lie.
struct Percentile {
  double percent = 0;
  double ns = 0;
};
// The percentage of a percentile; nullopt unless it is above 0 and up to 100.
std::optional<double> percent_in(std::string_view digits);

// One direction of one workload. Values that were not measured or not reported are absent, never 0.
struct Point {
  Workload workload;
  Direction direction = Direction::read;
  std::string label;      // the job's name, after the step's folder in a procedure; empty in figure files
  double duration_s = 0;  // 0: unknown
  std::optional<double> iops;
  std::optional<double> bytes_per_s;
  std::optional<double> latency_mean_ns;  // completion latency, fio's clat: from the end of the submission
  std::vector<Percentile> percentiles;    // completion latency, ascending
  std::string file;                       // source file
  std::size_t line = 0;

  std::optional<double> percentile_ns(double percent) const;
};

enum class Quantity : std::uint8_t { iops, bytes_per_s, latency_mean_ns };
const char* name_of(Quantity quantity);

// Means over intervals of time. Intervals never overlap and may leave gaps without data.
struct TimeCurve {
  struct Interval {
    double begin_s = 0, end_s = 0;  // from the start of the run, or of the job that the log is of
    double value = 0;               // in the unit of the quantity
  };
  Quantity quantity = Quantity::iops;
  Direction direction = Direction::read;
  std::string label;  // the job's, as in points; empty for all jobs of the run together
  std::vector<Interval> intervals;
  std::string file;
};

struct Measurement {
  std::string name;                  // path
  std::string what;                  // the device, if known
  std::string source;                // figures only
  std::uint64_t capacity_bytes = 0;  // device capacity; 0: unknown
  std::optional<RunFacts> facts;     // one run of ftlab only
  bool buffered = false;             // a real device was measured through the page cache
  std::vector<Point> points;
  std::vector<TimeCurve> curves;
  std::vector<std::string> notes;  // omitted input, one sentence each
};

// Reads `path`:
//   a file    fio's JSON (json or json+; fio's notes before it are skipped), a figure file, a fio log or a series.csv
//   a folder  a result (result.json, its steps' folders, series.csv and fio's logs), or any folder with at least one of
//             those files; other files in it are named in `notes`
// Throws ConfigError with file, line, key and allowed values. Hostile input is refused.
Measurement read_measurement(const std::string& path);
// Like read_measurement(), but takes the text of fio's JSON or of a figure file. Messages show `path`.
Measurement measurement_in(std::string text, const std::string& path);

}  // namespace ftlab
