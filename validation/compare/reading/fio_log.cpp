#include "validation/compare/reading/fio_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <spdlog/fmt/fmt.h>
#include <tuple>

#include "sim/config/file.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/stats/histogram.h"
#include "validation/compare/reading/measurement.h"
#include "validation/compare/reading/text_table.h"

namespace ftlab {
namespace {

using Kind = FioLogName::Kind;

// A longer name precedes the ones that are its suffix.
constexpr std::array<std::pair<std::string_view, Kind>, 6> kKinds = {{{"clat_hist", Kind::histogram},
                                                                      {"clat", Kind::completion},
                                                                      {"slat", Kind::submission},
                                                                      {"lat", Kind::latency},
                                                                      {"iops", Kind::iops},
                                                                      {"bw", Kind::bandwidth}}};
constexpr double kMostMs = 1000 * kMostSeconds;
constexpr double kKib = 1024;

struct Row {
  double time_s = 0;
  double value = 0;  // in the unit of the curve
  double block_bytes = 0;
  std::size_t line = 0;
};
using Rows = PerDirection<std::vector<Row>>;

bool is_rate(Kind kind) { return kind == Kind::bandwidth || kind == Kind::iops; }

Quantity quantity_of(Kind kind) {
  if (kind == Kind::bandwidth) return Quantity::bytes_per_s;
  return kind == Kind::iops ? Quantity::iops : Quantity::latency_mean_ns;
}

Direction direction_in(const TextRows& rows, std::size_t column) {
  const std::string_view text = rows.cell(column);
  if (text.size() != 1 || text[0] < '0' || text[0] > '2')
    rows.refuse("direction", "is none", text, "0 (read), 1 (write), 2 (trim)");
  return static_cast<Direction>(text[0] - '0');
}

Row row_of(const FioLogRow& row, Kind kind) {
  return {row.time_ms / 1000, row.value * (kind == Kind::bandwidth ? kKib : 1), row.block_bytes, row.line};
}

// By direction.
Rows sorted(const std::vector<FioLogRow>& all, Kind kind) {
  Rows rows;
  for (const FioLogRow& row : all) rows[static_cast<std::size_t>(row.direction)].push_back(row_of(row, kind));
  return rows;
}

// Mean of the row's bins. A column covers 1, 2, 4, .. bins, depending on log_hist_coarseness.
double mean_of_bins(const TextRows& rows, std::size_t first) {
  const std::size_t columns = rows.columns() - first;
  const std::size_t width = Histogram::kBinCount / columns;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    const double requests = rows.number(first + i, "bin", 0, 1e18);
    const auto low = static_cast<double>(Histogram::bin_value(i * width));
    const auto high = static_cast<double>(Histogram::bin_value(i * width + width - 1));
    sum += requests * (low + high) / 2;
    count += requests;
  }
  return count > 0 ? sum / count : -1;
}

Rows read_histograms(std::string_view text, const std::string& file) {
  TextRows rows(text, file);
  Rows read;
  while (rows.next()) {
    const std::size_t columns = rows.columns() < 4 ? 0 : rows.columns() - 3;
    const std::size_t width = columns == 0 ? 0 : Histogram::kBinCount / columns;
    if (columns == 0 || (width & (width - 1)) != 0 || width * columns != Histogram::kBinCount)
      rows.refuse("", fmt::format("has {} bins", columns), {}, "1856, 928, 464, 232, 116, 58 or 29");
    const double mean = mean_of_bins(rows, 3);
    const double time_s = rows.number(0, "time", 0, kMostMs) / 1000;
    const auto direction = static_cast<std::size_t>(direction_in(rows, 1));
    if (mean >= 0) read[direction].push_back({time_s, mean, 0, rows.line()});
  }
  return read;
}

// Median distance between rows: single rows come late, and windows without a request have none.
double window_of(const std::vector<Row>& rows) {
  std::vector<double> distances;
  for (std::size_t i = 1; i < rows.size(); ++i) distances.push_back(rows[i].time_s - rows[i - 1].time_s);
  if (distances.empty()) return rows.front().time_s;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

void append(TimeCurve& curve, double begin_s, double end_s, double value) {
  if (end_s > begin_s) curve.intervals.push_back({begin_s, end_s, value});
}

// Each row is the mean of the window that ends at its time. A row more than half a window late follows windows without
// requests.
void append_windows(TimeCurve& curve, const std::vector<Row>& rows, bool rate) {
  const double window = window_of(rows);
  double end_s = 0;
  for (const Row& row : rows) {
    if (row.time_s <= end_s && end_s > 0)
      throw ConfigError({curve.file, row.line}, "time", "does not rise; with per_job_logs=0 several jobs share a log",
                        fmt::format("{:.0f}", 1000 * row.time_s), fmt::format("more than {:.0f}", 1000 * end_s));
    const bool late = row.time_s - end_s > 1.5 * window;
    const double begin_s = late ? row.time_s - window : end_s;
    if (late && rate) append(curve, end_s, begin_s, 0);
    append(curve, begin_s, row.time_s, row.value);
    end_s = row.time_s;
  }
}

struct Second {
  double requests = 0, bytes = 0, latency_ns = 0;
};

double value_of(const Second& second, Kind kind) {
  if (kind == Kind::iops) return second.requests;
  return kind == Kind::bandwidth ? second.bytes : second.latency_ns / second.requests;
}

// Sums requests per second; a second includes its end. The last second may be partial and gives no rate.
void append_seconds(TimeCurve& curve, const std::vector<Row>& rows, Kind kind) {
  std::map<std::int64_t, Second> seconds;
  for (const Row& row : rows) {
    Second& second = seconds[std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(row.time_s)) - 1)];
    second.requests += 1;
    second.bytes += row.block_bytes;
    second.latency_ns += row.value;
  }
  if (is_rate(kind) && seconds.size() > 1) seconds.erase(std::prev(seconds.end()));
  double end_s = 0;
  for (const auto& [number, second] : seconds) {
    const auto begin_s = static_cast<double>(number);
    if (is_rate(kind)) append(curve, end_s, begin_s, 0);
    append(curve, begin_s, begin_s + 1, value_of(second, kind));
    end_s = begin_s + 1;
  }
}

// Per-request rows have a block size; windows have 0.
bool are_windows(const std::vector<Row>& rows, const std::string& file) {
  const bool windows = rows.front().block_bytes == 0;
  for (const Row& row : rows) {
    if ((row.block_bytes == 0) != windows)
      throw ConfigError({file, row.line}, "block size", "is 0 in some rows only", fmt::format("{:g}", row.block_bytes),
                        "0 in every row (log_avg_msec), or in none");
  }
  return windows;
}

}  // namespace

std::optional<FioLogName> fio_log_name(std::string_view file_name) {
  if (!file_name.ends_with(".log")) return std::nullopt;
  std::string_view stem = file_name.substr(0, file_name.size() - 4);
  FioLogName name;
  const std::size_t dot = stem.rfind('.');
  if (dot != stem.npos && dot + 1 < stem.size() && stem.find_first_not_of("0123456789", dot + 1) == stem.npos) {
    name.job = stem.substr(dot + 1);
    stem = stem.substr(0, dot);
  }
  for (const auto& [word, kind] : kKinds) {
    if (!stem.ends_with(word)) continue;
    const std::string_view prefix = stem.substr(0, stem.size() - word.size());
    if (!prefix.empty() && !prefix.ends_with('_')) continue;
    name.prefix = prefix.empty() ? prefix : prefix.substr(0, prefix.size() - 1);
    name.kind = kind;
    return name;
  }
  return std::nullopt;
}

std::vector<FioLogRow> fio_log_rows(std::string_view text, const std::string& file, Kind kind) {
  const double most = kind == Kind::bandwidth ? kMostBytesPerS / kKib : kind == Kind::iops ? kMostIops : kMostLatencyNs;
  std::vector<FioLogRow> read;
  for (TextRows rows(text, file); rows.next();) {
    if (rows.columns() < 4 || rows.columns() > 7)
      rows.refuse("", fmt::format("has {} columns", rows.columns()), {}, "time, value, direction, block size and so on");
    FioLogRow row;
    row.time_ms = rows.number(0, "time", 0, kMostMs);
    row.value = rows.number(1, "value", 0, most);
    row.direction = direction_in(rows, 2);
    row.block_bytes = rows.number(3, "block size", 0, static_cast<double>(kMostBlockBytes));
    row.line = rows.line();
    read.push_back(row);
  }
  return read;
}

std::vector<TimeCurve> read_fio_log(std::string_view text, const std::string& file, const FioLogName& name) {
  const Rows rows = name.kind == Kind::histogram ? read_histograms(text, file)
                                                 : sorted(fio_log_rows(text, file, name.kind), name.kind);
  std::vector<TimeCurve> curves;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (rows[d].empty()) continue;
    TimeCurve curve;
    curve.quantity = quantity_of(name.kind);
    curve.direction = static_cast<Direction>(d);
    curve.label = name.prefix + (name.job.empty() ? "" : "." + name.job);
    curve.file = file;
    if (are_windows(rows[d], file)) {
      append_windows(curve, rows[d], is_rate(name.kind));
    } else {
      append_seconds(curve, rows[d], name.kind);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

namespace {

using Kind = FioLogName::Kind;

struct Log {
  std::filesystem::path path;
  FioLogName name;
};

bool is_better_known(const FioLogName& name, const std::vector<Log>& all) {
  constexpr std::array<Kind, 3> kBestFirst = {Kind::completion, Kind::latency, Kind::histogram};
  const auto rank = [&kBestFirst](Kind kind) {
    return std::find(kBestFirst.begin(), kBestFirst.end(), kind) - kBestFirst.begin();
  };
  if (rank(name.kind) == std::ssize(kBestFirst)) return false;
  return std::any_of(all.begin(), all.end(), [&](const Log& other) {
    return other.name.prefix == name.prefix && other.name.job == name.job && rank(other.name.kind) < rank(name.kind);
  });
}

std::vector<Log> logs_among(const std::vector<std::filesystem::path>& files) {
  std::vector<Log> all, best;
  for (const auto& path : files) {
    if (auto name = fio_log_name(path.filename().string())) all.push_back({path, std::move(*name)});
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(best),
               [&all](const Log& log) { return log.name.kind != Kind::submission && !is_better_known(log.name, all); });
  return best;
}

// Null if no point has the log's number.
const std::string* label_of(const FioLogName& name, const std::vector<std::string>& labels) {
  const std::size_t number = parsed<std::size_t>(name.job).value_or(0);
  return number >= 1 && number <= labels.size() ? &labels[number - 1] : nullptr;
}

using Interval = TimeCurve::Interval;

// The interval that contains `time_s`, or null.
const Interval* interval_at(const TimeCurve& curve, double time_s) {
  const auto found = std::partition_point(curve.intervals.begin(), curve.intervals.end(),
                                          [time_s](const Interval& interval) { return interval.end_s <= time_s; });
  return found != curve.intervals.end() && found->begin_s <= time_s ? &*found : nullptr;
}

// Sorted begin and end times of all intervals.
std::vector<double> borders(const std::vector<const TimeCurve*>& clones) {
  std::vector<double> times;
  for (const TimeCurve* const clone : clones) {
    for (const Interval& interval : clone->intervals) {
      times.push_back(interval.begin_s);
      times.push_back(interval.end_s);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

TimeCurve joined(const std::vector<const TimeCurve*>& clones) {
  TimeCurve curve = *clones.front();
  if (clones.size() == 1) return curve;
  curve.intervals.clear();
  const std::vector<double> times = borders(clones);
  const double share = curve.quantity == Quantity::latency_mean_ns ? 1.0 / static_cast<double>(clones.size()) : 1;
  for (std::size_t i = 1; i < times.size(); ++i) {
    Interval sum{times[i - 1], times[i], 0};
    bool all = true;
    for (const TimeCurve* const clone : clones) {
      const Interval* const part = interval_at(*clone, times[i - 1]);
      all = all && part != nullptr;
      if (all) sum.value += share * part->value;
    }
    if (all) curve.intervals.push_back(sum);
  }
  return curve;
}

}  // namespace

std::vector<TimeCurve> with_clones_joined(std::vector<TimeCurve> curves) {
  std::map<std::tuple<std::string, Quantity, Direction>, std::vector<const TimeCurve*>> groups;
  for (const TimeCurve& curve : curves) groups[{curve.label, curve.quantity, curve.direction}].push_back(&curve);
  std::vector<TimeCurve> result;
  for (const TimeCurve& curve : curves) {
    const auto& clones = groups[{curve.label, curve.quantity, curve.direction}];
    if (clones.front() != &curve) continue;
    TimeCurve one = joined(clones);
    if (!one.intervals.empty()) result.push_back(std::move(one));
  }
  return result;
}

std::vector<TimeCurve> read_logs(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& labels,
                                 const std::string& prefix) {
  const std::vector<Log> logs = logs_among(files);
  const bool labelled = std::all_of(logs.begin(), logs.end(), [&](const Log& log) { return label_of(log.name, labels); });
  std::vector<TimeCurve> curves;
  for (const Log& log : logs) {
    const std::string path = log.path.string();
    for (TimeCurve& curve : read_fio_log(read_text_file(path, kMostInputBytes), path, log.name)) {
      curve.label = labelled ? *label_of(log.name, labels) : prefix + curve.label;
      curves.push_back(std::move(curve));
    }
  }
  return labelled ? with_clones_joined(std::move(curves)) : curves;
}

}  // namespace ftlab
