// Reads a log of fio (write_iolog) as the requests of a job, line by line: scales and aligns offsets and places them on the
// drive.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/request.h"
#include "sim/traces/trace.h"
#include "sim/workload/jobs/replay_rules.h"

namespace ftlab {

// Totals of a log without the skipped types.
struct IologSummary {
  std::array<std::uint64_t, kOpCount> requests{};  // by Op
  std::uint64_t skipped = 0;
  std::uint64_t bytes = 0;
  std::uint64_t out_of_order = 0;
  Nanoseconds last{0};
  std::uint64_t all() const { return requests[0] + requests[1] + requests[2] + requests[3]; }
};

class Iolog {
 public:
  struct Entry {
    Nanoseconds at{0};  // from the start of the job; always 0 without recorded times
    Op op = Op::read;
    std::uint64_t offset_bytes = 0;  // on the drive
    std::uint64_t length_bytes = 0;  // 0 for a flush
  };

  // Throws ConfigError if the file cannot be read. REQUIRES: `rules` outlives the log.
  explicit Iolog(const ReplayRules& rules);

  // False at the end. Throws ConfigError, naming the line.
  bool next(Entry& entry);

  std::uint64_t skipped() const { return skipped_; }
  std::uint64_t out_of_order() const { return trace_.counts().out_of_order; }

 private:
  void place(const TraceRecord& record, Entry& entry);
  const ReplayFile& file_of(const TraceRecord& record);
  ReplayFile file_named(const std::string& name, std::uint64_t line) const;
  Nanoseconds time_of(const TraceRecord& record) const;

  const ReplayRules& rules_;
  Trace trace_;
  std::vector<ReplayFile> files_;  // by the trace's volume number
  std::uint64_t skipped_ = 0;
};

// Returns 2 or 3. Throws ConfigError for a file that fio did not write, with a hint at the command that reads it.
std::uint64_t iolog_version(const std::string& path);

// Reads the whole log, so finds every fault in it. Throws ConfigError; also if nothing is left to replay.
IologSummary summarise_iolog(const ReplayRules& rules);

}  // namespace ftlab
