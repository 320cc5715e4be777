#include "validation/compare/reading/series_file.h"

#include <algorithm>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "validation/compare/reading/limits.h"
#include "validation/compare/reading/text_rows.h"

namespace ftlab {
namespace {

// A column that becomes a curve.
struct Track {
  std::size_t column = 0;
  std::string name;
  double scale = 1;  // from the column's unit to the curve's
  double most = 0;
  TimeCurve curve;
};

std::string name_of_column(Quantity quantity, Direction direction) {
  const std::string which = name_of(direction);
  if (quantity == Quantity::iops) return which + "_iops";
  return quantity == Quantity::bytes_per_s ? which + "_MB_per_s" : "latency_" + which + "_us_mean";
}

std::optional<std::size_t> column_named(const TextRows& header, const std::string& name) {
  for (std::size_t i = 0; i < header.columns(); ++i) {
    if (header.cell(i) == name) return i;
  }
  return std::nullopt;
}

std::vector<Track> tracks_in(const TextRows& header, const std::string& file) {
  std::vector<Track> tracks;
  for (const Quantity quantity : {Quantity::iops, Quantity::bytes_per_s, Quantity::latency_mean_ns}) {
    for (const Direction direction : {Direction::read, Direction::write, Direction::trim}) {
      const std::string name = name_of_column(quantity, direction);
      const auto column = column_named(header, name);
      if (!column) continue;
      const double scale = quantity == Quantity::iops ? 1 : quantity == Quantity::bytes_per_s ? 1e6 : 1e3;
      const double most = quantity == Quantity::iops ? kMostIops : kMostBytesPerS;
      tracks.push_back({*column, name, scale, most, {quantity, direction, {}, {}, file}});
    }
  }
  return tracks;
}

bool did_nothing(const Track& track) {
  const auto& intervals = track.curve.intervals;
  return std::all_of(intervals.begin(), intervals.end(), [](const auto& interval) { return interval.value == 0; });
}

// Drops a short last interval. The run's end or its outstanding requests cause one, and its rate is meaningless.
void leave_out_stub(TimeCurve& curve) {
  auto& intervals = curve.intervals;
  const auto length = [](const TimeCurve::Interval& interval) { return interval.end_s - interval.begin_s; };
  if (intervals.size() > 1 && length(intervals.back()) < length(intervals.front()) / 2) intervals.pop_back();
}

}  // namespace

std::vector<TimeCurve> read_series(std::string_view text, const std::string& file) {
  TextRows rows(text, file);
  if (!rows.next() || rows.columns() < 2 || rows.cell(0) != "t_s" || rows.cell(1) != "length_s")
    rows.refuse("", "is not a series.csv", {}, "a first line that begins with t_s,length_s");
  std::vector<Track> tracks = tracks_in(rows, file);
  const std::size_t columns = rows.columns();
  double before_s = 0;
  while (rows.next()) {
    if (rows.columns() != columns)
      rows.refuse("", fmt::format("has {} columns", rows.columns()), {}, std::to_string(columns));
    const double end_s = rows.number(0, "t_s", 0, kMostSeconds);
    const double length_s = rows.number(1, "length_s", 1e-9, kMostSeconds);
    if (end_s - length_s < before_s - 1e-6) rows.refuse("t_s", "lies within the interval before it", rows.cell(0));
    for (Track& track : tracks) {
      if (rows.cell(track.column).empty()) continue;  // no request, so no latency
      const double value = rows.number(track.column, track.name.c_str(), 0, track.most);
      track.curve.intervals.push_back({std::max(before_s, end_s - length_s), end_s, value * track.scale});
    }
    before_s = end_s;
  }
  std::vector<TimeCurve> curves;
  for (Track& track : tracks) {
    leave_out_stub(track.curve);
    if (!did_nothing(track)) curves.push_back(std::move(track.curve));
  }
  return curves;
}

}  // namespace ftlab
