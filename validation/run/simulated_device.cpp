#include "validation/run/simulated_device.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "ftl/drive/config/table_bytes.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "sim/config/echo.h"
#include "sim/core/error.h"
#include "sim/host/jobs/host_zones.h"
#include "sim/host/stack/rebased_device.h"
#include "validation/results/machine_memory.h"
#include "validation/results/result.h"
#include "validation/run/own_files.h"
#include "validation/run/power_cuts.h"
#include "validation/run/precondition.h"
#include "validation/run/scaled_drive.h"
#include "validation/run/traces/block_recording.h"

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

// A simulated SSD as a device under test.
class SimulatedSsd final : public SimulatedDevice {
 public:
  // Continues with a used drive from the time when its flash is idle. replace() creates a new one of the same design.
  SimulatedSsd(Node document, std::unique_ptr<Drive>&& drive)
      : SimulatedSsd(std::move(document), std::move(drive), drive->idle_from()) {}

  std::unique_ptr<SimulatedDevice> fork(const UserPolicies& own) const override {
    const Clock clock = drive_->info().timed ? Clock::timed : Clock::untimed;
    auto drive = std::make_unique<Drive>(own.overridden_by(config_), clock, seed_);
    drive->load(drive_->save(), true);
    // The copy's flash operations continue at `now_`, not at the later time when the flash becomes idle.
    return std::unique_ptr<SimulatedDevice>(new SimulatedSsd(document_, std::move(drive), now_));
  }

  void save(StateFile& file) override { file.save(*drive_, document_); }
  Drive* ssd() override { return drive_.get(); }
  bool has_file_system() const override { return config_.host.file_system.on(); }
  void discard_versions() override { drive_->discard_versions(); }
  Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload,
                const SteadyWatch* watch) override {
    return make_result(*drive_, document_, jobs, stats, effort, workload, watch);
  }

  std::string state_signature() override {
    Signature signature;
    sign_slots(*drive_, signature);
    return signature.text();
  }

  // The drive behind its host.
  Device& device() override { return host_->front(); }
  std::string cannot(Ability ability) const override {
    if (ability == Ability::counting && has_file_system())
      return "lies under the file system of its host, through which requests go";
    if (ability == Ability::counting) return counted_aging_problem(*drive_);
    if (ability == Ability::contents && has_file_system())
      return "lies under the file system of its host: it does not know what a file holds";
    return {};
  }

  ZoneReport zones() const override { return static_cast<const Device&>(*drive_).zones(); }
  void replace() override {
    make_new();
    now_ = Nanoseconds{0};
  }

  void power_cycle() override {
    Lifecycle(*drive_).power_cycle();
    now_ = std::max(now_, drive_->idle_from());
  }

  // Waits until the drive is idle; the untimed part takes no time.
  void set_timed(bool timed) override {
    now_ = std::max(now_, drive_->idle_from());
    drive_->set_clock(timed ? Clock::timed : Clock::untimed);
  }

  void age(std::uint64_t random_bytes, std::uint64_t seed, const std::function<void(std::uint64_t)>& progress) override {
    const std::uint64_t writes = random_bytes / counted_block_bytes();
    refuse_beyond_memory(counted_aging_bytes(config_, drive_->ftl().store().pages().mapped(), writes), "step age");
    if (!Lifecycle(*drive_).age_by_counting({writes, 0, nullptr, progress}, seed))
      throw ConfigError({"step age", 0}, "by", "does not see flash that wears out, or has data that need retries, as here",
                        "counting", "requests");
    now_ = std::max(now_, drive_->idle_from());
  }

  std::uint64_t counted_block_bytes() const override { return config_.ftl.mapping_bytes; }
  void precondition(const std::string& state, std::uint64_t seed,
                    const std::function<void(std::uint64_t)>& progress) override {
    now_ = std::max(now_, drive_->idle_from());
    const double writes_of_drive = static_cast<double>(config_.user_bytes) / static_cast<double>(counted_block_bytes());
    Preconditioning wanted{precondition_named(state), seed, nullptr, &cache_};
    wanted.progress = [&](double drive_writes, double) {
      progress(static_cast<std::uint64_t>(drive_writes * writes_of_drive));
    };
    ftlab::precondition(*this, wanted);
    now_ = std::max(now_, drive_->idle_from());
  }

  // Saves to memory, about 13 bytes per mapping page. Throws ConfigError if memory does not suffice.
  void keep(const std::string& snapshot) override {
    refuse_beyond_memory(table_bytes(config_), "snapshot " + snapshot);
    kept_[snapshot] = {drive_->save(), now_};
  }

  // Restores the drive at its simulated time of keep(), with no idle time since.
  void take_back(const std::string& snapshot) override {
    const Kept& kept = kept_.at(snapshot);
    make_new();
    drive_->load(kept.state, true);
    now_ = kept.now;
  }

 private:
  struct Kept {
    std::string state;
    Nanoseconds now{0};
  };
  SimulatedSsd(Node document, std::unique_ptr<Drive>&& drive, Nanoseconds now)
      : SimulatedDevice(std::move(document)), config_(drive->config()), seed_(drive->seed()), drive_(std::move(drive)) {
    now_ = now;
    attach_host();
  }

  void make_new() {
    host_.reset();
    drive_.reset();  // first, to avoid memory for two drives
    drive_ = std::make_unique<Drive>(config_, Clock::timed, seed_);
    attach_host();
  }

  void attach_host() { host_.emplace(*drive_, config_.host, seed_); }

  DriveConfig config_;
  std::uint64_t seed_;
  std::unique_ptr<Drive> drive_;
  std::optional<HostStack> host_;
  std::map<std::string, Kept> kept_;
};

// A simulated disk as a device under test. It has no TRIM and does not track the contents of reads, but supports everything
// else that a procedure can require.
class SimulatedDisk final : public SimulatedDevice {
 public:
  // Continues with a used disk. replace() creates a new one.
  SimulatedDisk(Node document, Disk disk) : SimulatedDevice(std::move(document)), disk_(std::move(disk)) {
    now_ = disk_.idle_from();
    attach_host();
  }

  std::unique_ptr<SimulatedDevice> fork(const UserPolicies& /*own*/) const override {
    auto forked = std::make_unique<SimulatedDisk>(document_, disk_);
    forked->now_ = now_;
    return forked;
  }

  void save(StateFile& /*file*/) override {
    throw ConfigError({"--save", 0}, "", "is for SSDs; the state of a disk is not kept");
  }

  Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload,
                const SteadyWatch* watch) override {
    return make_result(disk_, document_, jobs, stats, effort, workload, watch);
  }

  std::string state_signature() override {
    Signature signature;
    disk_.add_to(signature);
    return signature.text();
  }

  bool has_file_system() const override { return disk_.config().host.file_system.on(); }
  // The disk behind its host.
  Device& device() override { return host_->front(); }
  std::string cannot(Ability ability) const override {
    if (ability == Ability::trim) return "is a disk: it has no TRIM";
    if (ability == Ability::counting || ability == Ability::states) return "is a disk: writes change nothing of its speed";
    if (ability == Ability::contents) return "is a simulated disk: it does not know what its reads return";
    return {};
  }

  void replace() override {
    disk_ = Disk(disk_.config(), true, disk_.seed());
    attach_host();
    now_ = Nanoseconds{0};
  }

  void power_cycle() override {
    disk_.power_cycle();
    now_ = std::max(now_, disk_.idle_from());
  }

  void set_timed(bool timed) override {
    now_ = std::max(now_, disk_.idle_from());
    disk_.set_timed(timed);
  }

  // A snapshot copies the disk: a few hundred KiB.
  void keep(const std::string& snapshot) override { kept_.insert_or_assign(snapshot, Kept{disk_, now_}); }
  void take_back(const std::string& snapshot) override {
    const Kept& kept = kept_.at(snapshot);
    disk_ = kept.disk;
    attach_host();
    now_ = kept.now;
  }

 private:
  struct Kept {
    Disk disk;
    Nanoseconds now;
  };

  void attach_host() { host_.emplace(disk_, disk_.config().host, disk_.seed()); }

  Disk disk_;
  std::optional<HostStack> host_;
  std::map<std::string, Kept> kept_;
};

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

std::unique_ptr<SimulatedDevice> used_device(Node document, std::unique_ptr<Drive> drive) {
  return std::make_unique<SimulatedSsd>(std::move(document), std::move(drive));
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
