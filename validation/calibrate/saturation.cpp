#include "validation/calibrate/saturation.h"

#include <algorithm>

namespace ftlab {
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
