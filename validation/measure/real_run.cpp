#include "validation/measure/real_run.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/counters.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/procedures/procedure_report.h"
#include "sim/stats/fio/fio_report.h"
#include "validation/results/result_parts.h"
#include "validation/results/summary.h"
#include "validation/run/job_input.h"

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

}  // namespace

// Cost of measuring to this process. The CPU time per request is a figure of the instrument: it must be small compared with
// the request's own time.
class Expense {
 public:
  Expense() : usage_(usage_now()), wall_ns_(steady_now()) {}
  // since construction
  nlohmann::ordered_json json(std::uint64_t requests) const {
    const double cpu_s = user_s() + system_s();
    return {{"wall_s", wall_s()},
            {"user_s", user_s()},
            {"system_s", system_s()},
            {"cpu_ns_per_request", requests == 0 ? 0.0 : cpu_s * 1e9 / static_cast<double>(requests)},
            {"context_switches", context_switches()},
            {"peak_rss_bytes", peak_rss_bytes()}};
  }

  double user_s() const { return seconds(usage_now().ru_utime) - seconds(usage_.ru_utime); }
  double system_s() const { return seconds(usage_now().ru_stime) - seconds(usage_.ru_stime); }
  std::int64_t context_switches() const {
    const rusage now = usage_now();
    return now.ru_nvcsw - usage_.ru_nvcsw + now.ru_nivcsw - usage_.ru_nivcsw;
  }

  double wall_s() const { return static_cast<double>(steady_now() - wall_ns_) / 1e9; }

 private:
  rusage usage_{};
  std::int64_t wall_ns_ = 0;
};

namespace {

struct Measured {
  nlohmann::ordered_json device;  // the device and the computer, as in the preamble
  std::string engine;             // kernel interfaces in use
  std::uint64_t seed = 0;
  std::string ended_because;  // empty: as planned
  std::vector<ObservedFault> faults;
  std::uint64_t fault_count = 0;
};

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

constexpr Nanoseconds kIdleTick{100'000'000};
constexpr const char* kInterruptedByUser = "it was interrupted";
constexpr const char* kRunningSeries = "running.csv";  // series of a procedure's running step

// A row of the printed table of a procedure.
std::string row_of(const StepRecord& step) {
  const Figures& f = *step.figures;
  return fmt::format("  {:<32}{:>6}{:>12.1f}{:>11.2f}{:>13.1f}{:>13.1f}\n",
                     fmt::format("{} {}", step.number, step.step->name).substr(0, 31),
                     step.round > 0 ? std::to_string(step.round) : "", f.value(Track::Figure::iops),
                     f.value(Track::Figure::mb_per_s), f.latency.mean_ns() / 1e3,
                     static_cast<double>(f.latency.percentile_ns(99.9)) / 1e3);
}

std::string table_of(const ProcedureRecord& record) {
  std::string text =
      fmt::format("  {:<32}{:>6}{:>12}{:>11}{:>13}{:>13}\n", "step", "round", "IOPS", "MB/s", "mean us", "p99.9 us");
  for (const StepRecord& step : record.steps)
    if (step.figures && step.step->measured && step.step->kind == StepKind::job) text += row_of(step);
  for (const RoundsRecord& rounds : record.rounds) {
    text += fmt::format("  {}: steady state {} after {} rounds\n", rounds.step->name,
                        rounds.judged.reached ? "reached" : "not reached", rounds.judged.rounds);
  }
  return text;
}

}  // namespace

void MeasuredDevice::idle(Nanoseconds duration) {
  const Nanoseconds end = now() + duration;
  std::array<Completion, 1> none;
  for (Nanoseconds at = now(); at < end; at = now()) {
    if (leave_.load(std::memory_order_relaxed)) throw Interrupted();
    device_->wait(std::min(end, at + kIdleTick), none);
  }
}

std::string MeasuredDevice::cannot(Ability ability) const {
  if (ability == Ability::trim && !may_discard_)
    return "may not be trimmed: say --allow-discard if the data in its range may be discarded";
  if (ability == Ability::trim || ability == Ability::contents) return {};
  if (ability == Ability::replace)
    return "is a real one: purge it by hand (docs/measuring.md names the commands), or by trim";
  if (ability == Ability::power_cycle) return "is a real one: its power is not in the hands of this program";
  return DeviceUnderTest::cannot(ability);
}

// Appends each line of the series to the file `series` when its interval ends.
HostOptions RealRun::host_options(Nanoseconds series_interval, const std::string& series) {
  HostOptions host;
  host.seed = options_.seed;
  host.series_interval = series_interval;
  host.leave = options_.leave;
  const auto lines = std::make_shared<SeriesLines>(device_.counters(), false);
  folder_.append(series, SeriesLines::names());
  host.enough = [this, lines, series](const SeriesRow& row) {
    folder_.append(series, lines->line(row));
    if (options_.each_interval) options_.each_interval(row);
    return false;
  };
  return host;
}

std::string RealRun::why_ended(bool lost) const {
  if (lost) return "the device no longer answered";
  if (watchdog_.fault_count() > 0) {
    const ObservedFault& first = watchdog_.faults().front();
    return fmt::format("{} request{} did not come back as asked; the first was {}: {}", watchdog_.fault_count(),
                       watchdog_.fault_count() == 1 ? "" : "s", name_of(first.kind), first.text);
  }
  const std::string other = options_.why_left ? options_.why_left() : std::string();
  return !other.empty() ? other : leaving() ? kInterruptedByUser : "";
}

void RealRun::keep(const std::string& folder, const JobFile& jobs, const RunStats& stats, const Expense& expense) {
  const Measured measured{options_.device,    device_.engine().description(), options_.seed, outcome_.ended_because,
                          watchdog_.faults(), watchdog_.fault_count()};
  const Result result = make_result(measured, jobs, stats, expense);
  for (const ResultFile& file : result.files)
    folder_.write(folder.empty() ? file.name : folder + "/" + file.name, file.text);
  outcome_.failed_requests += result.failed_requests;
  if (stats.verify) outcome_.mismatches += stats.verify->mismatches;
  for (const JobStats& job : stats.jobs) outcome_.job_failed = outcome_.job_failed || job.error != 0;
}

void RealRun::conclude() {
  outcome_.interrupted = outcome_.ended_because == kInterruptedByUser;
  if (!outcome_.ended_because.empty()) folder_.say_why(outcome_.ended_because);
}

RealRun::Outcome RealRun::run(const JobFile& jobs, Nanoseconds series_interval) {
  device_.prepare(jobs.jobs);
  const HostOptions host = host_options(series_interval, "series.csv");
  const Expense expense;
  try {
    RebasedDevice device(watchdog_, device_.now());
    const RunStats stats = run_jobs(device, jobs.jobs, host);
    outcome_.ended_because = why_ended(false);
    keep("", jobs, stats, expense);
    outcome_.table = throughput_chart(stats) + "\n" + job_table(stats);
  } catch (const DeviceLost& lost) {
    outcome_.ended_because = why_ended(true) + ": " + lost.what();
    folder_.write("faults.json", faults_json(watchdog_.faults(), watchdog_.fault_count()).dump(2) + "\n");
  }
  conclude();
  return outcome_;
}

RealRun::Outcome RealRun::execute(const Procedure& procedure, const std::string& procedure_text, MeasuredDevice& tested,
                                  const JobContext& context) {
  Expense expense;
  ProcedureOptions how;
  how.seed = options_.seed;
  how.host = [&](const JobFile& jobs) {
    if (leaving()) throw Interrupted();
    device_.prepare(jobs.jobs);
    expense = Expense();
    folder_.forget(kRunningSeries);
    return host_options(series_interval_for(jobs), kRunningSeries);
  };
  how.ran = [&](const StepRecord& step, const JobFile& jobs, const RunStats& stats) {
    outcome_.ended_because = why_ended(false);
    keep(step.folder, jobs, stats, expense);
    if (leaving()) throw Interrupted();
  };
  try {
    folder_.write("procedure.json", procedure_text);
    const ProcedureRecord record = ftlab::execute(procedure, tested, context, how);
    outcome_.ended_because = why_ended(false);
    outcome_.failed_requests = record.failed_requests;
    nlohmann::ordered_json summary = procedure_json(procedure, record, device_.info());
    summary["ftlab"] = {{"version", FTLAB_VERSION},  {"compiler", FTLAB_COMPILER},
                        {"kind", "measured"},        {"complete", outcome_.ended_because.empty()},
                        {"seed", options_.seed},     {"engine", device_.engine().description()},
                        {"device", options_.device}, {"faults", faults_json(watchdog_.faults(), watchdog_.fault_count())}};
    folder_.write("result.json", summary.dump(2) + "\n");
    folder_.write("procedure.csv", procedure_csv(procedure, record));
    folder_.forget(kRunningSeries);
    outcome_.table = table_of(record);
  } catch (const Interrupted&) {
    outcome_.ended_because = why_ended(false);
  } catch (const DeviceLost& lost) {
    outcome_.ended_because = why_ended(true) + ": " + lost.what();
    folder_.write("faults.json", faults_json(watchdog_.faults(), watchdog_.fault_count()).dump(2) + "\n");
  }
  conclude();
  return outcome_;
}

}  // namespace ftlab
