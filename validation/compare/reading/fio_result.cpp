#include "validation/compare/reading/fio_result.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <spdlog/fmt/fmt.h>

#include "sim/config/split.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {
namespace {

double number_named(const JsonField& field, const std::string& name, double most) {
  const auto number = parsed<double>(name);
  if (!number || !(*number >= 0 && *number <= most))
    field.refuse("is named by no number in range", fmt::format("0 to {}", most));
  return *number;
}

std::vector<Percentile> percentiles_of(const JsonField& latency) {
  std::map<double, double> sorted;
  if (const auto listed = latency.find("percentile")) {
    for (const std::string& name : listed->keys()) {
      const JsonField value = listed->at(name);
      sorted[number_named(value, name, 100)] = value.number(0, kMostLatencyNs);
    }
  }
  std::vector<Percentile> percentiles;
  for (const auto& [percent, ns] : sorted) percentiles.push_back({percent, ns});
  return percentiles;
}

std::map<double, double> bins_of(const JsonField& latency) {
  std::map<double, double> bins;
  if (const auto listed = latency.find("bins")) {
    for (const std::string& name : listed->keys()) {
      const JsonField count = listed->at(name);
      bins[number_named(count, name, kMostLatencyNs)] = count.number(0, kMostCount);
    }
  }
  return bins;
}

// The first of two latencies that was measured.
std::optional<JsonField> latency_of(const JsonField& direction, const char* first, const char* second) {
  for (const char* const key : {first, second}) {
    const auto latency = direction.find(key);
    if (latency && latency->at("N").number(0, kMostCount) > 0) return latency;
  }
  return std::nullopt;
}

FioLatency read_latency(const JsonField& field) {
  FioLatency latency;
  latency.mean_ns = field.at("mean").number(0, kMostLatencyNs);
  if (const auto max = field.find("max")) latency.max_ns = max->number(0, kMostLatencyNs);
  latency.percentiles = percentiles_of(field);
  latency.bins = bins_of(field);
  return latency;
}

std::vector<Setting> options_in(const std::optional<JsonField>& field) {
  std::vector<Setting> options;
  if (!field) return options;
  for (const std::string& key : field->keys()) {
    const JsonField value = field->at(key);
    options.push_back({key, value.text(), true, false, {value.file(), value.line()}});
  }
  return options;
}

FioJob read_job(const JsonField& field, const std::vector<Setting>& global_options) {
  FioJob job{field, field.at("jobname").text(), options_in(field.find("job options")), {}, 0};
  job.words.assign(job.options.rbegin(), job.options.rend());
  job.words.insert(job.words.end(), global_options.rbegin(), global_options.rend());
  if (const auto error = field.find("error")) job.error = error->number(-kMostCount, kMostCount);
  return job;
}

}  // namespace

std::optional<FioFigures> FioJob::figures(const char* direction) const {
  const auto entry = field.find(direction);
  if (!entry) return std::nullopt;
  if (!entry->has("bw_bytes")) entry->refuse("has no bw_bytes, so this is not a result of fio 3", "fio 3.0 or later");
  FioFigures figures{*entry};
  figures.requests = entry->at("total_ios").number(0, kMostCount);
  figures.duration_s = entry->at("runtime").number(0, 1000 * kMostSeconds) / 1000;
  figures.iops = entry->at("iops").number(0, kMostIops);
  figures.bytes_per_s = entry->at("bw_bytes").number(0, kMostBytesPerS);
  if (const auto latency = latency_of(*entry, "clat_ns", "lat_ns")) figures.completion = read_latency(*latency);
  if (const auto total = latency_of(*entry, "lat_ns", "clat_ns"))
    figures.total_mean_ns = total->at("mean").number(0, kMostLatencyNs);
  return figures;
}

FioJobs read_fio_jobs(const JsonField& root) {
  FioJobs read;
  read.global_options = options_in(root.find("global options"));
  for (const JsonField& field : root.at("jobs").items()) read.jobs.push_back(read_job(field, read.global_options));
  return read;
}

namespace {

using Bins = std::map<double, double>;

double percentile_of(const Bins& bins, double percent) {
  double total = 0, below = 0;
  for (const auto& [ns, count] : bins) total += count;
  const double rank = std::max(1.0, std::ceil(percent / 100 * total));
  for (const auto& [ns, count] : bins) {
    below += count;
    if (below >= rank) return ns;
  }
  return bins.rbegin()->first;
}

// Percentiles of all clones together, which need bins.
std::vector<Percentile> percentiles_of(const std::vector<FioFigures>& clones) {
  Bins bins;
  for (const FioFigures& clone : clones) {
    if (!clone.completion || clone.completion->bins.empty()) return {};
    for (const auto& [ns, count] : clone.completion->bins) bins[ns] += count;
  }
  std::vector<Percentile> percentiles = clones.front().completion->percentiles;
  for (Percentile& percentile : percentiles) percentile.ns = percentile_of(bins, percentile.percent);
  return percentiles;
}

Point point_of(const FioFigures& figures) {
  Point point;
  point.file = figures.field.file();
  point.line = figures.field.line();
  point.duration_s = figures.duration_s;
  point.iops = figures.iops;
  point.bytes_per_s = figures.bytes_per_s;
  if (figures.completion) {
    point.latency_mean_ns = figures.completion->mean_ns;
    point.percentiles = figures.completion->percentiles;
  }
  return point;
}

Point sum_of(const std::vector<FioFigures>& clones) {
  Point sum = point_of(clones.front());
  if (clones.size() == 1) return sum;
  double iops = 0, bytes = 0, latency = 0, requests = 0;
  bool timed = true;
  for (const FioFigures& clone : clones) {
    iops += clone.iops;
    bytes += clone.bytes_per_s;
    requests += clone.requests;
    timed = timed && clone.completion;
    if (timed) latency += clone.completion->mean_ns * clone.requests;
    sum.duration_s = std::max(sum.duration_s, clone.duration_s);
  }
  sum.iops = iops;
  sum.bytes_per_s = bytes;
  sum.latency_mean_ns = timed && requests > 0 ? std::optional(latency / requests) : std::nullopt;
  sum.percentiles = percentiles_of(clones);
  return sum;
}

bool same_option(const Setting& a, const Setting& b) { return a.key == b.key && a.value == b.value; }

bool are_clones(const FioJob& a, const FioJob& b) {
  const auto group = [](const FioJob& job) { return job.field.at("groupid").number(0, kMostCount); };
  return a.name == b.name && std::ranges::equal(a.options, b.options, same_option) && group(a) == group(b);
}

// Notes requests in a direction that the job's own rw does not have.
void note_unasked(const FioJob& job, Direction direction, const std::string& label, Measurement& measurement) {
  const auto found = job.field.find(name_of(direction));
  if (!found || found->at("total_ios").number(0, kMostCount) == 0) return;
  measurement.notes.push_back(fmt::format(
      "{}: {}s of job \"{}\" are left out, as its rw has none (read back by verify, or another job of its report group)",
      job.field.file(), name_of(direction), printable(label)));
}

// Number of entries, from `first`, that form one point: 1, or all clones of a job without group_reporting.
std::size_t entries_of_point(const std::vector<FioJob>& jobs, std::size_t first, std::uint64_t clones) {
  std::size_t alike = 1;
  while (alike < clones && first + alike < jobs.size() && are_clones(jobs[first], jobs[first + alike])) ++alike;
  if (alike == 1 || alike == clones) return alike;
  jobs[first].field.refuse(fmt::format("is one of {} entries of a job with numjobs={}", alike, clones),
                           "one entry (group_reporting), or one for each clone");
}

void note_error(const FioJob& job, const std::string& label, Measurement& measurement) {
  if (job.error != 0)
    measurement.notes.push_back(
        fmt::format("{}: job \"{}\" ended with error {:g}", job.field.file(), printable(label), job.error));
}

// Adds a point for one direction of the entries [first, end) of `jobs`.
void add_point(const std::vector<FioJob>& jobs, std::size_t first, std::size_t end, Direction direction, const Point& named,
               Measurement& measurement) {
  std::vector<FioFigures> clones;
  for (std::size_t i = first; i < end; ++i) {
    auto figures = jobs[i].figures(name_of(direction));
    if (figures && figures->requests > 0) clones.push_back(std::move(*figures));
  }
  if (clones.empty()) {
    measurement.notes.push_back(fmt::format("{}: job \"{}\" completed no {}", jobs[first].field.file(),
                                            printable(named.label), name_of(direction)));
    return;
  }
  Point point = sum_of(clones);
  point.workload = named.workload;
  point.direction = direction;
  point.label = named.label;
  measurement.points.push_back(std::move(point));
}

// Adds the directions of the job that begins at `first` and one label per clone. Returns the index of the next job.
std::size_t add_points(const std::vector<FioJob>& jobs, std::size_t first, const std::string& prefix,
                       Measurement& measurement, std::vector<std::string>& labels) {
  const FioJob& job = jobs[first];
  Point named;
  named.label = prefix + job.name;
  const std::uint64_t clones = workload_of(job.words, Direction::read).jobs;
  const std::size_t end = first + entries_of_point(jobs, first, clones);
  // ftlab's own runs never use a page cache.
  measurement.buffered = measurement.buffered || (!measurement.facts && is_buffered(job.words));
  labels.insert(labels.end(), std::min<std::size_t>(clones, kMostFiles - std::min(kMostFiles, labels.size())), named.label);
  note_error(job, named.label, measurement);
  if (job.field.has("mixed") && !job.field.has("read"))
    job.field.at("mixed").refuse("adds up all directions, which cannot be held against others", "unified_rw_reporting=none");
  for (const Direction direction : {Direction::read, Direction::write, Direction::trim}) {
    if (!goes(job.words, direction)) {
      note_unasked(job, direction, named.label, measurement);
      continue;
    }
    named.workload = workload_of(job.words, direction);
    add_point(jobs, first, end, direction, named, measurement);
  }
  return end;
}

}  // namespace

bool is_fio_result(const JsonField& root) { return root.has("fio version") && root.has("jobs"); }

std::vector<std::string> add_fio_points(const JsonField& root, const std::string& prefix, Measurement& measurement) {
  const FioJobs read = read_fio_jobs(root);
  std::vector<std::string> labels;
  for (std::size_t next = 0; next < read.jobs.size();) next = add_points(read.jobs, next, prefix, measurement, labels);
  return labels;
}

}  // namespace ftlab
