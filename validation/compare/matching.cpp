#include "validation/compare/matching.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <spdlog/fmt/fmt.h>
#include <tuple>

#include "sim/core/error.h"

namespace ftlab {
namespace {

// Positions of the items with one key, in both lists.
struct Alike {
  std::vector<std::size_t> a, b;
};

// Index of each item's partner in the other list, or kAlone.
constexpr std::size_t kAlone = ~std::size_t{0};

struct Partners {
  std::vector<std::size_t> of_a, of_b;
};

template <class Item, class KeyOf, class Candidate>
auto alike_by(const std::vector<Item>& a, const std::vector<Item>& b, const Partners& partners, KeyOf key_of,
              Candidate is_candidate) {
  std::map<decltype(key_of(a.front())), Alike> groups;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (partners.of_a[i] == kAlone && is_candidate(a[i], a)) groups[key_of(a[i])].a.push_back(i);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (partners.of_b[i] == kAlone && is_candidate(b[i], b)) groups[key_of(b[i])].b.push_back(i);
  }
  return groups;
}

// Pairs items that are the only candidate of their key on both sides.
template <class Item, class KeyOf, class Candidate>
void pair_single(const std::vector<Item>& a, const std::vector<Item>& b, Partners& partners, KeyOf key_of,
                 Candidate is_candidate) {
  for (const auto& [key, alike] : alike_by(a, b, partners, key_of, is_candidate)) {
    if (alike.a.size() != 1 || alike.b.size() != 1) continue;
    partners.of_a[alike.a.front()] = alike.b.front();
    partners.of_b[alike.b.front()] = alike.a.front();
  }
}

// Pairs by key and label first, then the remaining candidates by key alone.
template <class Item, class KeyOf, class Candidate>
Partners partners_of(const std::vector<Item>& a, const std::vector<Item>& b, KeyOf key_of, Candidate is_candidate) {
  Partners partners{std::vector<std::size_t>(a.size(), kAlone), std::vector<std::size_t>(b.size(), kAlone)};
  const auto any = [](const Item&, const std::vector<Item>&) { return true; };
  pair_single(
      a, b, partners, [&key_of](const Item& item) { return std::make_pair(key_of(item), item.label); }, any);
  pair_single(a, b, partners, key_of, is_candidate);
  return partners;
}

auto key_of_point(const Point& point) { return std::make_tuple(point.workload, point.direction); }
auto key_of_curve(const TimeCurve& curve) { return std::make_tuple(curve.quantity, curve.direction); }

// A job's curve may represent the whole run only if no whole-run curve exists.
bool may_stand_for_run(const TimeCurve& curve, const std::vector<TimeCurve>& all) {
  return curve.label.empty() || std::none_of(all.begin(), all.end(), [&curve](const TimeCurve& other) {
           return other.label.empty() && key_of_curve(other) == key_of_curve(curve);
         });
}

void add_unmatched(const std::vector<Point>& points, const std::vector<std::size_t>& partners,
                   const std::vector<Point>& others, bool of_a, Matching& matching) {
  std::set<decltype(key_of_point(points.front()))> known;
  for (const Point& other : others) known.insert(key_of_point(other));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (partners[i] != kAlone) continue;
    const bool ambiguous = known.contains(key_of_point(points[i]));
    matching.unmatched.push_back({&points[i], of_a,
                                  ambiguous ? "several have this workload, and no label tells them apart"
                                            : fmt::format("{} has no such workload", of_a ? 'B' : 'A')});
  }
}

void add_unmatched(const std::vector<TimeCurve>& curves, const std::vector<std::size_t>& partners, char side,
                   CurveMatching& matching) {
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (partners[i] == kAlone)
      matching.unmatched.push_back(
          fmt::format("{} of {} ({}) has no partner, or more than one", name_of(curves[i]), side, curves[i].file));
  }
}

}  // namespace

Matching match_points(const std::vector<Point>& a, const std::vector<Point>& b) {
  const Partners partners = partners_of(a, b, key_of_point, [](const Point&, const std::vector<Point>&) { return true; });
  Matching matching;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (partners.of_a[i] != kAlone) matching.pairs.push_back({&a[i], &b[partners.of_a[i]]});
  }
  add_unmatched(a, partners.of_a, b, true, matching);
  add_unmatched(b, partners.of_b, a, false, matching);
  return matching;
}

CurveMatching match_curves(const std::vector<TimeCurve>& a, const std::vector<TimeCurve>& b) {
  const Partners partners = partners_of(a, b, key_of_curve, may_stand_for_run);
  CurveMatching matching;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (partners.of_a[i] != kAlone) matching.pairs.push_back({&a[i], &b[partners.of_a[i]]});
  }
  add_unmatched(a, partners.of_a, 'A', matching);
  add_unmatched(b, partners.of_b, 'B', matching);
  return matching;
}

std::string name_of(const TimeCurve& curve) {
  return fmt::format("{} of {}s{}", name_of(curve.quantity), name_of(curve.direction),
                     curve.label.empty() ? "" : ", " + printable(curve.label));
}

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
