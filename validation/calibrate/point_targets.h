// Observations of measured points as targets of a fit.
#pragma once

#include "validation/calibrate/observation.h"
#include "validation/calibrate/prediction.h"
#include "validation/calibrate/target.h"

namespace ftlab {

// One for each observation, simulated with so many requests. Reads are one side, all others the other.
std::vector<Target> targets_of(const std::vector<Observation>& observations, const std::vector<Point>& points,
                               std::uint64_t simulated_requests);

class PointTargets final : public TargetPrediction {
 public:
  // REQUIRES: both outlive it; observations of the forecast's points.
  PointTargets(const Prediction& prediction, const std::vector<Observation>& observations)
      : prediction_(prediction), observations_(observations) {}

  // REQUIRES: sets of one drive.
  std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) override;

 private:
  const Prediction& prediction_;
  const std::vector<Observation>& observations_;
};

}  // namespace ftlab
