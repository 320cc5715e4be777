#include "validation/compare/reading/text_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <spdlog/fmt/fmt.h>

#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/workload/jobs/ini.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {
namespace {

using Column = TextTable::Column;

std::vector<Column> columns_in(const TextRows& header, const std::vector<std::string>& words) {
  std::vector<Column> columns;
  std::set<std::string> known;
  for (std::size_t i = 0; i < header.columns(); ++i) {
    const std::string name(header.cell(i));
    if (!known.insert(name).second) header.refuse(name.c_str(), "column occurs twice");
    columns.push_back({name, {}, {}, std::find(words.begin(), words.end(), name) != words.end()});
  }
  return columns;
}

void require(const TextTable& table, const std::vector<std::string>& required) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  for (const std::string& name : required) {
    if (table.find(name) == nullptr)
      throw ConfigError({table.file, 1}, name, "column is missing", {}, {}, nearest_name(name, names));
  }
}

double number_in(const TextRows& rows, std::size_t column, const std::string& name) {
  const std::string_view text = rows.cell(column);
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto number = parsed<double>(text);
  if (!number || !std::isfinite(*number))
    rows.refuse(name.c_str(), "is not a number", text, "finite numbers, or an empty cell");
  return *number;
}

}  // namespace

bool TextRows::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view row = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (row.empty()) continue;
    cells_.clear();
    for (const std::string_view cell : split(row, ',')) cells_.push_back(trimmed(cell));
    return true;
  }
  return false;
}

void TextRows::refuse(const char* name, std::string_view problem, std::string_view value, std::string_view allowed) const {
  throw ConfigError({*file_, line_}, name, problem, value, allowed);
}

double TextRows::number(std::size_t column, const char* name, double low, double high) const {
  const std::string_view text = cells_[column];
  const auto number = parsed<double>(text);
  if (!number || !(*number >= low && *number <= high))
    refuse(name, number ? "is out of range" : "is not a number", text, fmt::format("{} to {}", low, high));
  return *number;
}

const Column* TextTable::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [name](const Column& one) { return one.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

void TextTable::refuse(const Column& column, std::size_t row, std::string_view problem, std::string_view allowed) const {
  throw ConfigError({file, lines[row]}, column.name, problem, fmt::format("{}", column.numbers[row]), allowed);
}

double TextTable::number(const Column& column, std::size_t row, double low, double high) const {
  const double value = column.numbers[row];
  if (!(value >= low && value <= high)) refuse(column, row, "is out of range", fmt::format("{} to {}", low, high));
  return value;
}

TextTable read_table(std::string_view text, const std::string& file, const std::vector<std::string>& required,
                     const std::vector<std::string>& words) {
  TextRows rows(text, file);
  TextTable table{file, {}, {}};
  if (rows.next()) table.columns = columns_in(rows, words);
  require(table, required);
  while (rows.next()) {
    if (rows.columns() != table.columns.size())
      rows.refuse("", fmt::format("has {} columns", rows.columns()), {}, std::to_string(table.columns.size()));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      Column& column = table.columns[i];
      if (column.is_text) {
        column.words.emplace_back(rows.cell(i));
      } else {
        column.numbers.push_back(number_in(rows, i, column.name));
      }
    }
    table.lines.push_back(rows.line());
  }
  return table;
}

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
