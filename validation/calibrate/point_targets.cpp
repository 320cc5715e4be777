#include "validation/calibrate/point_targets.h"

#include <cmath>

#include "sim/core/check.h"

namespace ftlab {
namespace {

// One at a time, as many as a drive takes, or more than that.
std::string group_of(const Point& point) {
  const std::uint64_t outstanding = point.workload.depth * point.workload.jobs;
  const char* const how_many = outstanding == 1    ? "1 outstanding"
                               : outstanding <= 8  ? "2 to 8 outstanding"
                               : outstanding <= 32 ? "9 to 32 outstanding"
                                                   : "more than 32 outstanding";
  const bool mixed = point.workload.read_percent > 0;
  return point.workload.rw + (mixed ? std::string(" (") + name_of(point.direction) + "s)" : "") + ", " + how_many;
}

// The variance of a figure falls with the number of requests behind it, measured and simulated. Where the measurement does
// not say how long it took, as many are taken to have been measured as simulated.
double noise_factor(const Point& point, std::uint64_t simulated) {
  const double measured = *point.iops * point.duration_s;
  return std::sqrt(1 + (measured > 0 ? static_cast<double>(simulated) / measured : 1));
}

}  // namespace

std::vector<Target> targets_of(const std::vector<Observation>& observations, const std::vector<Point>& points,
                               std::uint64_t simulated_requests) {
  std::vector<Target> targets;
  for (const Observation& observation : observations) {
    const Point& point = points.at(observation.point);
    const std::size_t side = point.direction != Direction::read;
    targets.push_back({observation.figure.name(), observation.measured, observation.figure.tolerance(),
                       observation.held_back, observation.point, side, noise_factor(point, simulated_requests),
                       name_of(point.workload), group_of(point)});
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
