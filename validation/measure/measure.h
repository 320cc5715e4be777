// One measurement from the command line to its result: inspects the target, works out the plan, asks the guard, then
// executes the plan.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "validation/measure/device/engine.h"
#include "validation/measure/plan.h"

namespace ftlab {

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
