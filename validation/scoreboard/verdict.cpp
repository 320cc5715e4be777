#include "validation/scoreboard/scoreboard_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"
#include "sim/workload/jobs/units.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kKibi = 1024;
// A curve peaks wherever it reaches this share of its highest value: reviews name one point of a plateau.
constexpr double kPeakShare = 0.99;

[[noreturn]] void refuse_row(const Measure& measure, const std::string& problem) {
  throw ConfigError({measure.file, measure.line}, measure.text, problem);
}

double only_value(const Reading& reading, const Measure& measure) {
  if (reading.points.size() != 1)
    refuse_row(measure, "is a curve where a number is needed; max, min, mean make one");
  return reading.points.front().second;
}

// Combines two curves point by point, or a curve with a number at each point.
Reading combine(const Reading& a, const Reading& b, const Measure& measure, double (*of)(double, double)) {
  const bool a_curve = !a.points.front().first.empty(), b_curve = !b.points.front().first.empty();
  if (!a_curve && b_curve) refuse_row(measure, "is of a number and a curve, in this order");
  Reading result = a;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const auto& other = b.points[b_curve ? std::min(i, b.points.size() - 1) : 0];
    if (b_curve && (other.first != a.points[i].first || a.points.size() != b.points.size()))
      refuse_row(measure, "is of curves over different values");
    result.points[i].second = of(a.points[i].second, other.second);
  }
  return result;
}

std::vector<double> all_values(const Measure& measure, const Watchdog& watchdog) {
  std::vector<double> values;
  for (const Measure& part : measure.of) {
    for (const auto& [x, y] : evaluate(part, watchdog).points) values.push_back(y);
  }
  return values;
}

// The points at which a curve peaks.
std::vector<double> peaks_of(const Measure& measure, const Watchdog& watchdog) {
  const Reading curve = evaluate(measure.of.front(), watchdog);
  double highest = -1e300;
  for (const auto& [x, y] : curve.points) highest = std::max(highest, y);
  std::vector<double> peaks;
  for (const auto& [x, y] : curve.points) {
    const Setting place{"the variable of " + measure.text, x, true, false, {measure.file, measure.line}};
    if (y >= kPeakShare * highest) peaks.push_back(static_cast<double>(parse_number(place, x, kKibi)));
  }
  return peaks;
}

// Least margin of a claim about several curves: at each point, the ratio of the value to what is required. Holds from 1 on.
struct Margins {
  double least = 1e300;
  std::string at;  // the point with the least margin
  void add(double margin, const std::string& x) {
    if (margin >= least) return;
    least = margin;
    at = x;
  }
};

using Group = std::vector<Reading>;

std::size_t points_of(const std::vector<Group>& groups, const Claim& claim) {
  const std::size_t count = groups.front().front().points.size();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t m = 0; m < groups[g].size(); ++m) {
      if (groups[g][m].points.size() != count) refuse_row(claim.of[g][m], "has not as many points as the others of its row");
    }
  }
  return count;
}

std::pair<double, double> range_of(const Group& group, std::size_t point) {
  double low = 1e300, high = -1e300;
  for (const Reading& reading : group) {
    low = std::min(low, reading.points[point].second);
    high = std::max(high, reading.points[point].second);
  }
  return {low, high};
}

std::string shown_groups(const std::vector<Group>& groups, std::size_t point, const char* between) {
  std::string text;
  for (const Group& group : groups) {
    if (!text.empty()) text += between;
    for (std::size_t m = 0; m < group.size(); ++m) text += (m > 0 ? ", " : "") + number_text(group[m].points[point].second);
  }
  return text;
}

std::string with_place(const std::string& text, const std::string& at, std::size_t points) {
  return points == 1 ? text : text + " at " + at;
}

Verdict judge_falls(const Claim& claim, const std::vector<Group>& groups) {
  Margins margins;
  std::size_t worst = 0;
  const std::size_t points = points_of(groups, claim);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
      const double above = range_of(groups[g], p).first, below = range_of(groups[g + 1], p).second;
      const double before = margins.least;
      margins.add(below > 0 ? above / (below * claim.by) : 1e300, groups[0][0].points[p].first);
      if (margins.least < before) worst = p;
    }
  }
  const bool falls = claim.by == 1 ? margins.least > 1 : margins.least >= 1;  // equal is not higher
  return {falls, {}, {}, with_place(shown_groups(groups, worst, " | "), margins.at, points)};
}

Verdict judge_alike(const Claim& claim, const std::vector<Group>& groups) {
  double widest = 0;
  std::size_t worst = 0;
  const std::size_t points = points_of(groups, claim);
  // For a single curve, its own values must be alike.
  if (groups.front().size() == 1 && points > 1) {
    double low = 1e300, high = -1e300;
    for (const auto& [x, y] : groups[0][0].points) low = std::min(low, y), high = std::max(high, y);
    widest = low > 0 ? high / low - 1 : 1e300;
    return {widest <= claim.within, {}, {}, number_text(low) + " to " + number_text(high)};
  }
  for (std::size_t p = 0; p < points; ++p) {
    const auto [low, high] = range_of(groups[0], p);
    const double width = low > 0 ? high / low - 1 : (high == low ? 0 : 1e300);
    if (width > widest) worst = p;
    widest = std::max(widest, width);
  }
  return {widest <= claim.within,
          {},
          {},
          with_place(shown_groups(groups, worst, ", "), groups[0][0].points[worst].first, points)};
}

void set_error(Verdict& verdict, const Claim& claim, double value, double published) {
  const double off = value - published;
  if (published != 0) verdict.error = off / std::abs(published);
  verdict.holds = std::abs(off) <= claim.within * std::abs(published) + claim.rounding;
}

Verdict judge_number(const Claim& claim, double value) {
  Verdict verdict;
  verdict.simulated = value;
  verdict.shown = number_text(value);
  if (claim.kind != Claim::Kind::is) {
    verdict.holds = value >= claim.low && value <= claim.high;
    return verdict;
  }
  set_error(verdict, claim, value, claim.low);
  return verdict;
}

// Of a set of values, the one nearest to the published figure is judged, and all are shown.
Verdict judge_peaks(const Claim& claim, const std::vector<double>& peaks) {
  const double nearest = *std::min_element(peaks.begin(), peaks.end(), [&claim](double a, double b) {
    return std::abs(a - claim.low) < std::abs(b - claim.low);
  });
  Verdict verdict = judge_number(claim, nearest);
  verdict.shown.clear();
  for (const double peak : peaks) verdict.shown += (verdict.shown.empty() ? "" : ", ") + number_text(peak);
  return verdict;
}

Verdict judge_range(const Claim& claim, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  Verdict verdict = judge_number(claim, std::clamp(claim.low, *low, *high));
  verdict.shown = number_text(*low) + " to " + number_text(*high);
  return verdict;
}

// A published difference says that one level lies so much above another; tolerance and error are shares of that level.
Verdict judge_levels(const Claim& claim, double level, double other) {
  Verdict verdict;
  verdict.simulated = level - other;
  verdict.shown = number_text(level) + " beside " + number_text(other);
  set_error(verdict, claim, level, other + claim.low);
  return verdict;
}

Verdict judge_figure(const Claim& claim, const Measure& measure, const Watchdog& watchdog) {
  const auto number = [&watchdog](const Measure& m) { return only_value(evaluate(m, watchdog), m); };
  switch (measure.kind) {
    case Measure::Kind::peak_at: return judge_peaks(claim, peaks_of(measure, watchdog));
    case Measure::Kind::range: return judge_range(claim, all_values(measure, watchdog));
    case Measure::Kind::difference: return judge_levels(claim, number(measure.of[0]), number(measure.of[1]));
    default: return judge_number(claim, number(measure));
  }
}

}  // namespace

Reading evaluate(const Measure& measure, const Watchdog& watchdog) {
  if (measure.of.empty()) return watchdog(measure);
  if (measure.kind == Measure::Kind::ratio || measure.kind == Measure::Kind::difference) {
    const Reading a = evaluate(measure.of[0], watchdog), b = evaluate(measure.of[1], watchdog);
    return measure.kind == Measure::Kind::ratio
               ? combine(a, b, measure, [](double x, double y) { return y == 0 ? 0 : x / y; })
               : combine(a, b, measure, [](double x, double y) { return x - y; });
  }
  const std::vector<double> values = all_values(measure, watchdog);
  double result = 0;
  switch (measure.kind) {
    case Measure::Kind::max: result = *std::max_element(values.begin(), values.end()); break;
    case Measure::Kind::min: result = *std::min_element(values.begin(), values.end()); break;
    default: result = std::accumulate(values.begin(), values.end(), 0.0);
  }
  if (measure.kind == Measure::Kind::mean) result /= static_cast<double>(values.size());
  return {{{"", result}}};
}

Verdict judge(const Claim& claim, const Watchdog& watchdog) {
  if (claim.kind == Claim::Kind::is) return judge_figure(claim, claim.of[0][0], watchdog);
  std::vector<Group> groups;
  for (const auto& measures : claim.of) {
    Group& group = groups.emplace_back();
    for (const Measure& measure : measures) group.push_back(evaluate(measure, watchdog));
  }
  if (claim.kind == Claim::Kind::falls) return judge_falls(claim, groups);
  if (claim.kind == Claim::Kind::alike) return judge_alike(claim, groups);
  return judge_number(claim, only_value(groups[0][0], claim.of[0][0]));
}

std::string published_text(const Claim& claim) {
  switch (claim.kind) {
    case Claim::Kind::is:
      if (claim.of[0][0].kind != Measure::Kind::difference) return number_text(claim.low);
      return fmt::format("the other {} {}", claim.low < 0 ? '-' : '+', number_text(std::abs(claim.low)));
    case Claim::Kind::above: return "> " + number_text(claim.low);
    case Claim::Kind::below: return "< " + number_text(claim.high);
    case Claim::Kind::between: return number_text(claim.low) + " to " + number_text(claim.high);
    case Claim::Kind::falls: return claim.by != 1 ? fmt::format("falls, {} times each", number_text(claim.by)) : "falls";
    case Claim::Kind::alike: return fmt::format("alike within {:.0f} %", 100 * claim.within);
  }
  return {};
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (value == std::floor(value) && size < 1e6) return fmt::format("{:.0f}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  if (size >= 10) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3f}", value);
}

}  // namespace ftlab
