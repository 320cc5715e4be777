#include "ftl/drive/drive_counters.h"
#include "validation/results/result.h"

#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "ftl/drive/config/zone_gaps.h"
#include "ftl/layer/ftl.h"
#include "sim/config/echo.h"
#include "sim/core/signature.h"
#include "sim/counters.h"
#include "sim/stats/final_window.h"
#include "sim/stats/fio/fio_report.h"
#include "validation/results/health/endurance.h"
#include "validation/results/health/smart_report.h"
#include "validation/results/intervals.h"
#include "validation/results/result_parts.h"
#include "validation/results/run_problems.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Json write_amplification(const Counters& run) {
  const auto part = [&run](std::uint64_t bytes) { return ratio(bytes, run.host_write_bytes); };
  Json parts = {{"total", part(run.media_write_bytes())},   {"host", part(run.media_host_bytes)},
                {"fill", part(run.media_fill_bytes)},       {"relocation", part(run.media_relocation_bytes)},
                {"wear", part(run.media_wear_bytes)},       {"refresh", part(run.media_refresh_bytes)},
                {"mapping", part(run.media_mapping_bytes)}, {"parity", part(run.media_parity_bytes)},
                {"fold", part(run.media_fold_bytes)},       {"failed", part(run.media_failed_bytes)},
                {"padding", part(run.media_padding_bytes)}};
  if (run.media_lost_bytes > 0) parts["lost_in_ram"] = -part(run.media_lost_bytes);  // by power cuts
  return parts;
}

namespace {

// null for a run without writes.
Json write_amplification_at_end(const std::optional<FinalWindow>& window) {
  if (!window || window->host_bytes() == 0) return nullptr;
  Json at_end = write_amplification(window->run);
  at_end["half_width_95"] = window->half_width ? Json(*window->half_width) : Json(nullptr);
  at_end["from_s"] = static_cast<double>(window->from.count()) / 1e9;
  at_end["to_s"] = static_cast<double>(window->to.count()) / 1e9;
  at_end["from_bytes"] = window->from_bytes;
  at_end["to_bytes"] = window->to_bytes;
  at_end["host_write_bytes"] = window->host_bytes();
  at_end["steady"] = window->steady;
  at_end["why_not_steady"] = window->why_not_steady;
  return at_end;
}

// Rates in the same window. null without a clock.
Json rates_at_end(const std::optional<FinalWindow>& window) {
  if (!window || window->to <= window->from) return nullptr;
  constexpr const char* kNames[] = {"read", "write", "trim"};
  const double seconds = static_cast<double>((window->to - window->from).count()) / 1e9;
  Json rates = {{"from_s", static_cast<double>(window->from.count()) / 1e9},
                {"to_s", static_cast<double>(window->to.count()) / 1e9},
                {"iops", 0.0},
                {"iops_half_width_95", window->iops_half_width ? Json(*window->iops_half_width) : Json(nullptr)}};
  double all = 0;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (window->requests[d] == 0) continue;
    rates[kNames[d]] = {{"bytes_per_s", static_cast<double>(window->bytes[d]) / seconds},
                        {"iops", static_cast<double>(window->requests[d]) / seconds}};
    all += static_cast<double>(window->requests[d]) / seconds;
  }
  rates["iops"] = all;
  return rates;
}

Json free_space(const Drive& drive) {
  const PageStore& store = drive.ftl().store();
  return {{"superblocks_free", store.blocks().free().count()},
          {"superblocks", store.blocks().count()},
          {"superblocks_retired", store.blocks().free().retired()},
          {"superblock_bytes",
           std::uint64_t{store.medium().layout().pages_per_superblock()} * store.medium().layout().slot_bytes()},
          {"mapped_bytes", drive.counters().mapped_bytes},
          {"read_only", drive.ftl().read_only()}};
}

// Names of the dies' time as in the counters of `traffic`.
Json buffer_waits(const BufferWaits& waits) {
  constexpr std::array<const char*, DieTime::kUses> kNames = {"host_read",    "internal_read",      "erase",
                                                              "host_program", "relocation_program", "suspension"};
  Json list = Json::array();
  for (std::size_t range = 0; range < waits.ranges().size(); ++range) {
    const auto& [writes, waited, dies] = waits.ranges()[range];
    if (writes == 0) continue;
    Json spent = Json::object();
    for (std::uint32_t use = 0; use < DieTime::kUses; ++use)
      if (const Nanoseconds time = dies.of(static_cast<DieTime::Use>(use)); time > Nanoseconds{0})
        spent[kNames[use]] = time.count();
    list.push_back({{"from_ns", PartsByLatency::first_ns(range)},
                    {"writes", writes},
                    {"waited_ns", waited.count()},
                    {"dies_ns", spent}});
  }
  return list;
}

// (physical - user) / user, for several notions of physical and user space.
Json over_provisioning(const Drive& drive, const Counters& run) {
  const PageStore& store = drive.ftl().store();
  const Layout& layout = store.medium().layout();
  const std::uint64_t page = layout.slot_bytes();
  const DriveConfig config = without_zone_gaps(drive.config());
  const std::uint64_t user = config.user_bytes;
  const auto spare = [](std::uint64_t physical, std::uint64_t used) {
    return used == 0 ? 0.0 : (static_cast<double>(physical) - static_cast<double>(used)) / static_cast<double>(used);
  };
  const std::uint64_t usable =
      (layout.superblocks() - store.blocks().free().retired()) * std::uint64_t{layout.data_pages()} * page;
  std::uint64_t reserved = 0;  // superblocks without data when a victim is picked
  for (std::uint32_t pool = 0; pool < store.blocks().free().pools(); ++pool) reserved += store.supply().reserve(pool);
  const std::uint64_t at_victim = usable - std::min(usable, reserved * layout.data_pages() * page);
  return {
      {"user_bytes", user},
      {"gib_gb_gap", static_cast<double>(std::uint64_t{1} << 30) / 1e9 - 1},
      {"nominal", config.over_provisioning()},
      {"usable", spare(usable, user)},
      {"at_victim_choice", spare(at_victim, user)},
      {"effective_spare", spare(at_victim, drive.flash().deduplication.has_value() ? run.unique_bytes : run.mapped_bytes)},
      {"unmapped_share",
       user == 0 ? 0.0 : 1 - static_cast<double>(std::min(run.mapped_bytes, user)) / static_cast<double>(user)}};
}

}  // namespace

LatencyParts sum_parts(const RunStats& stats) {
  LatencyParts sum{};
  for (const JobStats& job : stats.jobs) {
    for (std::size_t p = 0; p < kLatencyPartCount; ++p) sum[p] += job.parts[p];
  }
  return sum;
}

Json latency_parts(const RunStats& stats) {
  Json parts = Json::object();
  const LatencyParts sum = sum_parts(stats);
  for (std::size_t p = 0; p < kLatencyPartCount; ++p) parts[kLatencyPartNames[p]] = sum[p].count();
  return parts;
}

Json latency_parts_by_latency(const RunStats& stats) {
  PartsByLatency all;
  for (const JobStats& job : stats.jobs) all.merge(job.parts_by_latency);
  Json list = Json::array();
  for (std::size_t range = 0; range < all.ranges().size(); ++range) {
    const auto& [requests, sums] = all.ranges()[range];
    if (requests == 0) continue;
    Json parts = Json::object();
    for (std::size_t p = 0; p < kLatencyPartCount; ++p)
      if (sums[p].count() > 0) parts[kLatencyPartNames[p]] = sums[p].count();
    list.push_back({{"from_ns", PartsByLatency::first_ns(range)}, {"requests", requests}, {"parts_ns", parts}});
  }
  return list;
}

Json run_phases(const RunStats& stats) {
  Json list = Json::array();
  for (const RunPhase& phase : stats.phases) {
    std::string name;
    for (std::size_t job = phase.first_job; job < phase.end_job; ++job)
      name += (name.empty() ? "" : ", ") + stats.jobs[job].job->name;
    list.push_back({{"name", name},
                    {"from_s", static_cast<double>(phase.from.count()) / 1e9},
                    {"to_s", static_cast<double>(phase.to.count()) / 1e9}});
  }
  return list;
}

Json traffic(const Counters& run) {
  Json counts = {{"media_write_bytes", run.media_write_bytes()}};
  for (const CounterField& field : kCounterFields) counts[field.name] = run.*field.member;
  return counts;
}

namespace {

Json mapping(const Drive& drive) {
  const FtlConfig& ftl = drive.config().ftl;
  return {{"ram_bytes", mapping_ram_bytes(ftl.mapping, drive.medium().layout(), drive.config().logical_pages())},
          {"page_bytes", ftl.mapping_bytes}};
}

// The signature of the run; and that of the state, which covers placement, mapping and counters only: equal for two ways to
// the same state.
SignaturePair signatures_of(const Drive& drive, const RunStats& stats) {
  SignaturePair signatures;
  signatures.first.add(stats.signature);
  sign_slots(drive, signatures);
  return signatures;
}

Json estimate(const SteadyWatch::Estimate& of) {
  if (!of.measured) return nullptr;
  return {{"mean", of.mean}, {"half_width_95", std::isfinite(of.half_width) ? Json(of.half_width) : Json(nullptr)}};
}

Json until_steady(const SteadyWatch& watch) {
  const SteadyWatch::Verdict verdict = watch.verdict();
  return {{"reached", verdict.reached},
          {"why_not", verdict.why_not},
          {"fraction", watch.fraction()},
          {"at_s", static_cast<double>(verdict.at.count()) / 1e9},
          {"steady_from_s", static_cast<double>(verdict.from.count()) / 1e9},
          {"at_bytes", verdict.at_bytes},
          {"steady_from_bytes", verdict.from_bytes},
          {"iops", estimate(verdict.iops)},
          {"wa", estimate(verdict.wa)}};
}

Json verified(const VerifyStats& verify) {
  return {{"reads", verify.reads},
          {"granules", verify.granules},
          {"granules_never_written", verify.never_written},
          {"granules_first_seen", verify.first_seen},
          {"mismatches", verify.mismatches},
          {"first_mismatches", verify.lines}};
}

}  // namespace

Json notes_of(const JobFile& jobs, const RunStats& stats) {
  Json notes = Json::array();
  for (const Note& note : jobs.notes) notes.push_back(note.shown());
  for (const JobStats& job : stats.jobs)
    if (!job.problem.empty()) notes.push_back("[" + job.job->name + "] " + job.failure());
  return notes;
}

Json simulator(const RunStats& stats, const Effort& effort, const Counters& run) {
  const auto per_second = [&effort](std::uint64_t count) {
    return effort.wall_s > 0 ? static_cast<double>(count) / effort.wall_s : 0.0;
  };
  return {{"wall_s", effort.wall_s},
          {"host_ios", stats.requests},
          {"host_ios_per_wall_s", per_second(stats.requests)},
          {"media_ops", run.media_operations},
          {"media_ops_per_wall_s", per_second(run.media_operations)},
          {"peak_rss_bytes", effort.peak_rss_bytes}};
}

void check_latency_parts(const RunStats& stats, std::vector<std::string>& problems) {
  std::uint64_t latency = 0;
  for (const JobStats& job : stats.jobs) {
    for (const DirectionStats& direction : job.directions) latency += direction.latency.total_ns();
  }
  std::uint64_t parts = 0;
  for (const Nanoseconds part : sum_parts(stats)) parts += part.count();
  if (parts != latency)
    problems.push_back("latency parts sum to " + std::to_string(parts) + " ns, latencies to " + std::to_string(latency));
}

namespace {

// State of the drive when the run began.
Json state_before(const RunStats& stats) {
  const Counters& before = stats.device_before;
  return {{"host_write_bytes", before.host_write_bytes},
          {"mapped_bytes", before.mapped_bytes},
          {"block_erases", before.block_erases}};
}

// Checks the laws that every run must obey.
std::vector<std::string> check_result(const Drive& drive, const RunStats& stats) {
  std::vector<std::string> problems = inspect(drive.ftl());
  if (drive.info().timed) check_latency_parts(stats, problems);
  if (drive.config().power) {
    const std::string problem = energy_problem(*drive.config().power, difference(stats.device_after, stats.device_before));
    if (!problem.empty()) problems.push_back(problem);
  }
  const Counters all = drive.counters();
  const std::uint64_t page = drive.config().ftl.slot_bytes();
  std::uint64_t staged = 0;
  for (const Stage& stage : drive.ftl().store().stages()) staged += stage.count();
  if (all.media_write_bytes() != (drive.medium().pages().programmed() + staged) * page) {
    problems.push_back("the layer counts " + std::to_string(all.media_write_bytes()) + " media bytes, the medium " +
                       std::to_string((drive.medium().pages().programmed() + staged) * page));
  }
  return problems;
}

Counters second_half(const RunStats& stats, const Counters& run) {
  for (const SeriesRow& row : stats.series) {
    const std::uint64_t written = row.device.host_write_bytes - stats.device_before.host_write_bytes;
    if (written >= run.host_write_bytes / 2) return difference(stats.device_after, row.device);
  }
  return run;
}

LifeBasis life_basis(const std::optional<FinalWindow>& window, const Counters& run, const RunStats& stats) {
  if (run.host_write_bytes == 0) return {};
  return {window ? window->run : run, second_half(stats, run), run.host_write_bytes, stats.ended};
}

void add_life_problem(const Json& endurance, const Counters& run, std::vector<Problem>& found) {
  const std::optional<Life> life = life_of(endurance);
  const std::optional<Problem> problem = life && run.host_write_bytes > 0 ? problem_of(*life) : std::nullopt;
  if (problem) found.push_back(*problem);
}

}  // namespace

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Json drive_of(const Node& document) {
  Json drive = to_json(document);
  if (drive.is_object()) drive.erase("host");
  return drive;
}

Json host_of(const Node& document) {
  const Node* const host = document.kind == Node::Kind::object ? document.find("host") : nullptr;
  if (host == nullptr) return {{"kind", "host"}, {"name", "default"}, {"about", "No host was named: it costs nothing."}};
  return to_json(*host);
}

std::string result_text(const RunStats& stats, const Json& ftlab) {
  Json document = fio_json(stats);
  document["ftlab"] = ftlab;
  return document.dump(2) + "\n";
}

void add_common(Result& result, const RunStats& stats, const WorkloadReport& workload, const SteadyWatch* watch) {
  if (!workload.key.empty()) result.ftlab[workload.key] = workload.value;
  if (stats.verify) result.ftlab["verify"] = verified(*stats.verify);
  if (watch != nullptr) result.ftlab["until_steady"] = until_steady(*watch);
  if (workload.intervals != nullptr) add_intervals(result.ftlab, stats, *workload.intervals);
  result.ftlab["complete"] = !stats.left_early;
  result.ftlab["ended_because"] = stats.left_early ? "it was interrupted" : "";
  result.files.push_back({"result.json", result_text(stats, result.ftlab)});
  result.files.push_back({"drive.json", result.ftlab["drive"].dump(2) + "\n"});
  result.files.push_back({"host.json", result.ftlab["host"].dump(2) + "\n"});
  result.files.push_back({"series.csv", series_csv(stats)});
  for (LogFile& log : fio_logs(stats)) result.files.push_back({std::move(log.name), std::move(log.text)});
}

Result make_result(const Drive& drive, const Node& document, const JobFile& jobs, const RunStats& stats,
                   const Effort& effort, const WorkloadReport& workload, const SteadyWatch* watch) {
  Result result;
  const Counters run = difference(stats.device_after, stats.device_before);
  result.failed_checks = check_result(drive, stats);
  result.failed_checks.insert(result.failed_checks.end(), workload.failed_checks.begin(), workload.failed_checks.end());
  for (const JobStats& job : stats.jobs) {
    for (const std::uint64_t failed : job.failed) result.failed_requests += failed;
  }
  const TestedDevice device{{without_zone_gaps(drive.config()).user_bytes, drive.config().ftl.mapping_bytes},
                            std::uint64_t{drive.medium().layout().data_pages()} * drive.medium().layout().slot_bytes(),
                            drive.config().ftl.placement.identifiers() > 0, workload.key == "trace"};
  const std::optional<FinalWindow> window = final_window(stats, device.size);
  result.problems = problems_of(jobs, stats, device, window, watch);
  const Json life = endurance(drive, life_basis(window, run, stats));
  add_life_problem(life, run, result.problems);
  const SignaturePair signatures = signatures_of(drive, stats);
  result.ftlab = {{"version", FTLAB_VERSION},
                  {"compiler", FTLAB_COMPILER},
                  {"signature", signatures.first.text()},
                  {"state_signature", signatures.second.text()},
                  {"seed", effort.seed},
                  {"clock", drive.info().timed ? "timed" : "untimed"},
                  {"simulated_s", static_cast<double>(stats.ended.count()) / 1e9},
                  {"phases", run_phases(stats)},
                  {"before", state_before(stats)},
                  {"wa", write_amplification(run)},
                  {"wa_at_end", write_amplification_at_end(window)},
                  {"rates_at_end", rates_at_end(window)},
                  {"erases", erase_counts(drive, run)},
                  {"endurance", life},
                  {"health", health_json(smart_log(drive, Nanoseconds{stats.device_after.powered_ns}))},
                  {"free", free_space(drive)},
                  {"over_provisioning", over_provisioning(drive, run)},
                  {"mapping", mapping(drive)},
                  {"traffic", traffic(run)},
                  {"latency_parts_ns", latency_parts(stats)},
                  {"latency_parts_by_latency", latency_parts_by_latency(stats)},
                  {"buffer_waits", buffer_waits(drive.flash().waits)},
                  {"failed_requests", result.failed_requests},
                  {"problems", problems_json(result.problems)},
                  {"failed_checks", result.failed_checks},
                  {"notes", notes_of(jobs, stats)},
                  {"drive", drive_of(document)},
                  {"host", host_of(document)},
                  {"simulator", simulator(stats, effort, run)}};
  result.ftlab["simulator"]["physical_pages"] = drive.medium().layout().page_count();
  if (drive.config().power) {
    result.ftlab["energy"] = energy_json(*drive.config().power, run);
    result.ftlab["energy"]["phases"] = energy_phases(stats);
  }
  add_common(result, stats, workload, watch);
  return result;
}

}  // namespace ftlab
