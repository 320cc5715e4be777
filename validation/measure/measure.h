// One measurement from the command line to its result: look at the target, work out what would be done to it, ask the guard,
// then do it.
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
  bool keep = false;    // it stays, though no job writes to it
  std::uint64_t offset_bytes = 0;
  std::optional<std::uint64_t> size_bytes;  // what is measured, from offset_bytes; nothing: up to the end
  std::uint64_t seed = 1;
  EngineKind engine = EngineKind::best;
  std::string state;                   // a new file, on another device, that keeps what the drive has promised; empty: none
  std::uint64_t patience_s = 60;       // after which a request is late
  std::optional<std::string> destroy;  // the serial number as typed
  bool allow_discard = false;
  bool dry_run = false;
  bool json = false;
};

// Holds the device against a state file of an earlier measurement, after a power cut or a crash: reads it and nothing more.
// Returns the exit status. Throws as measure().
int check_promises(const std::string& state, const std::string& device);

// Returns the exit status; `leave` ends it early, with what is in flight waited for. Throws ConfigError, TargetError,
// EngineError, OutputError.
int measure(const MeasureOptions& options, std::atomic<bool>& leave);

}  // namespace ftlab
