#include "validation/results/result.h"

#include <nlohmann/json.hpp>

#include "models/hdd/disk.h"
#include "sim/counters.h"
#include "validation/results/result_parts.h"
#include "validation/results/run_problems.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

// Counters of the disk's whole life, not of the run.
Json disk_json(const Disk& disk) {
  const DiskCounters all = disk.disk_counters();
  return {{"arm_moves", all.arm_moves},
          {"lost_revolutions", all.lost_revolutions},
          {"error_recoveries", all.error_recoveries},
          {"read_cache_hits", all.read_cache_hits},
          {"absorbed_bytes", all.absorbed_bytes},
          {"cached_bytes", all.cached_bytes},
          {"lost_bytes", all.lost_bytes}};
}

std::string signature_of(const Disk& disk, const RunStats* stats) {
  Signature signature;
  if (stats != nullptr) signature.add(stats->signature);
  disk.add_to(signature);
  return signature.text();
}

// Media bytes per host byte: 1, less data that was overwritten in the cache or still waits there.
Json disk_write_amplification(const Counters& run) {
  const double total = run.host_write_bytes == 0
                           ? 0.0
                           : static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes);
  return {{"total", total}, {"host", total}};
}

}  // namespace

Result make_result(const Disk& disk, const Node& document, const JobFile& jobs, const RunStats& stats, const Effort& effort,
                   const WorkloadReport& workload, const SteadyWatch* watch) {
  Result result;
  const Counters run = difference(stats.device_after, stats.device_before);
  result.failed_checks = disk.problems();
  if (disk.info().timed) check_latency_parts(stats, result.failed_checks);
  result.failed_checks.insert(result.failed_checks.end(), workload.failed_checks.begin(), workload.failed_checks.end());
  result.problems = problems_of(jobs, stats, {{disk.info().capacity_bytes, 0}, 0, false}, std::nullopt, watch);
  for (const JobStats& job : stats.jobs) {
    for (const std::uint64_t failed : job.failed) result.failed_requests += failed;
  }
  result.ftlab = {{"version", FTLAB_VERSION},
                  {"compiler", FTLAB_COMPILER},
                  {"signature", signature_of(disk, &stats)},
                  {"state_signature", signature_of(disk, nullptr)},
                  {"seed", effort.seed},
                  {"clock", disk.info().timed ? "timed" : "untimed"},
                  {"simulated_s", static_cast<double>(stats.ended.count()) / 1e9},
                  {"phases", run_phases(stats)},
                  {"wa", disk_write_amplification(run)},
                  {"disk", disk_json(disk)},
                  {"traffic", traffic(run)},
                  {"latency_parts_ns", latency_parts(stats)},
                  {"latency_parts_by_latency", latency_parts_by_latency(stats)},
                  {"failed_requests", result.failed_requests},
                  {"problems", problems_json(result.problems)},
                  {"failed_checks", result.failed_checks},
                  {"notes", notes_of(jobs, stats)},
                  {"drive", drive_of(document)},
                  {"host", host_of(document)},
                  {"simulator", simulator(stats, effort, run)}};
  add_common(result, stats, workload, watch);
  return result;
}

}  // namespace ftlab
