// One measurement from the command line to its result: inspects the target, works out the plan, asks the guard, then
// executes the plan.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/procedures/procedure.h"
#include "sim/workload/files/job_file.h"
#include "validation/measure/device/engine.h"
#include "validation/measure/target/guard.h"
#include "validation/measure/target/io_footprint.h"
#include "validation/run/job_input.h"

namespace ftlab {

// Plan of a measurement, worked out before anything starts: for the permit, and for the user.

struct PlanRequest {
  std::string file;  // a job file, or a procedure (.json)
  JobArguments jobs;
  std::vector<std::string> variables;  // procedures only: NAME=VALUE
};

struct Plan {
  std::optional<JobFile> jobs;  // either jobs or a procedure
  std::optional<Procedure> procedure;
  std::string text_of_work;  // job file as it is, or procedure resolved
  JobContext context;        // for the procedure's job files
  IoFootprint footprint;     // procedures: with as many rounds as allowed

  // Ranges of the device that are read without having been fully written before.
  std::vector<ByteRange> reads(const ByteRange& range) const;
  // REQUIRES: `range` is that of the permit.
  Intent intent(const ByteRange& range, std::uint64_t guard_bytes) const;
  nlohmann::ordered_json json() const;  // for the record
  // For the user: bytes read, written and trimmed, the time this takes, and how many times the range is written.
  std::string text(const ByteRange& range) const;
};

// Reads the file for a device of `capacity_bytes`. Throws ConfigError.
Plan make_plan(const PlanRequest& request, std::uint64_t capacity_bytes);

struct MeasureOptions {
  PlanRequest work;
  std::string device;  // a block device or a file
  std::string out;
  bool create = false;  // the device is a new file of `size_bytes`
  bool keep = false;    // the file is kept even if no job writes to it
  std::uint64_t offset_bytes = 0;
  std::optional<std::uint64_t> size_bytes;  // measured from offset_bytes on; none: up to the end
  std::uint64_t seed = 1;
  EngineKind engine = EngineKind::best;
  std::string state;                   // new file, on another device, that records what the drive has promised; empty: none
  std::uint64_t patience_s = 60;       // after which a request is late
  std::optional<std::string> destroy;  // serial number as typed
  bool allow_discard = false;
  bool dry_run = false;
  bool json = false;
};

// Checks the device against a state file of an earlier measurement, after a power cut or a crash. Only reads. Returns the
// exit status. Throws like measure().
int check_promises(const std::string& state, const std::string& device);

// Returns the exit status. `leave` ends it early, after the requests in flight. Throws ConfigError, TargetError,
// EngineError, OutputError.
int measure(const MeasureOptions& options, std::atomic<bool>& leave);

}  // namespace ftlab
