#include "validation/results/intervals.h"

#include <algorithm>
#include <array>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "sim/config/document.h"
#include "sim/config/file.h"
#include "sim/config/library.h"
#include "sim/config/names.h"
#include "sim/config/reader.h"
#include "sim/core/error.h"
#include "sim/stats/fio/report_group.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

double real(const Node& object, const char* key) {
  const Node* const number = object.find(key);
  if (number == nullptr || number->kind != Node::Kind::real || number->real <= 0)
    throw ConfigError({object.file, object.line}, key, "is not a positive number with a point");
  return number->real;
}

std::string text(const Node& object, const char* key) {
  const Node* const found = object.find(key);
  if (found == nullptr || found->kind != Node::Kind::text) throw ConfigError({object.file, object.line}, key, "is missing");
  return found->text;
}

void add(Json& figures, const char* name, double value, const std::optional<double>& factor) {
  if (factor && value > 0) figures[name] = {value / *factor, value * *factor};
}

constexpr const char* kBelow = "below";
constexpr const char* kSaturated = "saturated";
constexpr const char* kContended = "contended";

bool is_wait(LatencyPart part) {
  switch (part) {
    case LatencyPart::link_wait:
    case LatencyPart::controller_wait:
    case LatencyPart::buffer_wait:
    case LatencyPart::die_wait:
    case LatencyPart::queue_wait: return true;
    default: return false;
  }
}

// True if several jobs run while those of the report group do.
bool several_jobs(const RunStats& stats, const Job& first) {
  Nanoseconds start = kNever, end{0};
  for (const JobStats& job : stats.jobs) {
    if (job.job->report_group != first.report_group) continue;
    start = std::min(start, job.started), end = std::max(end, job.ended);
  }
  const auto overlaps = [&](const JobStats& job) { return job.started < end && job.ended > start; };
  return std::count_if(stats.jobs.begin(), stats.jobs.end(), overlaps) > 1;
}

const char* load_of(const RunStats& stats, const Job& first) {
  double waited = 0, served = 0;
  for (const JobStats& job : stats.jobs) {
    if (job.job->report_group != first.report_group) continue;
    for (std::size_t part = 0; part < kLatencyPartCount; ++part)
      (is_wait(static_cast<LatencyPart>(part)) ? waited : served) += static_cast<double>(job.parts[part].count());
  }
  if (waited <= served) return kBelow;
  return several_jobs(stats, first) ? kContended : kSaturated;
}

Json figures_of(const DirectionReport& direction, const std::string& load, const Intervals& intervals) {
  const double seconds = static_cast<double>(direction.runtime.count()) / 1e9;
  Json figures = Json::object();
  if (seconds <= 0) return figures;
  add(figures, "iops", static_cast<double>(direction.requests) / seconds, intervals.factor("rate", load));
  add(figures, "bw_bytes", static_cast<double>(direction.bytes) / seconds, intervals.factor("rate", load));
  add(figures, "clat_mean_ns", direction.latency.mean_ns(), intervals.factor("mean", load));
  for (const auto& [name, percent] : {std::pair{"p50", 50.0}, {"p95", 95.0}, {"p99", 99.0}})
    add(figures, fmt::format("clat_{}_ns", name).c_str(), static_cast<double>(direction.latency.percentile_ns(percent)),
        intervals.factor(name, load));
  return figures;
}

std::string short_number(double value) { return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value); }

std::string range(const Json& figures, const char* name, double unit) {
  if (!figures.contains(name)) return "not predicted";
  return short_number(figures[name][0].get<double>() / unit) + " to " + short_number(figures[name][1].get<double>() / unit);
}

}  // namespace

Intervals::Intervals(std::string_view known) : known_(known) {
  const std::string path = config_folder() + "/intervals.json";
  const Node document = parse_document(read_regular_file(path), path);
  level_ = real(document, "level");
  const Node* const classes = document.find("classes");
  if (classes == nullptr || classes->kind != Node::Kind::array) throw ConfigError({path, 0}, "classes", "is missing");
  std::vector<std::string> names;
  for (const Node& one : classes->items) {
    names.push_back(text(one, "known"));
    if (names.back() == known) classes_.push_back({text(one, "figure"), text(one, "load"), real(one, "factor")});
  }
  if (!classes_.empty()) return;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  refuse_name({"--interval", 0}, "", "does not say what the drive file is based on", known_, names);
}

std::optional<double> Intervals::factor(std::string_view figure, std::string_view load) const {
  const auto of = [this](std::string_view wanted, std::string_view at) {
    const auto found = std::find_if(classes_.begin(), classes_.end(),
                                    [&](const Class& one) { return one.figure == wanted && one.load == at; });
    return found == classes_.end() ? std::nullopt : std::optional(found->factor);
  };
  if (const auto exact = of(figure, load)) return exact;
  if (const auto any = of(figure, "any")) return any;
  return figure.starts_with("p") ? of("percentile", load) : std::nullopt;
}

void add_intervals(Json& ftlab, const RunStats& stats, const Intervals& intervals) {
  static constexpr std::array kNames = {"read", "write", "trim"};
  Json jobs = Json::array();
  for (const ReportGroup& group : report_groups(stats)) {
    const std::string load = load_of(stats, *group.first);
    for (std::size_t d = 0; d < kDirectionCount; ++d) {
      if (group.directions[d].requests == 0) continue;
      Json job = {{"job", group.first->name}, {"direction", kNames.at(d)}, {"load", load}};
      job.update(figures_of(group.directions[d], load, intervals));
      jobs.push_back(std::move(job));
    }
  }
  ftlab["intervals"] = {{"known", intervals.known()}, {"level", intervals.level()}, {"jobs", jobs}};
  const Json wa = ftlab.value("wa", Json::object()).value("total", Json());
  if (wa.is_number()) add(ftlab["intervals"], "wa", wa.get<double>(), intervals.factor("wa", "any"));
}

std::string interval_table(const Json& ftlab) {
  const Json& intervals = ftlab.at("intervals");
  std::string table = fmt::format("  {:<40}{:>18} {:>18} {:>18} {:>18}\n",
                                  fmt::format("{:.0f} % intervals, {}", 100 * intervals["level"].get<double>(),
                                              intervals["known"].get<std::string>()),
                                  "IOPS", "mean us", "p50 us", "p99 us");
  for (const Json& job : intervals["jobs"])
    table += fmt::format("  {:<24}{:<6}{:<10}{:>18} {:>18} {:>18} {:>18}\n", job["job"].get<std::string>().substr(0, 23),
                         job["direction"].get<std::string>(), job["load"].get<std::string>(), range(job, "iops", 1),
                         range(job, "clat_mean_ns", 1e3), range(job, "clat_p50_ns", 1e3), range(job, "clat_p99_ns", 1e3));
  if (intervals.contains("wa")) table += fmt::format("  {:<40}{:>18}\n", "write amplification", range(intervals, "wa", 1));
  return table + "  extremes: not predicted\n";
}

}  // namespace ftlab
