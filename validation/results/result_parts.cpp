#include "validation/results/result_parts.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

Json picojoules(Uint128 value) {
  if (value <= std::numeric_limits<std::uint64_t>::max()) return static_cast<std::uint64_t>(value);
  return static_cast<double>(value);
}

Json ratio(double value, std::uint64_t by) { return by == 0 ? Json(nullptr) : Json(value / static_cast<double>(by)); }

}  // namespace

Json energy_json(const PowerConfig& power, const Counters& run) {
  const EnergyParts parts = energy_parts(power, run);
  Json parts_pj = Json::object();
  for (std::size_t p = 0; p < kEnergyPartCount; ++p) parts_pj[kEnergyPartNames[p]] = picojoules(parts[p]);
  const double joules = static_cast<double>(energy(parts)) / 1e12;
  return {{"joules", joules},
          {"watts", ratio(joules * 1e9, run.powered_ns)},
          {"joules_per_host_gb", ratio(joules * 1e9, run.host_read_bytes + run.host_write_bytes)},
          {"joules_per_gb_written", ratio(joules * 1e9, run.host_write_bytes)},
          {"total_pj", picojoules(energy(parts))},
          {"parts_pj", parts_pj},
          {"time_ns", {{"powered", run.powered_ns}, {"active", run.active_ns}, {"asleep", run.asleep_ns}}}};
}

Json energy_phases(const RunStats& stats) {
  Json phases = Json::array();
  const Counters* before = &stats.device_before;
  for (const RunPhase& phase : stats.phases) {
    Json jobs = Json::array();
    for (std::size_t job = phase.first_job; job < phase.end_job; ++job) jobs.push_back(stats.jobs[job].job->name);
    const std::uint64_t pj = phase.device.energy_pj - before->energy_pj;
    phases.push_back({{"jobs", jobs},
                      {"from_s", static_cast<double>(phase.from.count()) / 1e9},
                      {"to_s", static_cast<double>(phase.to.count()) / 1e9},
                      {"watts", ratio(static_cast<double>(pj) / 1e3, (phase.to - phase.from).count())},
                      {"total_pj", pj}});
    before = &phase.device;
  }
  return phases;
}

std::string energy_problem(const PowerConfig& power, const Counters& run) {
  const auto sum = static_cast<std::uint64_t>(energy(energy_parts(power, run)));
  if (sum == run.energy_pj) return {};
  return "energy parts sum to " + std::to_string(sum) + " pJ, the drive counted " + std::to_string(run.energy_pj);
}

}  // namespace ftlab
