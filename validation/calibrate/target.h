// What a fit makes agree: figures that were measured or published, and something that forecasts each of them for any drives.
// Two things do: points of a measurement, simulated for a moment on one saved state (point_targets.h), and rows of the
// scoreboard, whose runs are carried out whole (board_prediction.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// Documents of the drives that are fitted together, in the order in which they were named.
using DriveSet = std::vector<Node>;

struct Target {
  std::string kind;          // of figure, for the table of errors: iops, p99, figure ...
  double measured = 0;       // or published; not 0
  double tolerance = 0.02;   // one standard deviation that is hoped for, as a share of the figure
  bool held_back = false;    // tests the fit, and takes no part in it
  std::size_t together = 0;  // figures of one number tell much the same: all of them count as one
  std::size_t side = 0;      // below kTargetSides: reads and writes scatter differently
  // The noise of simulated and measured together, in deviations of the simulated figure from seed to seed.
  double noise_factor = 1.4142135623730951;  // sqrt(2): as many requests measured as simulated
  std::string what;   // "randread 4k, depth 4, 1 job", for people
  std::string group;  // by which misfits are reported: "randread, 2 to 8 outstanding"

  // Two of its standard deviations: a figure further away than that is a misfit.
  double limit() const { return 2 * tolerance; }
};
inline constexpr std::size_t kTargetSides = 2;

class TargetPrediction {
 public:
  virtual ~TargetPrediction() = default;
  // For each set of drives, what each target comes out as. `other_seed` is added to the seed of all chance; with the same
  // one two forecasts differ by their drives alone. Throws ConfigError; Interrupted.
  virtual std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) = 0;
};

}  // namespace ftlab
