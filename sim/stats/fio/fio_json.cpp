#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/stats/fio/fio_report.h"
#include "sim/stats/fio/report_group.h"
#include "sim/stats/rate.h"

namespace ftlab {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFailed = 5;  // EIO, which fio reports when a device fails a request

// fio prints six decimals. IEEE arithmetic fixes the rounding and the shortest text of the result: the same bytes on every
// machine.
double six_decimals(double value) { return std::round(value * 1e6) / 1e6; }

// User text with bytes that are not UTF-8 replaced, because JSON allows only UTF-8.
std::string utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

Json options(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[utf8(name)] = utf8(value);
  return object;
}

Json latency(const Histogram& histogram) {
  return {{"min", histogram.min_ns()},
          {"max", histogram.max_ns()},
          {"mean", six_decimals(histogram.mean_ns())},
          {"stddev", six_decimals(histogram.stddev_ns())},
          {"N", histogram.count()}};
}

std::string percentile_name(double percent) {
  std::array<char, 64> name;
  std::snprintf(name.data(), name.size(), "%.6f", percent);
  std::replace(name.begin(), name.end(), ',', '.');  // the process's locale may have a decimal comma
  return name.data();
}

// Omits percentile 0, which is not a latency; fio ends its list there.
Json percentiles(const Histogram& histogram, const std::vector<double>& list) {
  Json object = Json::object();
  for (const double percent : list) {
    if (percent > 0) object[percentile_name(percent)] = histogram.percentile_ns(percent);
  }
  return object;
}

Json bins(const Histogram& histogram) {
  Json object = Json::object();
  for (std::size_t i = 0; i < Histogram::kBinCount; ++i) {
    if (histogram.bin(i) > 0) object[std::to_string(Histogram::bin_value(i))] = histogram.bin(i);
  }
  return object;
}

// Adds percentiles and bins; for each kind of latency whose percentiles the job requests.
Json latency_with_bins(const Histogram& histogram, const std::vector<double>& list) {
  Json object = latency(histogram);
  if (histogram.count() == 0) return object;
  if (!list.empty()) object["percentile"] = percentiles(histogram, list);
  object["bins"] = bins(histogram);
  return object;
}

std::uint64_t milliseconds(Nanoseconds time) { return (time.count() + 500'000) / 1'000'000; }

// In whole milliseconds, but at least 1 if there were requests: readers divide by it.
std::uint64_t runtime_ms(const DirectionReport& report) {
  return report.requests == 0 ? 0 : std::max<std::uint64_t>(1, milliseconds(report.runtime));
}

double exact_rate(std::uint64_t amount, Nanoseconds time) {
  if (time.count() == 0) return 0;
  return static_cast<double>(amount) * 1e9 / static_cast<double>(time.count());
}

// The samples' mean as a share of the bandwidth of the whole fio group, rounded and capped as in fio.
double share_of_group(const DirectionReport& report, std::uint64_t group_bytes_s) {
  if (report.bandwidth_kib_s.count == 0) return 0;
  if (group_bytes_s <= 1024) return 100;
  const double share = std::floor(report.bandwidth_kib_s.mean) * 100 / (static_cast<double>(group_bytes_s) / 1024);
  return std::min(100.0, share);
}

void add_amounts(Json& object, const DirectionReport& report) {
  object["io_bytes"] = report.bytes;
  object["io_kbytes"] = report.bytes / 1024;
  object["bw_bytes"] = per_s(report.bytes, report.runtime);
  object["bw"] = kib_per_s(report.bytes, report.runtime);
  object["iops"] = six_decimals(exact_rate(report.requests, report.runtime));
  object["runtime"] = runtime_ms(report);
  object["total_ios"] = report.requests;
  object["short_ios"] = 0;
  object["drop_ios"] = 0;
}

void add_samples(Json& object, const DirectionReport& report, std::uint64_t group_bytes_s) {
  object["bw_min"] = report.bandwidth_kib_s.min;
  object["bw_max"] = report.bandwidth_kib_s.max;
  object["bw_agg"] = six_decimals(share_of_group(report, group_bytes_s));
  object["bw_mean"] = six_decimals(report.bandwidth_kib_s.mean);
  object["bw_dev"] = six_decimals(report.bandwidth_kib_s.deviation());
  object["bw_samples"] = report.bandwidth_kib_s.count;
  object["iops_min"] = report.iops.min;
  object["iops_max"] = report.iops.max;
  object["iops_mean"] = six_decimals(report.iops.mean);
  object["iops_stddev"] = six_decimals(report.iops.deviation());
  object["iops_samples"] = report.iops.count;
}

Json latency_as_asked(const Histogram& histogram, bool with_bins, const Job& job) {
  return with_bins ? latency_with_bins(histogram, job.percentiles) : latency(histogram);
}

Json direction(const DirectionReport& report, const Job& job, std::uint64_t group_bytes_s) {
  Json object = Json::object();
  add_amounts(object, report);
  object["slat_ns"] = latency({});  // the model has no submission latency
  object["clat_ns"] = latency_as_asked(report.latency, job.completion_percentiles, job);
  object["lat_ns"] = latency_as_asked(report.latency, job.total_percentiles, job);
  add_samples(object, report, group_bytes_s);
  return object;
}

// Counts as percentages of their total. As in fio, a count above 0 is shown as at least `least`.
template <class Counts, class Names>
Json shares(const Counts& counts, const Names& names, std::uint64_t total, double least) {
  Json object = Json::object();
  auto name = std::begin(names);
  for (const std::uint64_t count : counts) {
    const double share = total == 0 ? 0 : static_cast<double>(count) / static_cast<double>(total) * 100;
    object[*name++] = six_decimals(count == 0 ? 0 : std::max(least, share));
  }
  return object;
}

constexpr std::array<const char*, 7> kDepthLevels = {"1", "2", "4", "8", "16", "32", ">=64"};
constexpr std::array<const char*, 7> kBatchLevels = {"0", "4", "8", "16", "32", "64", ">=64"};

// Shares of the calls, not of the requests.
Json batches(const BatchLevels& by_size) {
  return shares(by_size, kBatchLevels, std::accumulate(by_size.begin(), by_size.end(), std::uint64_t{0}), 0.1);
}

// fio's latency classes: a request belongs to the first class whose limit is above its latency.
constexpr std::array<std::uint64_t, 10> kLimits = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000};
constexpr std::array<const char*, 12> kLimitNames = {"2",   "4",   "10",  "20",   "50",   "100",
                                                     "250", "500", "750", "1000", "2000", ">=2000"};

struct LatencyClasses {
  std::array<std::uint64_t, 10> ns{};
  std::array<std::uint64_t, 10> us{};
  std::array<std::uint64_t, 12> ms{};

  void add(std::uint64_t latency_ns, std::uint64_t count);
};

std::size_t class_of(std::uint64_t value) {
  return static_cast<std::size_t>(std::upper_bound(kLimits.begin(), kLimits.end(), value) - kLimits.begin());
}

void LatencyClasses::add(std::uint64_t latency_ns, std::uint64_t count) {
  const std::uint64_t latency_us = latency_ns / 1000;
  const std::uint64_t latency_ms = latency_us / 1000;
  if (latency_ns < 1000) {
    ns[class_of(latency_ns)] += count;
  } else if (latency_us < 1000) {
    us[class_of(latency_us)] += count;
  } else {
    ms[latency_ms < 2000 ? class_of(latency_ms) : 11] += count;
  }
}

// Uses the middles of the histogram's bins: a limit within a bin is off by at most 1/128.
LatencyClasses latency_classes(const ReportGroup& group) {
  LatencyClasses classes;
  for (const DirectionReport& report : group.directions) {
    for (std::size_t i = 0; i < Histogram::kBinCount; ++i) {
      if (report.latency.bin(i) > 0) classes.add(Histogram::bin_value(i), report.latency.bin(i));
    }
  }
  return classes;
}

void add_distributions(Json& object, const ReportGroup& group) {
  const std::uint64_t requests = group.requests();
  const LatencyClasses classes = latency_classes(group);
  object["iodepth_level"] = shares(group.by_depth, kDepthLevels, requests, 0.1);
  object["iodepth_submit"] = batches(group.submits);
  object["iodepth_complete"] = batches(group.reaps);
  object["latency_ns"] = shares(classes.ns, kLimitNames, requests, 0.01);
  object["latency_us"] = shares(classes.us, kLimitNames, requests, 0.01);
  object["latency_ms"] = shares(classes.ms, kLimitNames, requests, 0.01);
}

void add_host(Json& object, const ReportGroup& group) {
  object["job_runtime"] = milliseconds(group.job_time);
  object["usr_cpu"] = 0.0;
  object["sys_cpu"] = 0.0;
  object["ctx"] = 0;
  object["majf"] = 0;
  object["minf"] = 0;
}

void add_latency_target(Json& object, const ReportGroup& group) {
  const LatencyTarget& target = group.first->flow.target;
  object["latency_depth"] = group.depth;
  object["latency_target"] = target.latency.count();
  object["latency_percentile"] = target.percentile;
  object["latency_window"] = target.window.count() / 1000;  // fio's is in microseconds
}

// For example "10.500000%".
std::string six_decimals_text(double value, bool percent) { return percentile_name(value) + (percent ? "%" : ""); }

Json samples_of(const std::vector<std::uint64_t>& samples, std::size_t count) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i) list.push_back(i < samples.size() ? samples[i] : 0);
  return list;
}

std::uint64_t mean_of(const std::vector<std::uint64_t>& samples) {
  const std::uint64_t sum = std::accumulate(samples.begin(), samples.end(), std::uint64_t{0});
  return samples.empty() ? 0 : sum / samples.size();
}

const char* name_of(SteadyCriterion::Figure figure) {
  constexpr const char* kNames[] = {"iops", "bw", "lat"};
  return kNames[static_cast<std::size_t>(figure)];
}

Json steady_samples(const SteadyResult& steady, std::size_t count) {
  Json data = {{"bw_mean", mean_of(steady.bytes_per_s)},
               {"iops_mean", mean_of(steady.iops)},
               {"iops", samples_of(steady.iops, count)},
               {"bw", samples_of(steady.bytes_per_s, count)}};
  if (steady.wanted.figure != SteadyCriterion::Figure::latency) return data;
  data["lat_mean"] = mean_of(steady.latency_ns);
  data["lat"] = samples_of(steady.latency_ns, count);
  return data;
}

// As in fio, samples that were not taken are zeros.
Json steady_state(const SteadyResult& steady) {
  const SteadyCriterion& wanted = steady.wanted;
  const auto count = static_cast<std::size_t>(wanted.duration.count() / wanted.interval.count());
  const std::string name = std::string(name_of(wanted.figure)) + (wanted.slope ? "_slope" : "");
  return {{"ss", name + ":" + six_decimals_text(wanted.limit, wanted.percent)},
          {"duration", wanted.duration.count() / 1'000'000'000},
          {"attained", steady.attained ? 1 : 0},
          {"criterion", six_decimals_text(steady.criterion, wanted.percent)},
          {"max_deviation", six_decimals(steady.max_deviation)},
          {"slope", six_decimals(steady.slope)},
          {"data", steady_samples(steady, count)}};
}

// fio's "sync" has bins if completion percentiles are requested.
Json flushes(const ReportGroup& group) {
  const Job& job = *group.first;
  return {{"total_ios", group.flushes.full},
          {"lat_ns", latency_as_asked(group.flushes.latency, job.completion_percentiles, job)}};
}

void add_directions(Json& object, const ReportGroup& group, const PerDirection<std::uint64_t>& bandwidth) {
  const Job& job = *group.first;
  constexpr const char* kNames[kDirectionCount] = {"read", "write", "trim"};
  const bool apart = job.choices.unified != Unified::mixed;
  for (std::size_t d = 0; d < kDirectionCount && apart; ++d)
    object[kNames[d]] = direction(group.directions[d], job, bandwidth[d]);
  if (apart) object["sync"] = flushes(group);
  if (job.choices.unified == Unified::apart) return;
  object["mixed"] = direction(group.mixed(), job, std::accumulate(bandwidth.begin(), bandwidth.end(), std::uint64_t{0}));
}

using GroupBandwidth = PerDirection<std::uint64_t>;  // bytes per second

Json entry(const ReportGroup& group, const GroupBandwidth& bandwidth, std::uint64_t elapsed_s) {
  const Job& job = *group.first;
  Json object = {{"jobname", utf8(job.name)},
                 {"groupid", group.group},
                 {"error", group.error != 0   ? group.error
                           : group.failed > 0 ? kFailed
                                              : 0},
                 {"eta", 0},
                 {"elapsed", elapsed_s},
                 {"job options", options(job.options)}};
  add_directions(object, group, bandwidth);
  add_host(object, group);
  add_distributions(object, group);
  add_latency_target(object, group);
  if (group.steady) object["steadystate"] = steady_state(*group.steady);
  for (const auto& [name, value] : job.options) {
    if (name == "description") object["desc"] = utf8(value);
  }
  return object;
}

// Bandwidth of all jobs with this groupid: all bytes over the longest runtime.
GroupBandwidth group_bandwidth(const std::vector<ReportGroup>& groups, std::size_t id) {
  GroupBandwidth bandwidth{};
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    std::uint64_t bytes = 0;
    Nanoseconds longest{0};
    for (const ReportGroup& group : groups) {
      if (group.group != id) continue;
      bytes += group.directions[d].bytes;
      longest = std::max(longest, group.directions[d].runtime);
    }
    bandwidth[d] = per_s(bytes, longest);
  }
  return bandwidth;
}

// Seconds since the start of the first job, including its delay and ramp, rounded up.
std::uint64_t elapsed_s(const RunStats& run) {
  Nanoseconds first = run.ended;
  for (const JobStats& stats : run.jobs) {
    const Nanoseconds before = stats.job->ramp + stats.job->start_delay;
    first = std::min(first, stats.started - std::min(stats.started, before));
  }
  return ((run.ended - first).count() + 999'999'999) / 1'000'000'000;
}

}  // namespace

Json fio_json(const RunStats& run) {
  const std::vector<ReportGroup> groups = report_groups(run);
  Json document = {{"fio version", "fio-3.33"},
                   {"timestamp", 0},
                   {"timestamp_ms", 0},
                   {"time", "Thu Jan  1 00:00:00 1970"},
                   {"global options", Json::object()},
                   {"jobs", Json::array()},
                   {"disk_util", Json::array()}};
  if (!run.jobs.empty()) document["global options"] = options(run.jobs.front().job->global_options);
  for (const ReportGroup& group : groups) {
    document["jobs"].push_back(entry(group, group_bandwidth(groups, group.group), elapsed_s(run)));
  }
  return document;
}

}  // namespace ftlab
