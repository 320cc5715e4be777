// Block traces from the command line: which files are traces, how they are read, how they are replayed.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/host.h"
#include "sim/host/replay.h"

namespace CLI {
class App;
}

namespace ftlab {

class CutDevice;
class SimulatedDevice;

// The options as they were written; 0 and empty mean that one was not given.
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

  // The first that was given, as written on the command line; empty when none was.
  std::string any() const;
};

// How a trace is read: for every command that takes one.
void add_reading_options(CLI::App& command, TraceArguments& arguments);
// How it is replayed.
void add_replay_options(CLI::App& command, TraceArguments& arguments);

// A file is a trace when an option for traces is given, when it is compressed, or when its first lines fit a format of
// traces. One whose first line that is neither blank nor a comment begins a [section] is a job file, unless --trace-format
// is given.
bool is_trace(const std::string& path, const TraceArguments& arguments);

// Throws ConfigError for what the options say wrong.
TraceOptions trace_options(const std::string& path, const TraceArguments& arguments);
AddressPolicy address_policy(const TraceArguments& arguments);

// One trace, checked from end to end before simulated time starts, to be replayed on a drive.
class TraceRun {
 public:
  // Reads the whole file once. Throws ConfigError for everything that can be wrong with it.
  TraceRun(const std::string& path, const TraceArguments& arguments, std::uint64_t capacity_bytes, bool timed);
  TraceRun(const TraceRun&) = delete;
  TraceRun& operator=(const TraceRun&) = delete;

  // The trace as a job, for the report, and what the user should know. REQUIRES: this outlives the statistics of the run.
  const JobFile& jobs() const { return jobs_; }
  void note(const std::vector<Note>& notes) { jobs_.notes.insert(jobs_.notes.end(), notes.begin(), notes.end()); }
  // REQUIRES: `cuts`, where the trace says anything of power; what it did is in the report.
  RunStats run(Device& device, const HostOptions& host, CutDevice* cuts);
  // The first line that says something of power; 0: none does.
  std::uint64_t power_line() const { return summary_.power_line; }
  std::uint64_t request_count() const;  // of all loops
  // Of series.csv: a second, or more whole ones when the trace is so long that 10,000 intervals would not do.
  Nanoseconds series_interval() const;

  // Writes every page that the trace reads before it writes it, in order, without a clock. Returns a sentence about it, for
  // the notes of the result. Throws ConfigError for a disk, Interrupted. REQUIRES: no request outstanding.
  std::string prefill(SimulatedDevice& device, const std::atomic<bool>* interrupted) const;
  // Format, options, summary, and recorded beside simulated response times, for the result.
  nlohmann::ordered_json report(const RunStats& stats) const;
  std::vector<std::string> problems(const RunStats& stats) const;  // requests lost or made up; empty when all is well

 private:
  std::string path_;
  TraceOptions options_;
  ReplayOptions replay_;
  AddressPolicy policy_;
  std::uint64_t capacity_;
  TraceSummary summary_;
  AddressMap addresses_;
  JobFile jobs_;
  nlohmann::ordered_json power_cuts_;  // what they did in the last run
  std::uint64_t held_up_ = 0;          // requests, by them
};

}  // namespace ftlab
