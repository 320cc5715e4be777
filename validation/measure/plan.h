// What a measurement is going to do, worked out before anything starts: for the permit, and for the user.
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
  std::vector<std::string> variables;  // of a procedure: NAME=VALUE
};

struct Plan {
  std::optional<JobFile> jobs;  // one of the two
  std::optional<Procedure> procedure;
  std::string text_of_work;  // of the job file as it is, of a procedure resolved
  JobContext context;        // of the procedure's job files
  IoFootprint footprint;     // of a procedure: when its rounds take as long as they may

  // What of the device is read without having been written from end to end before.
  std::vector<ByteRange> reads(const ByteRange& range) const;
  // REQUIRES of the range: as of the permit.
  Intent intent(const ByteRange& range, std::uint64_t guard_bytes) const;
  nlohmann::ordered_json json() const;  // for the record
  // For the user: what is read, written and trimmed in how much time, and how many times over the range is written.
  std::string text(const ByteRange& range) const;
};

// Reads the file for a device that shows `capacity_bytes`. Throws ConfigError.
Plan make_plan(const PlanRequest& request, std::uint64_t capacity_bytes);

}  // namespace ftlab
