// The figures of a measurement that a fit uses: single figures of its points, each with its tolerance, and whether it is
// held back to test the fit.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validation/calibrate/prediction.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Kind of figure of a point: iops, mean (completion latency), or a percentile like p50 or p99.9.
struct FigureKind {
  enum class Kind : std::uint8_t { iops, mean, percentile };
  Kind kind = Kind::iops;
  double percent = 0;

  std::string name() const;
  auto operator<=>(const FigureKind&) const = default;
  // As a share of the figure: the expected agreement, before the scatter of the fit itself is known.
  double tolerance() const { return kind == Kind::percentile ? 0.05 : 0.02; }
  // Standard deviation of measured over simulated from the steps of both histograms, at most a 64th of the value wide as in
  // fio (stat.h, FIO_IO_U_PLAT_BITS 6): a 64th, even over the step (1 / sqrt(12)), twice (sqrt(2)).
  double rounding() const { return kind == Kind::percentile ? 0.0064 : 0; }
};

// Selects points, as in "rw=randread,depth=1+2+4": rw, bs (bytes), depth, jobs and direction must be among the named values;
// other properties are not restricted. Throws ConfigError naming `option`.
class PointFilter {
 public:
  PointFilter() = default;
  PointFilter(std::string_view text, const std::string& option);
  bool holds(const Point& point) const;
  bool empty() const { return allowed_.empty(); }

 private:
  struct Allowed {
    std::string key;
    std::vector<std::string> values;
  };
  std::vector<Allowed> allowed_;
};

// Figures to use: "iops,mean" of all points, "p50,p99@rw=randread,depth=1+2" of the points that a filter selects,
// "p95@unsaturated" of the points below saturation; see saturated(). Throws ConfigError.
struct FigureChoice {
  std::vector<FigureKind> figures;
  PointFilter points;
  bool unsaturated = false;
};
FigureChoice parse_figures(std::string_view text);
// Figures that are fitted by default. The tail of points at saturation depends on queues outside the drive, which are not
// modelled.
inline constexpr std::array<const char*, 2> kDefaultFigures = {"iops,mean,p50", "p95@unsaturated"};

struct Observation {
  std::size_t point = 0;
  FigureKind figure;
  double measured = 0;
  bool held_back = false;
};

// Points selected by `only` that have a rate, a single block size and no trims; `notes` counts the others by reason.
// Throws ConfigError if none is left.
std::vector<Point> points_of(const std::vector<Measurement>& measurements, const PointFilter& only,
                             std::vector<std::string>& notes);

// Default rule, for each kind of workload (rw, mix, block size): true (held back) for the second depth in order and every
// third after it; for numbers of jobs instead if there are fewer than three depths.
std::vector<bool> held_back_by_depth(const std::vector<Point>& points);

// The chosen figures that the points have, each figure of a point once. REQUIRES: every point has a rate.
std::vector<Observation> observations_of(const std::vector<Point>& points, const std::vector<FigureChoice>& choices,
                                         const std::vector<bool>& held_back);

// The figure of an observation, as simulated.
double simulated(const Observation& observation, const Point& point, const PredictedFigures& figures);

// Tells measured points on the plateau of a workload's rate from those below it. On the plateau something that is not the
// drive's flash, usually its port, limits every point alike, so errors there are small and say little.

// Less than this share of additional rate is none: a plateau. Rates of repeated runs differ by about 1 %.
inline constexpr double kPlateau = 0.03;

// For each point, true if it is saturated: no point of the same workload with more requests outstanding (depth and jobs at
// least as high, their product higher by a quarter or more) has a rate 3 % higher. A point without such higher ones is
// saturated if a lower one nearly has its rate; if it has neither, it is not. Only points of one file are compared.
// REQUIRES: every point has a rate.
std::vector<bool> saturated(const std::vector<Point>& points);

}  // namespace ftlab
