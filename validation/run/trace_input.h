// Block traces from the command line: recognition, reading options, replay options.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/host/replay.h"
#include "sim/stats/run_stats.h"
#include "sim/traces/trace_summary.h"

namespace CLI {
class App;
}

namespace ftlab {

class CutDevice;
class SimulatedDevice;

// Options as written; 0 or empty: not given.
struct TraceArguments {
  std::string format;
  std::string volume;
  std::string columns;
  std::string action;
  std::string order;
  bool round = false;
  bool skip_bad_lines = false;

  std::string address;
  std::uint64_t speed = 0;
  std::uint64_t depth = 0;
  std::uint64_t loops = 0;

  // The first given option, as written on the command line; empty if none was given.
  std::string any() const;
};

// Options for reading, used by every command that takes a trace.
void add_reading_options(CLI::App& command, TraceArguments& arguments);
// Options for replay.
void add_replay_options(CLI::App& command, TraceArguments& arguments);

// True if a trace option is given, the file is compressed, or its first lines match a trace format. False if its first line
// other than blanks and comments begins a [section], unless --trace-format is given.
bool is_trace(const std::string& path, const TraceArguments& arguments);

// Throws ConfigError for invalid options.
TraceOptions trace_options(const std::string& path, const TraceArguments& arguments);
AddressPolicy address_policy(const TraceArguments& arguments);

// A trace to replay on a drive, fully checked before simulated time starts.
class TraceRun {
 public:
  // Reads the whole file once. Throws ConfigError for any error in it.
  TraceRun(const std::string& path, const TraceArguments& arguments, std::uint64_t capacity_bytes, bool timed);
  TraceRun(const TraceRun&) = delete;
  TraceRun& operator=(const TraceRun&) = delete;

  // The trace as a job, used by the report, and notes to the user. REQUIRES: this outlives the statistics of the run.
  const JobFile& jobs() const { return jobs_; }
  bool only_reads() const { return summary_.counts.requests == summary_.requests[static_cast<std::size_t>(Op::read)]; }
  void note(const std::vector<Note>& notes) { jobs_.notes.insert(jobs_.notes.end(), notes.begin(), notes.end()); }
  // REQUIRES: `cuts` is set if the trace has power events; the report then contains their effect.
  RunStats run(Device& device, const HostOptions& host, CutDevice* cuts);
  // Line of the first power event; 0 if none.
  std::uint64_t power_line() const { return summary_.power_line; }
  std::uint64_t request_count() const;  // in all loops
  // Interval of series.csv: one second, or a larger whole number of seconds to keep it below 10,000 intervals.
  Nanoseconds series_interval() const;

  // Writes, in order and untimed, every page that the trace reads before writing it. Returns a note for the result. Throws
  // ConfigError for a disk, Interrupted. REQUIRES: no request outstanding.
  std::string prefill(SimulatedDevice& device, const std::atomic<bool>* interrupted) const;
  // For the result: format, options, summary, and recorded next to simulated response times.
  nlohmann::ordered_json report(const RunStats& stats) const;
  std::vector<std::string> problems(const RunStats& stats) const;  // lost or unexpected requests; empty if none

 private:
  std::string path_;
  TraceOptions options_;
  ReplayOptions replay_;
  AddressPolicy policy_;
  std::uint64_t capacity_;
  TraceSummary summary_;
  AddressMap addresses_;
  JobFile jobs_;
  nlohmann::ordered_json power_cuts_;  // effects in the last run
  std::uint64_t held_up_ = 0;          // requests delayed by power cuts
};

// Describes a trace as JSON and as text.

nlohmann::ordered_json trace_json(const TraceSummary& summary);
// By direction: recorded and simulated response times (null if untimed) and their difference. Empty if the trace records
// none. Both are from issue to completion, but of different requests if the trace records only some.
nlohmann::ordered_json response_times_json(const TraceSummary& summary, const RunStats& stats);
// A few lines.
std::string trace_text(const TraceSummary& summary);
// Notes for every user of the trace: lines skipped, order corrected, requests rounded.
std::vector<std::string> trace_notes(const TraceSummary& summary, const TraceOptions& options);

}  // namespace ftlab
