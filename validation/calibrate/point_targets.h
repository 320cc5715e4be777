// Observations of measured points as targets of a fit.
#pragma once

#include "validation/calibrate/observation.h"
#include "validation/calibrate/prediction.h"
#include "validation/calibrate/target.h"

namespace ftlab {

// One target for each observation, simulated with this many requests. Reads are one side, everything else the other.
// Percentiles that are nearly equal share one error of rounding.
std::vector<Target> targets_of(const std::vector<Observation>& observations, const std::vector<Point>& points,
                               std::uint64_t simulated_requests);

// A drive's observations and its prediction. REQUIRES: both outlive this; the observations are of the prediction's points.
struct MeasuredDrive {
  const Prediction* prediction = nullptr;
  const std::vector<Observation>* observations = nullptr;
};

// Targets of all observations, drive by drive.
std::vector<Target> targets_of(const std::vector<MeasuredDrive>& drives, std::uint64_t simulated_requests);

// Predicts these targets, for one or several drives.
class PointTargets final : public TargetPrediction {
 public:
  PointTargets(const Prediction& prediction, const std::vector<Observation>& observations)
      : drives_{{&prediction, &observations}} {}
  explicit PointTargets(std::vector<MeasuredDrive> drives) : drives_(std::move(drives)) {}

  // REQUIRES: each set has one drive for each measured drive, in the same order.
  std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) override;

 private:
  std::vector<MeasuredDrive> drives_;
};

}  // namespace ftlab
