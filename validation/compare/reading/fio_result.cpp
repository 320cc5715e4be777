#include "validation/compare/reading/fio_result.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <spdlog/fmt/fmt.h>

#include "validation/compare/reading/job_words.h"
#include "validation/compare/reading/limits.h"

namespace ftlab {
namespace {

constexpr double kMostCount = 1e18;  // requests, bytes, milliseconds: fits 64 bits

using Bins = std::map<double, double>;  // latency in ns -> requests

// One direction of one entry of `jobs`.
struct Entry {
  Point point;
  double requests = 0;
  Bins bins;  // empty: not reported
};

void add_words(const std::optional<JsonField>& options, JobWords& words) {
  if (!options) return;
  const std::vector<std::string> keys = options->keys();
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const JsonField value = options->at(*key);
    words.push_back({*key, value.text(), true, false, {value.file(), value.line()}});
  }
}

JobWords words_of(const JsonField& root, const JsonField& job) {
  JobWords words;
  add_words(job.find("job options"), words);
  add_words(root.find("global options"), words);
  return words;
}

double number_named(const JsonField& field, const std::string& name, double most) {
  double number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  if (!whole || !(number >= 0 && number <= most))
    field.refuse("is named by no number in range", fmt::format("0 to {}", most));
  return number;
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

Bins bins_of(const JsonField& latency) {
  Bins bins;
  if (const auto listed = latency.find("bins")) {
    for (const std::string& name : listed->keys()) {
      const JsonField count = listed->at(name);
      bins[number_named(count, name, kMostLatencyNs)] = count.number(0, kMostCount);
    }
  }
  return bins;
}

// Completion latency if measured, else total latency.
std::optional<JsonField> latency_of(const JsonField& direction) {
  for (const char* const key : {"clat_ns", "lat_ns"}) {
    const auto latency = direction.find(key);
    if (latency && latency->at("N").number(0, kMostCount) > 0) return latency;
  }
  return std::nullopt;
}

Entry entry_of(const JsonField& direction) {
  if (!direction.has("bw_bytes")) direction.refuse("has no bw_bytes, so this is not a result of fio 3", "fio 3.0 or later");
  Entry entry;
  entry.requests = direction.at("total_ios").number(0, kMostCount);
  entry.point.file = direction.file();
  entry.point.line = direction.line();
  entry.point.duration_s = direction.at("runtime").number(0, 1000 * kMostSeconds) / 1000;
  entry.point.iops = direction.at("iops").number(0, kMostIops);
  entry.point.bytes_per_s = direction.at("bw_bytes").number(0, kMostBytesPerS);
  if (const auto latency = latency_of(direction)) {
    entry.point.latency_mean_ns = latency->at("mean").number(0, kMostLatencyNs);
    entry.point.percentiles = percentiles_of(*latency);
    entry.bins = bins_of(*latency);
  }
  return entry;
}

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
std::vector<Percentile> percentiles_of(const std::vector<Entry>& clones) {
  Bins bins;
  for (const Entry& clone : clones) {
    if (clone.bins.empty()) return {};
    for (const auto& [ns, count] : clone.bins) bins[ns] += count;
  }
  std::vector<Percentile> percentiles = clones.front().point.percentiles;
  for (Percentile& percentile : percentiles) percentile.ns = percentile_of(bins, percentile.percent);
  return percentiles;
}

Point sum_of(const std::vector<Entry>& clones) {
  Point sum = clones.front().point;
  if (clones.size() == 1) return sum;
  double iops = 0, bytes = 0, latency = 0, requests = 0;
  bool timed = true;
  for (const Entry& clone : clones) {
    iops += *clone.point.iops;
    bytes += *clone.point.bytes_per_s;
    requests += clone.requests;
    timed = timed && clone.point.latency_mean_ns;
    if (timed) latency += *clone.point.latency_mean_ns * clone.requests;
    sum.duration_s = std::max(sum.duration_s, clone.point.duration_s);
  }
  sum.iops = iops;
  sum.bytes_per_s = bytes;
  sum.latency_mean_ns = timed && requests > 0 ? std::optional(latency / requests) : std::nullopt;
  sum.percentiles = percentiles_of(clones);
  return sum;
}

std::vector<std::pair<std::string, std::string>> options_of(const JsonField& job) {
  std::vector<std::pair<std::string, std::string>> options;
  if (const auto listed = job.find("job options")) {
    for (const std::string& key : listed->keys()) options.emplace_back(key, listed->at(key).text());
  }
  return options;
}

bool are_clones(const JsonField& a, const JsonField& b) {
  return a.at("jobname").text() == b.at("jobname").text() && options_of(a) == options_of(b) &&
         a.at("groupid").number(0, kMostCount) == b.at("groupid").number(0, kMostCount);
}

// Notes requests in a direction that the job's own rw does not have.
void note_unasked(const JsonField& job, Direction direction, const std::string& label, Measurement& measurement) {
  const auto found = job.find(name_of(direction));
  if (!found || found->at("total_ios").number(0, kMostCount) == 0) return;
  measurement.notes.push_back(fmt::format(
      "{}: {}s of job \"{}\" are left out, as its rw has none (read back by verify, or another job of its report group)",
      job.file(), name_of(direction), printable(label)));
}

// Number of entries, from `first`, that form one point: 1, or all clones of a job without group_reporting.
std::size_t entries_of_point(const std::vector<JsonField>& jobs, std::size_t first, std::uint64_t clones) {
  std::size_t alike = 1;
  while (alike < clones && first + alike < jobs.size() && are_clones(jobs[first], jobs[first + alike])) ++alike;
  if (alike == 1 || alike == clones) return alike;
  jobs[first].refuse(fmt::format("is one of {} entries of a job with numjobs={}", alike, clones),
                     "one entry (group_reporting), or one for each clone");
}

void note_error(const JsonField& job, const std::string& label, Measurement& measurement) {
  if (const auto error = job.find("error"); error && error->number(-kMostCount, kMostCount) != 0)
    measurement.notes.push_back(fmt::format("{}: job \"{}\" ended with error {:g}", job.file(), printable(label),
                                            error->number(-kMostCount, kMostCount)));
}

// Adds a point for one direction of the entries [first, end) of `jobs`.
void add_point(const std::vector<JsonField>& jobs, std::size_t first, std::size_t end, Direction direction,
               const Point& named, Measurement& measurement) {
  std::vector<Entry> clones;
  for (std::size_t i = first; i < end; ++i) {
    const auto found = jobs[i].find(name_of(direction));
    if (!found) continue;
    Entry entry = entry_of(*found);
    if (entry.requests > 0) clones.push_back(std::move(entry));
  }
  if (clones.empty()) {
    measurement.notes.push_back(
        fmt::format("{}: job \"{}\" completed no {}", jobs[first].file(), printable(named.label), name_of(direction)));
    return;
  }
  Point point = sum_of(clones);
  point.workload = named.workload;
  point.direction = direction;
  point.label = named.label;
  measurement.points.push_back(std::move(point));
}

// Adds the directions of the job that begins at `first` and one label per clone. Returns the index of the next job.
std::size_t add_points(const JsonField& root, const std::vector<JsonField>& jobs, std::size_t first,
                       const std::string& prefix, Measurement& measurement, std::vector<std::string>& labels) {
  const JsonField& job = jobs[first];
  const JobWords words = words_of(root, job);
  Point named;
  named.label = prefix + job.at("jobname").text();
  const std::uint64_t clones = workload_of(words, Direction::read).jobs;
  const std::size_t end = first + entries_of_point(jobs, first, clones);
  // ftlab's own runs never use a page cache.
  measurement.buffered = measurement.buffered || (!measurement.facts && is_buffered(words));
  labels.insert(labels.end(), std::min<std::size_t>(clones, kMostFiles - std::min(kMostFiles, labels.size())), named.label);
  note_error(job, named.label, measurement);
  if (job.has("mixed") && !job.has("read"))
    job.at("mixed").refuse("adds up all directions, which cannot be held against others", "unified_rw_reporting=none");
  for (const Direction direction : {Direction::read, Direction::write, Direction::trim}) {
    if (!goes(words, direction)) {
      note_unasked(job, direction, named.label, measurement);
      continue;
    }
    named.workload = workload_of(words, direction);
    add_point(jobs, first, end, direction, named, measurement);
  }
  return end;
}

}  // namespace

bool is_fio_result(const JsonField& root) { return root.has("fio version") && root.has("jobs"); }

std::vector<std::string> add_fio_points(const JsonField& root, const std::string& prefix, Measurement& measurement) {
  const std::vector<JsonField> jobs = root.at("jobs").items();
  std::vector<std::string> labels;
  for (std::size_t next = 0; next < jobs.size();) next = add_points(root, jobs, next, prefix, measurement, labels);
  return labels;
}

}  // namespace ftlab
