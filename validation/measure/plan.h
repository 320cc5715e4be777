// Plan of a measurement, worked out before anything starts: for the permit, and for the user.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/procedures/procedure.h"
#include "sim/workload/files/job_file.h"
#include "validation/measure/target/guard.h"
#include "validation/measure/target/io_footprint.h"
#include "validation/run/job_input.h"

namespace ftlab {

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

}  // namespace ftlab
