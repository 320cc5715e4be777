// Targets of a fit: measured or published figures, and an interface that forecasts them for any drives. Implementations:
// points of a measurement, simulated briefly on one saved state (point_targets.h), and rows of the scoreboard, whose runs
// are executed completely (board_prediction.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// Documents of the drives that are fitted together, in the order in which they were named.
using DriveSet = std::vector<Node>;

struct Target {
  std::string kind;          // kind of figure in the error table, like iops or p99
  double measured = 0;       // or published; not 0
  double tolerance = 0.02;   // expected standard deviation, as a share of the figure
  bool held_back = false;    // tests the fit, not fitted
  std::size_t together = 0;  // figures with the same number are related and together count as one
  std::size_t side = 0;      // below kTargetSides: reads and writes scatter differently
  // Noise of the simulated and measured figure together, in seed-to-seed deviations of the simulated one.
  double noise_factor = 1.4142135623730951;  // sqrt(2): as many requests measured as simulated
  std::string what;                          // for people: "randread 4k, depth 4, 1 job"
  std::string group;                         // group in misfit reports: "randread, 2 to 8 outstanding"
  // Standard deviation of rounding, as a share of the figure: percentiles are known to a step of a histogram.
  double rounding = 0;
  bool saturated = false;  // on the plateau of its workload's rate (saturated()); rows of the scoreboard never are

  // Two standard deviations: a larger error is a misfit.
  double limit() const { return 2 * tolerance; }
};
inline constexpr std::size_t kTargetSides = 2;

class TargetPrediction {
 public:
  virtual ~TargetPrediction() = default;
  // Forecasts every target for each set of drives. `other_seed` is added to every random seed; with the same value, two
  // forecasts differ only by their drives. Throws ConfigError; throws Interrupted.
  virtual std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) = 0;
};

}  // namespace ftlab
