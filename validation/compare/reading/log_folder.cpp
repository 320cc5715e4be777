#include "validation/compare/reading/log_folder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <tuple>

#include "sim/config/file.h"
#include "validation/compare/reading/fio_log.h"
#include "validation/compare/reading/limits.h"

namespace ftlab {
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
  std::size_t number = 0;
  const char* const end = name.job.data() + name.job.size();
  const auto [rest, error] = std::from_chars(name.job.data(), end, number);
  const bool known = error == std::errc() && rest == end && number >= 1 && number <= labels.size();
  return known ? &labels[number - 1] : nullptr;
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
