#include "validation/compare/reading/figure_file.h"

#include <algorithm>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "validation/compare/reading/job_words.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {
namespace {

constexpr double kMinute = 60;

void refuse_unknown(const JsonField& object, const std::vector<std::string>& known) {
  for (const std::string& key : object.keys()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      object.at(key).refuse("is not a known key", fmt::format("{}", fmt::join(known, ", ")), nearest_name(key, known));
  }
}

// "p99_9_us" is 99.9; empty for keys of another form.
std::optional<double> percent_named(std::string_view key) {
  if (!key.starts_with('p') || !key.ends_with("_us")) return std::nullopt;
  std::string digits(key.substr(1, key.size() - 4));
  std::replace(digits.begin(), digits.end(), '_', '.');
  return percent_in(digits);
}

void add_percentiles(const JsonField& object, Point& point) {
  for (const std::string& key : object.keys()) {
    if (const auto percent = percent_named(key))
      point.percentiles.push_back({*percent, object.at(key).number(0, kMostLatencyNs / 1e3) * 1e3});
  }
  std::sort(point.percentiles.begin(), point.percentiles.end(),
            [](const Percentile& a, const Percentile& b) { return a.percent < b.percent; });
}

// Values of a point as job options.
JobWords words_of(const JsonField& object) {
  JobWords words;
  for (const char* const key : {"rw", "bs", "iodepth", "numjobs", "rwmixread"}) {
    const auto value = object.find(key);
    if (!value) continue;
    const bool in_words = std::string_view(key) == "rw" || std::string_view(key) == "bs";
    const std::string text =
        in_words ? value->text() : std::to_string(static_cast<std::uint64_t>(value->whole_number(0, kMostDepth)));
    words.push_back({key, text, true, false, {value->file(), value->line()}});
  }
  words.push_back({"ioengine", "libaio", true, false, {}});  // asynchronous: a figure's depth is the effective one
  return words;
}

Direction direction_of(const JsonField& object, const JobWords& words) {
  const std::string name = object.at("direction").text();
  for (const Direction direction : {Direction::read, Direction::write, Direction::trim}) {
    if (name == name_of(direction) && goes(words, direction)) return direction;
  }
  object.at("direction").refuse("is not a direction of this rw", "read, write, trim, as rw says");
}

std::vector<std::string> known_keys(const JsonField& object) {
  std::vector<std::string> known = {"rw",           "direction",   "bs",          "iodepth",    "numjobs",
                                    "rwmixread",    "label",       "iops",        "bw_bytes",   "runtime_ms",
                                    "clat_mean_us", "clat_std_us", "clat_min_us", "clat_max_us"};
  for (const std::string& key : object.keys()) {
    if (percent_named(key)) known.push_back(key);
  }
  return known;
}

std::optional<double> number_if_given(const JsonField& object, const char* key, double most) {
  const auto field = object.find(key);
  return field ? std::optional(field->number(0, most)) : std::nullopt;
}

Point point_of(const JsonField& object) {
  refuse_unknown(object, known_keys(object));
  const JobWords words = words_of(object);
  for (const char* const key : {"rw", "direction", "bs", "iodepth", "numjobs"}) object.at(key);  // all are required
  Point point;
  point.direction = direction_of(object, words);
  point.workload = workload_of(words, point.direction);
  if (const auto label = object.find("label")) point.label = label->text();
  point.duration_s = number_if_given(object, "runtime_ms", 1000 * kMostSeconds).value_or(0) / 1000;
  point.iops = number_if_given(object, "iops", kMostIops);
  point.bytes_per_s = number_if_given(object, "bw_bytes", kMostBytesPerS);
  if (!point.bytes_per_s && point.iops && point.workload.block_bytes > 0)
    point.bytes_per_s = *point.iops * static_cast<double>(point.workload.block_bytes);
  if (const auto us = number_if_given(object, "clat_mean_us", kMostLatencyNs / 1e3)) point.latency_mean_ns = *us * 1e3;
  add_percentiles(object, point);
  point.file = object.file();
  point.line = object.line();
  return point;
}

std::vector<double> numbers(const JsonField& list, double most) {
  std::vector<double> values;
  for (const JsonField& item : list.items()) values.push_back(item.number(0, most));
  return values;
}

void refuse_unless_rising(const JsonField& list, const std::vector<double>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] < values[i - 1] + 1) list.items()[i].refuse("does not come after the minute before it");
  }
}

// Means per minute, starting with minute 0.
TimeCurve curve_of(const JsonField& list, const std::vector<double>& minutes, Direction direction) {
  const std::vector<double> values = numbers(list, kMostIops);
  if (values.size() != minutes.size())
    list.refuse(fmt::format("has {} values", values.size()), fmt::format("one for each of {} minutes", minutes.size()));
  TimeCurve curve;
  curve.quantity = Quantity::iops;
  curve.direction = direction;
  curve.file = list.file();
  for (std::size_t i = 0; i < values.size(); ++i)
    curve.intervals.push_back({minutes[i] * kMinute, (minutes[i] + 1) * kMinute, values[i]});
  return curve;
}

// Minima and deviations within a minute are also allowed in these files, but no curve is made of them.
void add_series(const JsonField& root, Measurement& measurement) {
  refuse_unknown(root, {"what", "source", "tool", "capacity_bytes", "minute", "read_iops_mean", "write_iops_mean",
                        "read_iops_min_1s", "write_iops_min_1s", "read_iops_sd_1s", "write_iops_sd_1s"});
  const std::vector<double> minutes = numbers(root.at("minute"), kMostSeconds / kMinute);
  refuse_unless_rising(root.at("minute"), minutes);
  for (const Direction direction : {Direction::read, Direction::write}) {
    if (const auto list = root.find(std::string(name_of(direction)) + "_iops_mean"))
      measurement.curves.push_back(curve_of(*list, minutes, direction));
  }
}

void add_points(const JsonField& root, Measurement& measurement) {
  refuse_unknown(root, {"what", "source", "tool", "capacity_bytes", "points"});
  for (const JsonField& object : root.at("points").items()) measurement.points.push_back(point_of(object));
}

}  // namespace

bool is_figure_file(const JsonField& root) { return root.has("points") || root.has("minute"); }

void add_figures(const JsonField& root, Measurement& measurement) {
  measurement.what = root.at("what").text();
  measurement.source = root.at("source").text();
  if (const auto bytes = root.find("capacity_bytes")) measurement.capacity_bytes = bytes->whole_number(512, kMostBytes);
  if (root.has("points")) {
    add_points(root, measurement);
  } else {
    add_series(root, measurement);
  }
}

}  // namespace ftlab
