#include "validation/run/simulated_device.h"

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "ftl/drive/lifecycle.h"
#include "sim/config/echo.h"
#include "sim/core/error.h"
#include "sim/host/jobs/host_zones.h"
#include "sim/host/stack/rebased_device.h"
#include "validation/results/machine_memory.h"
#include "validation/run/own_files.h"
#include "validation/run/power/cut_device.h"
#include "validation/run/scaled_drive.h"
#include "validation/run/simulated_disk.h"
#include "validation/run/simulated_ssd.h"
#include "validation/run/traces/recorded_device.h"

namespace ftlab {
namespace {

std::string past_of(const Drive& drive) {
  return fmt::format("the drive has lived {:.3f} s, {} bytes were written to it, {} bytes hold data",
                     static_cast<double>(drive.latest().count()) / 1e9, drive.counters().host_write_bytes,
                     drive.counters().mapped_bytes);
}

// Strips the sources of values from a document, so that two designs can be compared.
nlohmann::ordered_json values_of(const nlohmann::ordered_json& json) {
  if (!json.is_object()) return json;
  if (json.contains("value")) return json["value"];
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& [key, value] : json.items()) values[key] = values_of(value);
  return values;
}

RunStats run_recorded(const RunWorkload& workload, Device& device, const HostOptions& host, BlockRecording& recording) {
  RecordedDevice recorded(device, recording);
  RunStats stats = workload.run(recorded, host);
  recorded.finish(stats.ended);
  return stats;
}

}  // namespace

RunStats SimulatedDevice::run(const RunWorkload& workload, const HostOptions& host, BlockRecording* recording) {
  const Nanoseconds origin = now_;
  RebasedDevice from_now_on(device(), origin);
  if (Drive* drive = ssd()) Lifecycle(*drive).forget_buffer_waits();
  if (workload.cuts_power()) {
    FTLAB_CHECK(ssd() != nullptr && recording == nullptr, "the power of a disk, or of a drive that is pictured, is cut");
    CutDevice cuts(from_now_on, *ssd(), origin);
    RunStats stats = workload.run(cuts, host, &cuts);
    now_ = origin + std::max(stats.ended, cuts.back());
    return stats;
  }
  RunStats stats =
      recording == nullptr ? workload.run(from_now_on, host) : run_recorded(workload, from_now_on, host, *recording);
  now_ = origin + stats.ended;
  return stats;
}

std::unique_ptr<SimulatedDevice> new_device(const DeviceConfig& config, std::uint64_t seed, Node document) {
  if (config.disk) return std::make_unique<SimulatedDisk>(std::move(document), Disk(*config.disk, true, seed));
  refuse_beyond_memory(*config.ssd, true, config.name());
  refuse_beyond_addresses(*config.ssd, config.name());
  return std::make_unique<SimulatedSsd>(std::move(document), std::make_unique<Drive>(*config.ssd, Clock::timed, seed));
}

std::unique_ptr<SimulatedDevice> new_device(Node document, Clock clock, std::uint64_t seed, const UserPolicies& own) {
  const DeviceConfig config = read_device(document);
  if (config.disk)
    return std::make_unique<SimulatedDisk>(std::move(document), Disk(*config.disk, clock == Clock::timed, seed));
  refuse_beyond_memory(*config.ssd, false, config.name());
  refuse_beyond_addresses(*config.ssd, config.name());
  return std::make_unique<SimulatedSsd>(std::move(document),
                                        std::make_unique<Drive>(own.overridden_by(*config.ssd), clock, seed));
}

std::unique_ptr<SimulatedDevice> loaded_device(const std::string& load, const std::string& drive, const std::string& host,
                                               const std::vector<std::string>& settings, Clock clock,
                                               std::vector<Note>& notes, const UserPolicies& own) {
  refuse_unless_state(load);
  const SavedState state = read_state(load);
  Node design = drive.empty() ? state.label.document : load_drive(drive, {});
  set_host(design, host);
  set_drive_keys(design, settings);
  if (is_disk(design)) throw ConfigError({"--load", 0}, "", "is the state of an SSD, which a disk cannot take up", load);
  const bool same = nlohmann::json(values_of(to_json(design))) == nlohmann::json(values_of(to_json(state.label.document)));
  std::unique_ptr<Drive> restored = restore_drive(state, load, clock, same ? nullptr : &design, own);
  notes.push_back({load, 0, past_of(*restored)});
  if (!same) {
    notes.push_back({load, 0,
                     "another design takes the medium over by its power-on scan; " +
                         std::to_string(state.label.counters.mapped_bytes) + " bytes held data before"});
  }
  return std::make_unique<SimulatedSsd>(std::move(design), std::move(restored));
}

void refuse_impossible_workload(const RunWorkload& workload, const std::string& path, SimulatedDevice& device) {
  if (device.ssd() == nullptr) return refuse_for_disk(workload, path);
  HostZones::of(device.device(), workload.job_file.jobs, path);  // for its refusals, before the drive is prepared
  if (workload.trace && !workload.trace->only_reads() && device.device().zones().zone_bytes != 0) {
    throw ConfigError({path, 0}, "",
                      "writes or trims where it was recorded, and the zones of " + device.device().info().model +
                          " are written in order, each at its write pointer",
                      {}, "a trace of reads, or a conventional drive");
  }
  if (workload.cuts_power() && device.has_file_system()) {
    throw ConfigError({path, workload.trace->power_line()}, "",
                      "cuts the power, and losses are reported by drive address, not by the files of host.file_system", {},
                      "a host without file_system");
  }
}

}  // namespace ftlab
