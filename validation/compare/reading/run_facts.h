// Facts about a run of ftlab other than speeds: comparability of two runs, and differences between two designs.
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
  std::string ended_because;         // incomplete runs only
  std::string drive;                 // the resolved drive file of a simulation, as JSON; empty: unknown
  std::string host;                  // name of the simulated host; empty: unknown
  std::uint64_t capacity_bytes = 0;  // device capacity; 0: unknown
  // Entries of ftlab.problems.
  struct Problem {
    std::string code, text, remedy;
  };
  std::vector<Problem> problems;

  // Flash only. Absent if not reported or nothing was written.
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

  // Bounds in which a real drive's figures lie in a share `level` of cases (ftlab run --interval).
  struct Intervals {
    struct Bounds {
      std::string job, direction, figure;  // figure: the key in result.json, as clat_mean_ns
      double low = 0, high = 0;
    };
    std::string known;
    double level = 0;
    std::vector<Bounds> bounds;
  };
  std::optional<Intervals> intervals;
};

// Reads the object `ftlab` of a result.json. Throws ConfigError for values of another type.
RunFacts read_run_facts(const JsonField& ftlab);

}  // namespace ftlab
