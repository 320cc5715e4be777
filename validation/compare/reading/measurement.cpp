#include "validation/compare/reading/measurement.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <spdlog/fmt/fmt.h>

#include "sim/config/file.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "validation/compare/reading/figure_file.h"
#include "validation/compare/reading/fio_log.h"
#include "validation/compare/reading/fio_result.h"
#include "validation/compare/reading/json_field.h"
#include "validation/compare/reading/text_table.h"

namespace ftlab {
namespace {

constexpr double kMost = 1e24;  // bytes, counts

// The value at `path`, if all keys exist.
std::optional<JsonField> find(JsonField field, std::initializer_list<const char*> path) {
  for (const char* const key : path) {
    const auto next = field.find(key);
    if (!next) return std::nullopt;
    field = *next;
  }
  return field;
}

std::optional<double> number(const JsonField& field, std::initializer_list<const char*> path) {
  const auto found = find(field, path);
  return found && !found->is_null() ? std::optional(found->number(0, kMost)) : std::nullopt;
}

std::optional<RunFacts::WriteAmplification> amplification(const JsonField& ftlab) {
  const auto whole = number(ftlab, {"wa", "total"});
  const auto written = number(ftlab, {"traffic", "host_write_bytes"});
  if (!whole || !written || *written == 0 || !ftlab.has("erases")) return std::nullopt;
  RunFacts::WriteAmplification wa;
  wa.whole_run = *whole;
  const auto at_end = ftlab.find("wa_at_end");
  if (!at_end || at_end->is_null()) return wa;
  wa.at_end = at_end->at("total").number(0, kMost);
  wa.steady = at_end->at("steady").truth();
  wa.why_not_steady = at_end->at("why_not_steady").text();
  return wa;
}

// Early versions list failed checks here as plain strings.
std::vector<RunFacts::Problem> problems_in(const JsonField& list) {
  std::vector<RunFacts::Problem> problems;
  for (const JsonField& item : list.items())
    if (item.has("code")) problems.push_back({item.at("code").text(), item.at("text").text(), item.at("remedy").text()});
  return problems;
}

RunFacts::Intervals intervals_in(const JsonField& field) {
  RunFacts::Intervals intervals;
  intervals.known = field.at("known").text();
  intervals.level = field.at("level").number(0, 1);
  for (const JsonField& job : field.at("jobs").items()) {
    for (const std::string& key : job.keys()) {
      if (key == "job" || key == "direction" || key == "load") continue;
      const std::vector<JsonField> ends = job.at(key).items();
      if (ends.size() != 2) job.at(key).refuse("is no interval", "[low, high]");
      intervals.bounds.push_back({job.at("job").text(), job.at("direction").text(), key, ends[0].number(0, kMost),
                                  ends[1].number(0, kMost)});
    }
  }
  return intervals;
}

}  // namespace

RunFacts read_run_facts(const JsonField& ftlab) {
  RunFacts facts;
  facts.simulated = ftlab.has("simulator");
  const auto clock = ftlab.find("clock");
  facts.untimed = clock && clock->text() == "untimed";
  if (const auto why = ftlab.find("ended_because")) facts.ended_because = why->text();
  if (const auto drive = ftlab.find("drive"); drive && facts.simulated) facts.drive = drive->json();
  if (const auto host = find(ftlab, {"host", "name"}); host && facts.simulated) facts.host = host->text();
  const auto simulated_bytes = number(ftlab, {"over_provisioning", "user_bytes"});
  const auto measured_bytes = number(ftlab, {"device", "size_bytes"});
  facts.capacity_bytes = static_cast<std::uint64_t>(simulated_bytes.value_or(measured_bytes.value_or(0)));
  if (const auto problems = ftlab.find("problems")) facts.problems = problems_in(*problems);
  facts.wa = amplification(ftlab);
  facts.erases_per_block = number(ftlab, {"erases", "per_block_mean"});
  facts.blocks_erased = number(ftlab, {"erases", "blocks_erased"});
  facts.tbw_bytes = number(ftlab, {"endurance", "tbw_bytes"});
  if (const auto intervals = ftlab.find("intervals"); intervals && !intervals->is_null())
    facts.intervals = intervals_in(*intervals);
  return facts;
}

namespace fs = std::filesystem;
namespace {

constexpr const char* kForms =
    "a result of ftlab (a folder with result.json), fio's JSON or logs, a figure file, or a folder of those";

// Files and folders in a folder, sorted by name.
struct Listing {
  std::vector<fs::path> files, folders;
};

Listing list(const fs::path& folder) {
  Listing listing;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_directory()) listing.folders.push_back(entry.path());
      if (entry.is_regular_file()) listing.files.push_back(entry.path());
      if (listing.files.size() + listing.folders.size() > kMostFiles)
        throw ConfigError({folder.string(), 0}, "", "holds too many files", {}, std::to_string(kMostFiles));
    }
  } catch (const fs::filesystem_error& error) {
    throw ConfigError({folder.string(), 0}, "", "cannot be read: " + error.code().message());
  }
  std::sort(listing.files.begin(), listing.files.end());
  std::sort(listing.folders.begin(), listing.folders.end());
  return listing;
}

void add_curves(std::vector<TimeCurve> curves, Measurement& measurement) {
  std::move(curves.begin(), curves.end(), std::back_inserter(measurement.curves));
}

void add_series_file(const fs::path& path, const std::string& label, Measurement& measurement) {
  std::vector<TimeCurve> curves = read_series(read_text_file(path.string(), kMostInputBytes), path.string());
  for (TimeCurve& curve : curves) curve.label = label;
  add_curves(std::move(curves), measurement);
}

void note_what_ftlab_says(const JsonField& root, Measurement& measurement) {
  const auto ftlab = root.find("ftlab");
  if (!ftlab) return;
  if (root.has("jobs")) measurement.facts = read_run_facts(*ftlab);
  if (measurement.facts) measurement.capacity_bytes = measurement.facts->capacity_bytes;
  if (const auto drive = ftlab->find("drive"); drive && drive->has("name")) measurement.what = drive->at("name").text();
  const auto failed = ftlab->find("failed_checks");
  if (failed && !failed->items().empty())
    measurement.notes.push_back(root.file() + ": the result failed its own checks (ftlab.failed_checks)");
}

// Time that a simulated host's thread spends on a request before submission. The simulator's latency includes it; fio's
// completion latency does not.
struct SubmissionTimes {
  double of_reads = 0, of_writes = 0;
  double of(Direction direction) const { return direction == Direction::read ? of_reads : of_writes; }
};

SubmissionTimes submission_ns(const JsonField& root) {
  const auto ftlab = root.find("ftlab");
  if (!ftlab || !ftlab->has("simulator")) return {};
  const auto host = ftlab->find("host");
  const auto time = [&host](const char* key) {
    const auto submit = host ? host->find(key) : std::nullopt;
    if (!submit) return 0.0;
    return submit->has("value") ? submit->at("value").number(0, kMostLatencyNs) : submit->number(0, kMostLatencyNs);
  };
  const double both = time("submit_ns");
  return {both + time("read_submit_ns"), both + time("write_submit_ns")};
}

// Subtracts the submission time from latencies, from `point` and `curve` on, as fio counts them.
void begin_at_submission(const SubmissionTimes& times, std::size_t point, std::size_t curve, Measurement& measurement) {
  const auto later = [&times](double& ns, Direction direction) { ns = std::max(ns - times.of(direction), 0.0); };
  for (; point < measurement.points.size(); ++point) {
    Point& p = measurement.points[point];
    if (p.latency_mean_ns) later(*p.latency_mean_ns, p.direction);
    for (Percentile& percentile : p.percentiles) later(percentile.ns, p.direction);
  }
  for (; curve < measurement.curves.size(); ++curve) {
    if (measurement.curves[curve].quantity != Quantity::latency_mean_ns) continue;
    for (TimeCurve::Interval& interval : measurement.curves[curve].intervals)
      later(interval.value, measurement.curves[curve].direction);
  }
}

bool is_series(const fs::path& path) { return path.filename() == "series.csv"; }

// Adds curves: of all jobs from series.csv, of each job from fio's logs. `labels` are those of the points by job number.
void add_time(const Listing& listing, const std::string& label, const std::vector<std::string>& labels,
              Measurement& measurement) {
  const auto series = std::find_if(listing.files.begin(), listing.files.end(), is_series);
  if (series != listing.files.end()) add_series_file(*series, label, measurement);
  add_curves(read_logs(listing.files, labels, label.empty() ? "" : label + "/"), measurement);
}

bool has_result(const fs::path& folder) { return fs::is_regular_file(folder / "result.json"); }

// Adds a run of jobs or a step of a procedure. `label` is empty or the step's folder.
void add_result_folder(const fs::path& folder, const std::string& label, Measurement& measurement) {
  const Node document = read_json_file((folder / "result.json").string());
  const JsonField root(document);
  const Listing listing = list(folder);
  note_what_ftlab_says(root, measurement);
  if (is_fio_result(root)) {
    const std::size_t point = measurement.points.size(), curve = measurement.curves.size();
    const std::vector<std::string> labels = add_fio_points(root, label.empty() ? "" : label + "/", measurement);
    add_time(listing, label, labels, measurement);
    begin_at_submission(submission_ns(root), point, curve, measurement);
    return;
  }
  if (!root.has("procedure") || !label.empty()) root.refuse("is not a result", "fio's JSON, or that of a procedure");
  for (const fs::path& step : listing.folders) {
    if (has_result(step)) add_result_folder(step, step.filename().string(), measurement);
  }
}

// Returns the labels of fio's jobs by number; an empty list for figures; nothing if the document is neither.
std::optional<std::vector<std::string>> add_document(const Node& document, const std::string& prefix,
                                                     Measurement& measurement) {
  const JsonField root(document);
  if (is_fio_result(root)) {
    note_what_ftlab_says(root, measurement);
    const std::size_t point = measurement.points.size(), curve = measurement.curves.size();
    std::vector<std::string> labels = add_fio_points(root, prefix, measurement);
    begin_at_submission(submission_ns(root), point, curve, measurement);
    return labels;
  }
  if (!is_figure_file(root)) return std::nullopt;
  add_figures(root, measurement);
  return std::vector<std::string>();
}

// With several results in a folder, log numbers are ambiguous, so logs keep their own names.
void add_folder(const fs::path& folder, Measurement& measurement) {
  const Listing listing = list(folder);
  const auto is_json = [](const fs::path& path) { return path.extension() == ".json"; };
  const bool several = std::count_if(listing.files.begin(), listing.files.end(), is_json) > 1;
  std::vector<std::string> labels;
  for (const fs::path& path : listing.files) {
    if (fio_log_name(path.filename().string()) || is_series(path)) continue;
    const auto found =
        is_json(path) ? add_document(read_json_file(path.string()), several ? path.stem().string() + "/" : "", measurement)
                      : std::nullopt;
    if (!found) measurement.notes.push_back(path.string() + ": was not read, as it is none of what is compared");
    if (found && !several) labels = *found;
  }
  add_time(listing, "", labels, measurement);
  for (const fs::path& inner : listing.folders) {
    if (has_result(inner)) add_result_folder(inner, inner.filename().string(), measurement);
  }
}

void add_only_document(const Node& document, const std::string& path, Measurement& measurement) {
  if (!add_document(document, "", measurement)) throw ConfigError({path, 0}, "", "is not a measurement", {}, kForms);
}

void add_file(const fs::path& path, Measurement& measurement) {
  if (fio_log_name(path.filename().string())) return add_curves(read_logs({path}, {}, ""), measurement);
  if (path.extension() == ".csv") return add_series_file(path, "", measurement);
  add_only_document(read_json_file(path.string()), path.string(), measurement);
}

void refuse_nothing(const Measurement& measurement) {
  if (measurement.points.empty() && measurement.curves.empty())
    throw ConfigError({measurement.name, 0}, "", "holds nothing that was measured", {}, kForms);
}

}  // namespace

const char* name_of(Direction direction) {
  constexpr std::array<const char*, kDirectionCount> kNames = {"read", "write", "trim"};
  return kNames[static_cast<std::size_t>(direction)];
}

const char* name_of(Quantity quantity) {
  constexpr std::array<const char*, 3> kNames = {"iops", "bytes_per_s", "latency_mean_ns"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string name_of(const Workload& workload) {
  std::string text = workload.rw;
  if (workload.read_percent > 0 && workload.read_percent != 50) text += fmt::format(" {} % reads", workload.read_percent);
  if (workload.block_bytes == 0) {
    text += " " + workload.block_sizes;
  } else {
    text += workload.block_bytes % 1024 == 0 ? fmt::format(" {}k", workload.block_bytes / 1024)
                                             : fmt::format(" {} bytes", workload.block_bytes);
  }
  return text + fmt::format(", depth {}, {} job{}", workload.depth, workload.jobs, workload.jobs == 1 ? "" : "s");
}

std::optional<double> percent_in(std::string_view digits) {
  const auto percent = parsed<double>(digits, std::chars_format::fixed);
  return percent && *percent > 0 && *percent <= 100 ? percent : std::nullopt;
}

std::optional<double> Point::percentile_ns(double percent) const {
  const auto found = std::find_if(percentiles.begin(), percentiles.end(),
                                  [percent](const Percentile& one) { return std::abs(one.percent - percent) < 1e-6; });
  return found == percentiles.end() ? std::nullopt : std::optional(found->ns);
}

Measurement read_measurement(const std::string& path) {
  Measurement measurement;
  measurement.name = path;
  refuse_missing(path, kForms);
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    add_file(path, measurement);
  } else if (has_result(path)) {
    add_result_folder(path, "", measurement);
  } else {
    add_folder(path, measurement);
  }
  refuse_nothing(measurement);
  return measurement;
}

Measurement measurement_in(std::string text, const std::string& path) {
  Measurement measurement;
  measurement.name = path;
  add_only_document(parse_foreign_json(std::move(text), path), path, measurement);
  refuse_nothing(measurement);
  return measurement;
}

}  // namespace ftlab
