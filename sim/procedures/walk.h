// Walks through the steps of a procedure in order: unrolls `repeat`, binds variables, reads job files. The Performer decides
// whether a step that is reached is rehearsed or executed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/procedures/procedure.h"
#include "sim/workload/files/job_file.h"

namespace ftlab {

// All variables with a single value at this step, in the order of the procedure; `replicate` is last.
using Values = std::vector<std::pair<std::string, std::string>>;

// One step that was reached, with all numbers resolved.
struct Action {
  const Step* step = nullptr;
  std::size_t number = 0;  // among all steps that were reached, from 1
  std::size_t round = 0;   // from 1; 0: outside of rounds
  Values values;
  JobFile jobs;                                      // precondition, age, job
  std::optional<std::uint64_t> seed;                 // job
  Nanoseconds duration{0};                           // idle
  std::uint64_t offset_bytes = 0, length_bytes = 0;  // trim, purge by trim
  std::uint64_t random_bytes = 0, block_bytes = 0;   // age by counting
};

class Performer {
 public:
  virtual ~Performer() = default;
  virtual void act(const Action& action) = 0;
  virtual void begin_rounds(const Step& step, const Values& values) = 0;
  // Called at the end of a round; returns true if another one follows.
  virtual bool another_round() = 0;
};

// `jobs`: the capacity, the environment, which the procedure's variables override, files relative to the procedure's folder,
// and overrides. Throws ConfigError.
void walk(const Procedure& procedure, const JobContext& jobs, Performer& performer);

}  // namespace ftlab
