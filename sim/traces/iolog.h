// A log of fio (write_iolog) as the sequence of a job: read line by line, its offsets scaled, aligned and placed on the
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

// What a log comes to once its types to skip are left out.
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
    Nanoseconds at{0};  // from the start of the job; 0 throughout without recorded times
    Op op = Op::read;
    std::uint64_t offset_bytes = 0;  // on the drive
    std::uint64_t length_bytes = 0;  // 0 of a flush
  };

  // Throws ConfigError when the file cannot be read. `rules` outlives the log.
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
  std::vector<ReplayFile> files_;  // by number of the trace's volume
  std::uint64_t skipped_ = 0;
};

// 2 or 3. Throws ConfigError for anything that is no log of fio, with a hint at what reads it.
std::uint64_t iolog_version(const std::string& path);

// Reads the whole log, which finds every fault in it. Throws ConfigError; also when nothing is left to replay.
IologSummary summarise_iolog(const ReplayRules& rules);

}  // namespace ftlab
