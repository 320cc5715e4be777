#include "validation/calibrate/observation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "sim/config/split.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr char kUnsaturated[] = "unsaturated";

FigureKind figure_of(std::string_view text) {
  if (text == "iops") return {FigureKind::Kind::iops, 0};
  if (text == "mean") return {FigureKind::Kind::mean, 0};
  if (const auto percent = text.starts_with('p') ? percent_in(text.substr(1)) : std::nullopt)
    return {FigureKind::Kind::percentile, *percent};
  throw ConfigError({"--figures", 0}, "", "names no figure", text, "iops, mean, and percentiles as p50 or p99.9");
}

std::string property_of(const Point& point, const std::string& key) {
  if (key == "rw") return point.workload.rw;
  if (key == "bs") return std::to_string(point.workload.block_bytes);
  if (key == "depth") return std::to_string(point.workload.depth);
  if (key == "jobs") return std::to_string(point.workload.jobs);
  return name_of(point.direction);
}

bool has(const Point& point, const FigureKind& figure) {
  switch (figure.kind) {
    case FigureKind::Kind::iops: return true;
    case FigureKind::Kind::mean: return point.latency_mean_ns.has_value();
    case FigureKind::Kind::percentile: break;
  }
  return point.percentile_ns(figure.percent).has_value();
}

double measured(const Point& point, const FigureKind& figure) {
  switch (figure.kind) {
    case FigureKind::Kind::iops: return *point.iops;
    case FigureKind::Kind::mean: return *point.latency_mean_ns;
    case FigureKind::Kind::percentile: break;
  }
  return *point.percentile_ns(figure.percent);
}

std::string problem_of(const Point& point) {
  if (!point.iops || !(*point.iops > 0)) return "no rate (iops)";
  if (point.workload.block_bytes == 0) return "block sizes that vary";
  if (point.direction == Direction::trim) return "trims";
  return {};
}

using Series = std::tuple<std::string, std::uint64_t, std::uint64_t>;
Series series_of(const Point& point) { return {point.workload.rw, point.workload.read_percent, point.workload.block_bytes}; }

}  // namespace

std::string FigureKind::name() const {
  if (kind == Kind::iops) return "iops";
  if (kind == Kind::mean) return "mean";
  char digits[32];
  return "p" + std::string(digits, std::to_chars(digits, digits + sizeof digits, percent).ptr);
}

FigureChoice parse_figures(std::string_view text) {
  const std::size_t at = std::min(text.find('@'), text.size());
  FigureChoice choice;
  for (const std::string_view part : split(text.substr(0, at), ',')) {
    const FigureKind figure = figure_of(part);
    if (std::find(choice.figures.begin(), choice.figures.end(), figure) != choice.figures.end())
      throw ConfigError({"--figures", 0}, "", "names a figure twice", figure.name());
    choice.figures.push_back(figure);
  }
  if (at == text.size()) return choice;
  const std::string selection(text.substr(at + 1));
  choice.unsaturated = selection == kUnsaturated;
  if (choice.unsaturated) return choice;
  if (selection.find('=') == selection.npos)
    throw ConfigError({"--figures", 0}, "", "selects no points", selection, "unsaturated, or as in rw=randread,depth=1+2+4",
                      nearest_name(selection, {kUnsaturated}));
  choice.points = PointFilter(selection, "--figures");
  return choice;
}

PointFilter::PointFilter(std::string_view text, const std::string& option) {
  static const std::vector<std::string> keys = {"rw", "bs", "depth", "jobs", "direction"};
  constexpr char kAllowed[] = "rw, bs (bytes), depth, jobs, direction, as in rw=randread,depth=1+2+4";
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key(part.substr(0, equals));
    if (equals == part.npos || equals + 1 == part.size())
      throw ConfigError({option, 0}, "", "is not a selection of points", part, kAllowed);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw ConfigError({option, 0}, "", "names no property of a point", key, kAllowed, nearest_name(key, keys));
    Allowed allowed{key, {}};
    for (const std::string_view value : split(part.substr(equals + 1), '+')) allowed.values.emplace_back(value);
    allowed_.push_back(std::move(allowed));
  }
}

bool PointFilter::holds(const Point& point) const {
  return std::all_of(allowed_.begin(), allowed_.end(), [&point](const Allowed& allowed) {
    const std::string value = property_of(point, allowed.key);
    return std::find(allowed.values.begin(), allowed.values.end(), value) != allowed.values.end();
  });
}

std::vector<Point> points_of(const std::vector<Measurement>& measurements, const PointFilter& only,
                             std::vector<std::string>& notes) {
  std::vector<Point> points;
  std::map<std::string, std::size_t> left_out;
  std::string files;
  for (const Measurement& measurement : measurements) {
    files += (files.empty() ? "" : ", ") + measurement.name;
    for (const Point& point : measurement.points) {
      const std::string problem = only.holds(point) ? problem_of(point) : "not selected";
      if (problem.empty()) {
        points.push_back(point);
      } else {
        ++left_out[problem];
      }
    }
  }
  std::string why;
  for (const auto& [problem, count] : left_out) {
    notes.push_back("left out " + std::to_string(count) + (count == 1 ? " point: " : " points: ") + problem);
    why += (why.empty() ? "; " : ", ") + notes.back();
  }
  if (points.empty()) throw ConfigError({"--measured", 0}, files, "has no point to hold a simulation against" + why);
  return points;
}

std::vector<bool> held_back_by_depth(const std::vector<Point>& points) {
  std::map<Series, std::pair<std::set<std::uint64_t>, std::set<std::uint64_t>>> series;  // depths, jobs
  for (const Point& asked : points) {
    series[series_of(asked)].first.insert(asked.workload.depth);
    series[series_of(asked)].second.insert(asked.workload.jobs);
  }
  std::vector<bool> held;
  for (const Point& asked : points) {
    const auto& [depths, jobs] = series[series_of(asked)];
    const bool by_depth = depths.size() >= 3;
    const std::set<std::uint64_t>& values = by_depth ? depths : jobs;
    const std::uint64_t own = by_depth ? asked.workload.depth : asked.workload.jobs;
    held.push_back(values.size() >= 3 && std::distance(values.begin(), values.find(own)) % 3 == 1);
  }
  return held;
}

std::vector<Observation> observations_of(const std::vector<Point>& points, const std::vector<FigureChoice>& choices,
                                         const std::vector<bool>& held_back) {
  FTLAB_CHECK(points.size() == held_back.size(), "every point is held back or not");
  const std::vector<bool> plateau = saturated(points);
  std::vector<Observation> observations;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const Point& point = points[p];
    std::set<FigureKind> wanted;
    for (const FigureChoice& choice : choices) {
      const bool chosen = choice.points.holds(point) && !(choice.unsaturated && plateau[p]);
      if (chosen) wanted.insert(choice.figures.begin(), choice.figures.end());
    }
    for (const FigureKind& figure : wanted) {
      if (has(point, figure)) observations.push_back({p, figure, measured(point, figure), held_back[p]});
    }
  }
  return observations;
}

double simulated(const Observation& observation, const Point& asked, const PredictedFigures& figures) {
  switch (observation.figure.kind) {
    case FigureKind::Kind::iops: return figures.iops;
    case FigureKind::Kind::mean: return figures.latency_mean_ns;
    case FigureKind::Kind::percentile: break;
  }
  const std::vector<Percentile>& percentiles = asked.percentiles;
  const auto found = std::find_if(percentiles.begin(), percentiles.end(), [&](const Percentile& p) {
    return std::abs(p.percent - observation.figure.percent) < 1e-6;
  });
  FTLAB_CHECK(found != percentiles.end(), "a percentile that the point has not");
  return figures.percentiles_ns[static_cast<std::size_t>(found - percentiles.begin())];
}

namespace {

constexpr double kMoreOutstanding = 1.25;

bool same_series(const Point& a, const Point& b) {
  return a.file == b.file && a.direction == b.direction && a.workload.rw == b.workload.rw &&
         a.workload.read_percent == b.workload.read_percent && a.workload.block_bytes == b.workload.block_bytes;
}

double outstanding(const Point& point) { return static_cast<double>(point.workload.depth * point.workload.jobs); }

// True if `more` is the same workload with more requests outstanding.
bool loads_more(const Point& more, const Point& less) {
  return same_series(more, less) && more.workload.depth >= less.workload.depth &&
         more.workload.jobs >= less.workload.jobs && outstanding(more) >= kMoreOutstanding * outstanding(less);
}

// Highest rate of the points that `counts` selects; 0 if there is none.
template <class Counts>
double highest_rate(const std::vector<Point>& points, Counts&& counts) {
  double highest = 0;
  for (const Point& point : points) {
    if (counts(point)) highest = std::max(highest, *point.iops);
  }
  return highest;
}

bool is_saturated(const Point& point, const std::vector<Point>& points) {
  const double above = highest_rate(points, [&](const Point& other) { return loads_more(other, point); });
  if (above > 0) return above < (1 + kPlateau) * *point.iops;
  const double below = highest_rate(points, [&](const Point& other) { return loads_more(point, other); });
  return below > 0 && *point.iops < (1 + kPlateau) * below;
}

}  // namespace

std::vector<bool> saturated(const std::vector<Point>& points) {
  std::vector<bool> all;
  for (const Point& point : points) all.push_back(is_saturated(point, points));
  return all;
}

}  // namespace ftlab
