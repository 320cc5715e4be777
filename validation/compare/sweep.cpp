#include "validation/compare/sweep.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <spdlog/fmt/fmt.h>

namespace ftlab {
namespace {

constexpr std::array<SweepAxis, 3> kAxes = {SweepAxis::depth, SweepAxis::block_bytes, SweepAxis::jobs};
constexpr std::size_t kLeastSteps = 3;

std::uint64_t& along(Workload& workload, SweepAxis axis) {
  switch (axis) {
    case SweepAxis::depth: return workload.depth;
    case SweepAxis::block_bytes: return workload.block_bytes;
    case SweepAxis::jobs: break;
  }
  return workload.jobs;
}

// "randread reads 4k, 1 job": the workload without the property swept over.
std::string name_without(const Workload& workload, Direction direction, SweepAxis axis) {
  std::string text =
      fmt::format("{}{}", workload.rw, workload.read_percent > 0 ? fmt::format(" {} %", workload.read_percent) : "");
  text += fmt::format(" {}s", name_of(direction));
  if (axis != SweepAxis::block_bytes)
    text += workload.block_bytes == 0 ? " " + workload.block_sizes : fmt::format(", {} bytes", workload.block_bytes);
  if (axis != SweepAxis::depth) text += fmt::format(", depth {}", workload.depth);
  if (axis != SweepAxis::jobs) text += fmt::format(", {} job{}", workload.jobs, workload.jobs == 1 ? "" : "s");
  return text;
}

using PairsByX = std::multimap<std::uint64_t, PointPair>;

bool is_sweep(const PairsByX& pairs) {
  const auto twice =
      std::adjacent_find(pairs.begin(), pairs.end(), [](const auto& p, const auto& q) { return p.first == q.first; });
  return pairs.size() >= kLeastSteps && twice == pairs.end();
}

Sweep sweep_of(const PairsByX& pairs, SweepAxis axis, const Metric& metric) {
  Sweep sweep;
  sweep.axis = axis;
  sweep.metric = metric;
  const Point& first = *pairs.begin()->second.a;
  sweep.workload = name_without(first.workload, first.direction, axis);
  for (const auto& [x, pair] : pairs) {
    const auto a = value_of(*pair.a, metric), b = value_of(*pair.b, metric);
    if (a && b) sweep.steps.push_back({static_cast<double>(x), *a, *b});
  }
  return sweep;
}

void add_sweeps(const std::vector<PointPair>& pairs, SweepAxis axis, const std::vector<Metric>& metrics,
                std::vector<Sweep>& sweeps) {
  std::map<std::tuple<Workload, Direction>, PairsByX> groups;
  for (const PointPair& pair : pairs) {
    Workload rest = pair.a->workload;
    if (axis == SweepAxis::block_bytes && rest.block_bytes == 0) continue;
    const std::uint64_t x = std::exchange(along(rest, axis), 0);
    groups[{rest, pair.a->direction}].emplace(x, pair);
  }
  for (const auto& [rest, group] : groups) {
    if (!is_sweep(group)) continue;
    for (const Metric& metric : metrics) {
      Sweep sweep = sweep_of(group, axis, metric);
      if (sweep.steps.size() >= kLeastSteps) sweeps.push_back(std::move(sweep));
    }
  }
}

}  // namespace

const char* name_of(SweepAxis axis) {
  constexpr std::array<const char*, 3> kNames = {"depth", "block_bytes", "jobs"};
  return kNames[static_cast<std::size_t>(axis)];
}

std::vector<Sweep> sweeps_of(const std::vector<PointPair>& pairs, const std::vector<Metric>& metrics) {
  std::vector<Sweep> sweeps;
  for (const SweepAxis axis : kAxes) add_sweeps(pairs, axis, metrics, sweeps);
  return sweeps;
}

}  // namespace ftlab
