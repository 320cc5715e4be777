#include "validation/calibrate/point_targets.h"

#include <algorithm>
#include <cmath>

#include "sim/core/check.h"
#include "validation/calibrate/observation.h"

namespace ftlab {
namespace {

// Group in misfit reports: requests one at a time, as many as a drive takes, or more.
std::string group_of(const Point& point) {
  const std::uint64_t outstanding = point.workload.depth * point.workload.jobs;
  const char* const how_many = outstanding == 1    ? "1 outstanding"
                               : outstanding <= 8  ? "2 to 8 outstanding"
                               : outstanding <= 32 ? "9 to 32 outstanding"
                                                   : "more than 32 outstanding";
  const bool mixed = point.workload.read_percent > 0;
  return point.workload.rw + (mixed ? std::string(" (") + name_of(point.direction) + "s)" : "") + ", " + how_many;
}

// The variance of a figure falls with its number of requests, measured and simulated. If the measurement does not state its
// duration, as many requests measured as simulated are assumed.
double noise_factor(const Point& point, std::uint64_t simulated) {
  const double measured = *point.iops * point.duration_s;
  return std::sqrt(1 + (measured > 0 ? static_cast<double>(simulated) / measured : 1));
}

// Percentiles in the same step of a histogram are rounded alike, so several of them are together no better known than one:
// the squared deviation of each counts as many times.
void share_rounding(std::vector<Target>& targets) {
  constexpr double kStep = 1.0 / 64;  // as in FigureKind::rounding()
  std::vector<double> alike;
  for (const Target& target : targets) {
    alike.push_back(static_cast<double>(std::count_if(targets.begin(), targets.end(), [&](const Target& other) {
      return other.rounding > 0 && other.side == target.side && std::abs(other.measured / target.measured - 1) < kStep;
    })));
  }
  for (std::size_t t = 0; t < targets.size(); ++t) targets[t].rounding *= std::sqrt(alike[t]);
}

}  // namespace

std::vector<Target> targets_of(const std::vector<Observation>& observations, const std::vector<Point>& points,
                               std::uint64_t simulated_requests) {
  const std::vector<bool> plateau = saturated(points);
  std::vector<Target> targets;
  for (const Observation& observation : observations) {
    const Point& point = points.at(observation.point);
    const std::size_t side = point.direction != Direction::read;
    targets.push_back({observation.figure.name(), observation.measured, observation.figure.tolerance(),
                       observation.held_back, observation.point, side, noise_factor(point, simulated_requests),
                       name_of(point.workload), group_of(point), observation.figure.rounding(), plateau[observation.point]});
  }
  share_rounding(targets);
  return targets;
}

std::vector<Target> targets_of(const std::vector<MeasuredDrive>& drives, std::uint64_t simulated_requests) {
  std::vector<Target> all;
  std::size_t points_before = 0;
  for (const MeasuredDrive& drive : drives) {
    for (Target& target : targets_of(*drive.observations, drive.prediction->points(), simulated_requests)) {
      target.together += points_before;
      all.push_back(std::move(target));
    }
    points_before += drive.prediction->points().size();
  }
  return all;
}

std::vector<std::vector<double>> PointTargets::of(const std::vector<DriveSet>& sets, std::uint64_t other_seed) {
  std::vector<std::vector<double>> all(sets.size());
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const auto& [prediction, observations] = drives_[d];
    std::vector<Node> own;
    for (const DriveSet& set : sets) {
      FTLAB_CHECK(set.size() == drives_.size(), "as many drives as were measured");
      own.push_back(set[d]);
    }
    const auto figures = prediction->of(own, prediction->seed() + other_seed);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      for (const Observation& o : *observations)
        all[s].push_back(simulated(o, prediction->points()[o.point], figures[s][o.point]));
    }
  }
  return all;
}

}  // namespace ftlab
