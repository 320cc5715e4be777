#include "validation/compare/comparison.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "sim/workload/jobs/units.h"
#include "sim/workload/options/kinds.h"
#include "validation/compare/reading/job_words.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {
namespace {

bool is_whole(const NumberRange& range) { return range.low == 0 && range.high == std::numeric_limits<std::uint64_t>::max(); }

bool selects_workloads(const Selection& selection) {
  return !selection.rw.empty() || !is_whole(selection.depth) || !is_whole(selection.block_bytes) ||
         !is_whole(selection.jobs);
}

bool selects(const Selection& selection, const Point& point) {
  const Workload& workload = point.workload;
  const bool named =
      selection.rw.empty() || std::find(selection.rw.begin(), selection.rw.end(), workload.rw) != selection.rw.end();
  return named && (!selection.direction || selection.direction == point.direction) &&
         selection.depth.holds(workload.depth) && selection.block_bytes.holds(workload.block_bytes) &&
         selection.jobs.holds(workload.jobs);
}

}  // namespace

NumberRange parse_number_range(const std::string& text, const std::string& option) {
  const Setting setting{"", text, true, false, {option, 0}};
  const std::size_t dash = text.find('-', 1);
  const auto number = [&setting](const std::string& part) { return parse_number(setting, part, 1024, 0, kMostBlockBytes); };
  NumberRange range;
  range.low = number(text.substr(0, dash));
  range.high = dash == text.npos ? range.low : number(text.substr(dash + 1));
  if (range.low > range.high) refuse(setting, "ends before it begins", "LOW-HIGH, or one number");
  return range;
}

std::string parse_access(const std::string& text, const std::string& option) {
  const Setting setting{"", text, true, false, {option, 0}};
  parse_pattern(setting, 1024);
  return access_name(text);
}

void select(const Selection& selection, Measurement& measurement) {
  const std::size_t points =
      std::erase_if(measurement.points, [&](const Point& point) { return !selects(selection, point); });
  const std::size_t curves = std::erase_if(measurement.curves, [&](const TimeCurve& curve) {
    return selects_workloads(selection) || (selection.direction && curve.direction != *selection.direction);
  });
  if (points + curves > 0)
    measurement.notes.push_back(
        fmt::format("{}: {} points and {} curves were not selected", measurement.name, points, curves));
  if (measurement.points.empty() && measurement.curves.empty())
    throw ConfigError({measurement.name, 0}, "", "has nothing of what was selected");
}

}  // namespace ftlab
