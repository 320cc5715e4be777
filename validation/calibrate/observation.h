// What of a measurement a fit looks at: single figures of its points, each with how well it is believed to be known, and
// whether it is held back to test the fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validation/calibrate/prediction.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

// The figures that a point may have: iops, mean (of the completion latency), p50, p99.9 ...
struct FigureKind {
  enum class Kind : std::uint8_t { iops, mean, percentile };
  Kind kind = Kind::iops;
  double percent = 0;

  std::string name() const;
  auto operator<=>(const FigureKind&) const = default;
  // As a share of the figure: what agreement is hoped for, before the scatter of the fit itself says more.
  double tolerance() const { return kind == Kind::percentile ? 0.05 : 0.02; }
};

// "rw=randread,depth=1+2+4": points whose rw, bs (in bytes), depth, jobs and direction are among those named; what is not
// named may be anything. Throws ConfigError naming `option`.
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

// PredictedFigures of some points: "iops,mean" of all, "p50,p99@rw=randread,depth=1+2" of those that a filter holds. Throws
// ConfigError.
struct FigureChoice {
  std::vector<FigureKind> figures;
  PointFilter points;
};
FigureChoice parse_figures(std::string_view text);

struct Observation {
  std::size_t point = 0;
  FigureKind figure;
  double measured = 0;
  bool held_back = false;
};

// Points with a rate, of one block size, that `only` holds; the others are counted in `notes`. Throws ConfigError when none
// is left.
std::vector<Point> points_of(const std::vector<Measurement>& measurements, const PointFilter& only,
                             std::vector<std::string>& notes);

// By the default rule, of the depths of each kind of workload (rw, mix, block size), in order, the second and every third
// after it; of its numbers of jobs, when it has fewer than three depths. True: held back.
std::vector<bool> held_back_by_depth(const std::vector<Point>& points);

// What the points have of the wishes, each figure of a point once.
std::vector<Observation> observations_of(const std::vector<Point>& points, const std::vector<FigureChoice>& choices,
                                         const std::vector<bool>& held_back);

// The same figure of what was simulated.
double simulated(const Observation& observation, const Point& point, const PredictedFigures& figures);

}  // namespace ftlab
