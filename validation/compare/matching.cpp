#include "validation/compare/matching.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <spdlog/fmt/fmt.h>

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

}  // namespace ftlab
