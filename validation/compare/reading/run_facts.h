// What a result of ftlab says of its run beside speeds: what tells whether two runs may be held against each other, and how
// two designs differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validation/compare/reading/json_field.h"

namespace ftlab {

struct RunFacts {
  bool simulated = false;
  bool untimed = false;
  std::string ended_because;         // of a run that is not complete
  std::string drive;                 // the resolved drive file of a simulation, as JSON; empty: not told
  std::string host;                  // the name of the host that a simulation was made with; empty: not told
  std::uint64_t capacity_bytes = 0;  // of the device; 0: not told
  // Entries of ftlab.problems.
  struct Problem {
    std::string code, text, remedy;
  };
  std::vector<Problem> problems;

  // What only flash has. Absent where it was not told, or nothing was written.
  struct WriteAmplification {
    double whole_run = 0;
    std::optional<double> at_end;
    bool steady = false;
    std::string why_not_steady;
  };
  std::optional<WriteAmplification> wa;
  std::optional<double> erases_per_block;  // mean, since the drive was new
  std::optional<double> blocks_erased;     // by the run
  std::optional<double> tbw_bytes;
};

// `ftlab` of a result.json. Throws ConfigError for values of another kind.
RunFacts read_run_facts(const JsonField& ftlab);

}  // namespace ftlab
