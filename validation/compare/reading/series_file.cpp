#include "validation/compare/reading/series_file.h"

#include <algorithm>
#include <cmath>

#include "validation/compare/reading/limits.h"

namespace ftlab {
namespace {

const std::vector<std::string> kTimes = {"t_s", "length_s"};

std::string name_of_column(Quantity quantity, Direction direction) {
  const std::string which = name_of(direction);
  if (quantity == Quantity::iops) return which + "_iops";
  return quantity == Quantity::bytes_per_s ? which + "_MB_per_s" : "latency_" + which + "_us_mean";
}

// The times at which the intervals begin: an interval may reach into the one before it by a rounding error only.
std::vector<double> begins_of(const TextTable& table) {
  const TextTable::Column &ends = *table.find("t_s"), &lengths = *table.find("length_s");
  std::vector<double> begins;
  double before_s = 0;
  for (std::size_t row = 0; row < table.lines.size(); ++row) {
    const double end_s = table.number(ends, row, 0, kMostSeconds);
    const double begin_s = end_s - table.number(lengths, row, 1e-9, kMostSeconds);
    if (begin_s < before_s - 1e-6) table.refuse(ends, row, "lies within the interval before it");
    begins.push_back(std::max(before_s, begin_s));
    before_s = end_s;
  }
  return begins;
}

TimeCurve curve_of(const TextTable& table, const std::vector<double>& begins, const TextTable::Column& column,
                   Quantity quantity, Direction direction) {
  const double scale = quantity == Quantity::iops ? 1 : quantity == Quantity::bytes_per_s ? 1e6 : 1e3;
  const double most = quantity == Quantity::iops ? kMostIops : kMostBytesPerS;
  const std::vector<double>& ends = table.find("t_s")->numbers;
  TimeCurve curve{quantity, direction, {}, {}, table.file};
  for (std::size_t row = 0; row < begins.size(); ++row) {
    if (std::isnan(column.numbers[row])) continue;  // no request, so no latency
    curve.intervals.push_back({begins[row], ends[row], table.number(column, row, 0, most) * scale});
  }
  return curve;
}

bool did_nothing(const TimeCurve& curve) {
  const auto& intervals = curve.intervals;
  return std::all_of(intervals.begin(), intervals.end(), [](const auto& interval) { return interval.value == 0; });
}

// Drops a short last interval. The run's end or its outstanding requests cause one, and its rate is meaningless.
void leave_out_stub(TimeCurve& curve) {
  auto& intervals = curve.intervals;
  const auto length = [](const TimeCurve::Interval& interval) { return interval.end_s - interval.begin_s; };
  if (intervals.size() > 1 && length(intervals.back()) < length(intervals.front()) / 2) intervals.pop_back();
}

}  // namespace

TextTable read_series_table(std::string_view text, const std::string& file) {
  TextTable table = read_table(text, file, kTimes);
  begins_of(table);
  return table;
}

std::vector<TimeCurve> read_series(std::string_view text, const std::string& file) {
  const TextTable table = read_table(text, file, kTimes);
  const std::vector<double> begins = begins_of(table);
  std::vector<TimeCurve> curves;
  for (const Quantity quantity : {Quantity::iops, Quantity::bytes_per_s, Quantity::latency_mean_ns}) {
    for (const Direction direction : {Direction::read, Direction::write, Direction::trim}) {
      const TextTable::Column* const column = table.find(name_of_column(quantity, direction));
      if (column == nullptr) continue;
      TimeCurve curve = curve_of(table, begins, *column, quantity, direction);
      leave_out_stub(curve);
      if (!did_nothing(curve)) curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace ftlab
