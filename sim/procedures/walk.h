// Goes through the steps of a procedure in order: loops of `repeat` unrolled, variables bound, job files read. Who walks
// says what to do with each step that is reached: rehearse it, or carry it out.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/procedures/procedure.h"
#include "sim/workload/files/job_file.h"

namespace ftlab {

// Of all variables that have one value where the step stands, in the order of the procedure; last `replicate`.
using Values = std::vector<std::pair<std::string, std::string>>;

// One step, reached: every number known.
struct Action {
  const Step* step = nullptr;
  std::size_t number = 0;  // of all steps that were reached, from 1
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
  // A round has ended; whether another one follows.
  virtual bool another_round() = 0;
};

// `jobs`: the capacity, the environment below the procedure's own variables, files as seen from the procedure's folder, and
// overrides. Throws ConfigError.
void walk(const Procedure& procedure, const JobContext& jobs, Performer& performer);

}  // namespace ftlab
