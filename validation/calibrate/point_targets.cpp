#include "validation/calibrate/point_targets.h"

#include "sim/core/check.h"

namespace ftlab {

std::vector<Target> targets_of(const std::vector<Observation>& observations, const std::vector<Point>& points) {
  std::vector<Target> targets;
  for (const Observation& observation : observations) {
    const std::size_t side = points.at(observation.point).direction != Direction::read;
    targets.push_back({observation.figure.name(), observation.measured, observation.figure.tolerance(),
                       observation.held_back, observation.point, side});
  }
  return targets;
}

std::vector<std::vector<double>> PointTargets::of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) {
  std::vector<Node> single;
  for (const DriveSet& set : drives) {
    FTLAB_CHECK(set.size() == 1, "points are of one drive");
    single.push_back(set.front());
  }
  std::vector<std::vector<double>> all;
  for (const std::vector<PredictedFigures>& figures : prediction_.of(single, prediction_.seed() + other_seed)) {
    std::vector<double>& values = all.emplace_back();
    for (const Observation& o : observations_)
      values.push_back(simulated(o, prediction_.points()[o.point], figures[o.point]));
  }
  return all;
}

}  // namespace ftlab
