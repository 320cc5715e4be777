// Observations of measured points as targets of a fit.
#pragma once

#include "validation/calibrate/observation.h"
#include "validation/calibrate/prediction.h"
#include "validation/calibrate/target.h"

namespace ftlab {

// One for each observation, simulated with so many requests. Reads are one side, all others the other.
std::vector<Target> targets_of(const std::vector<Observation>& observations, const std::vector<Point>& points,
                               std::uint64_t simulated_requests);

// What was measured of one drive, and what forecasts it. REQUIRES: both outlive it; observations of the forecast's points.
struct MeasuredDrive {
  const Prediction* prediction = nullptr;
  const std::vector<Observation>* observations = nullptr;
};

// Of several drives their targets follow one another.
class PointTargets final : public TargetPrediction {
 public:
  PointTargets(const Prediction& prediction, const std::vector<Observation>& observations)
      : drives_{{&prediction, &observations}} {}
  explicit PointTargets(std::vector<MeasuredDrive> drives) : drives_(std::move(drives)) {}

  // REQUIRES: sets of as many drives, in their order.
  std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) override;

 private:
  std::vector<MeasuredDrive> drives_;
};

}  // namespace ftlab
