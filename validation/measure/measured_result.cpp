#include "validation/measure/measured_result.h"

#include <time.h>
#include <nlohmann/json.hpp>

#include <chrono>

#include "sim/counters.h"
#include "sim/stats/fio/fio_report.h"
#include "validation/results/result_parts.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, kOpCount> kOpNames = {"read", "write", "trim", "flush"};

rusage usage_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage;
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6; }

std::int64_t steady_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// Two parts are known of a real device, and they sum to the latency: the host's, until the kernel could have the request,
// and the rest.
Json real_latency_parts(const RunStats& stats) {
  std::uint64_t all = 0;
  for (const JobStats& job : stats.jobs)
    for (const DirectionStats& direction : job.directions) all += direction.latency.total_ns();
  const std::uint64_t host = sum_parts(stats)[static_cast<std::size_t>(LatencyPart::host)].count();
  return {{"host", host}, {"device", all - std::min(all, host)}};
}

Json host_traffic(const Counters& run) {
  return {{"host_read_bytes", run.host_read_bytes},
          {"host_write_bytes", run.host_write_bytes},
          {"host_trim_bytes", run.host_trim_bytes}};
}

// fio's document, with the time of the run and its cost to the host. Several jobs share one process, so that the CPU time of
// each job is unknown: then these figures stay 0.
Json fio_document(const RunStats& stats, const Expense& expense) {
  Json document = fio_json(stats);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  document["timestamp"] = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  document["timestamp_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t moment = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  std::array<char, 64> text{};
  ::ctime_r(&moment, text.data());
  document["time"] = std::string(text.data()).substr(0, 24);
  if (document["jobs"].size() == 1 && expense.wall_s() > 0) {
    document["jobs"][0]["usr_cpu"] = 100 * expense.user_s() / expense.wall_s();
    document["jobs"][0]["sys_cpu"] = 100 * expense.system_s() / expense.wall_s();
    document["jobs"][0]["ctx"] = expense.context_switches();
  }
  return document;
}

std::string series_of(const RunStats& stats) {
  std::string text = SeriesLines::names();
  SeriesLines lines(stats.device_before, false);
  for (const SeriesRow& row : stats.series) text += lines.line(row);
  return text;
}

Json verified(const VerifyStats& verify) {
  return {{"reads", verify.reads},
          {"sectors", verify.granules},
          {"mismatches", verify.mismatches},
          {"first_mismatches", verify.lines}};
}

}  // namespace

Expense::Expense() : usage_(usage_now()), wall_ns_(steady_now()) {}

double Expense::user_s() const { return seconds(usage_now().ru_utime) - seconds(usage_.ru_utime); }
double Expense::system_s() const { return seconds(usage_now().ru_stime) - seconds(usage_.ru_stime); }
double Expense::wall_s() const { return static_cast<double>(steady_now() - wall_ns_) / 1e9; }
std::int64_t Expense::context_switches() const {
  const rusage now = usage_now();
  return now.ru_nvcsw - usage_.ru_nvcsw + now.ru_nivcsw - usage_.ru_nivcsw;
}

Json Expense::json(std::uint64_t requests) const {
  const double cpu_s = user_s() + system_s();
  return {{"wall_s", wall_s()},
          {"user_s", user_s()},
          {"system_s", system_s()},
          {"cpu_ns_per_request", requests == 0 ? 0.0 : cpu_s * 1e9 / static_cast<double>(requests)},
          {"context_switches", context_switches()},
          {"peak_rss_bytes", peak_rss_bytes()}};
}

Json faults_json(const std::vector<ObservedFault>& faults, std::uint64_t count) {
  Json list = Json::array();
  for (const ObservedFault& fault : faults) {
    list.push_back({{"kind", name_of(fault.kind)},
                    {"at_s", static_cast<double>(fault.at.count()) / 1e9},
                    {"op", kOpNames[static_cast<std::size_t>(fault.request.op)]},
                    {"offset_bytes", fault.request.offset_bytes},
                    {"length_bytes", fault.request.length_bytes},
                    {"text", fault.text}});
  }
  return {{"count", count}, {"first", list}};
}

Result make_result(const Measured& measured, const JobFile& jobs, const RunStats& stats, const Expense& expense) {
  Result result;
  for (const JobStats& job : stats.jobs)
    for (const std::uint64_t failed : job.failed) result.failed_requests += failed;
  result.ftlab = {{"version", FTLAB_VERSION},
                  {"compiler", FTLAB_COMPILER},
                  {"kind", "measured"},
                  {"complete", measured.ended_because.empty()},
                  {"ended_because", measured.ended_because},
                  {"seed", measured.seed},
                  {"clock", "real"},
                  {"measured_s", static_cast<double>(stats.ended.count()) / 1e9},
                  {"engine", measured.engine},
                  {"phases", run_phases(stats)},
                  {"traffic", host_traffic(difference(stats.device_after, stats.device_before))},
                  {"latency_parts_ns", real_latency_parts(stats)},
                  {"failed_requests", result.failed_requests},
                  {"faults", faults_json(measured.faults, measured.fault_count)},
                  {"notes", notes_of(jobs, stats)},
                  {"device", measured.device},
                  {"instrument", expense.json(stats.requests)}};
  if (stats.verify) result.ftlab["verify"] = verified(*stats.verify);
  Json document = fio_document(stats, expense);
  document["ftlab"] = result.ftlab;
  result.files.push_back({"result.json", document.dump(2) + "\n"});
  result.files.push_back({"series.csv", series_of(stats)});
  for (LogFile& log : fio_logs(stats)) result.files.push_back({std::move(log.name), std::move(log.text)});
  return result;
}

}  // namespace ftlab
