#include "validation/compare/reading/fio_jobs.h"

#include <charconv>

#include <spdlog/fmt/fmt.h>

#include "validation/compare/reading/limits.h"

namespace ftlab {
namespace {

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

}  // namespace ftlab
