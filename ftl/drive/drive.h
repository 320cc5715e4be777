// A simulated SSD behind the Device interface: link, controller, translation layer and flash.
//
// A command passes the parts in this order; each has its own header:
//
//   Commands (firmware, order) -> WritePath, ReadPath (data over the link) -> Ftl (where data live) -> FlashEngine
//
// Agenda is the clock and the queue of command events. Lifecycle cuts the power, changes the design and ages the drive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ftl/drive/path/commands.h"
#include "ftl/drive/path/drive_parts.h"
#include "ftl/drive/path/idle_time.h"
#include "ftl/drive/path/read_path.h"
#include "ftl/drive/path/write_path.h"
#include "sim/device.h"

namespace ftlab {

class Drive final : public Device {
 public:
  // `seed` determines all random choices of the drive.
  Drive(const DriveConfig& config, Clock clock, std::uint64_t seed = 1);

  DeviceInfo info() const override;
  void expect(const Request& request) override;
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // The counters at the completion of the last request.
  Counters counters() const override { return counters_at(idle_time_.since()); }
  Counters counters_at(Nanoseconds now) const override;
  // Contents are reported by mapping page.
  std::optional<VersionRules> report_contents(ContentLog* log) override;

  // Continues with another clock from the same state, e.g. to age a drive untimed and then measure it timed. REQUIRES: no
  // request outstanding.
  void set_clock(Clock clock);

  // Serialises the whole state (sim/core/archive.h), e.g. to age a drive once for many runs. A drive made from the same
  // configuration that loads these bytes continues exactly like this one. REQUIRES: no request outstanding.
  std::string save();
  // Like save(), but passes the bytes on in pieces and needs no memory for the whole. Walks the state twice.
  void save(const std::function<void(std::string_view)>& sink);
  // Loads a saved state. Throws ArchiveError if the bytes are damaged or do not fit this drive, which must not be used
  // afterwards. `own`: this build saved them, so that their invariants are not inspected again, which takes a second a TB.
  // REQUIRES: no request outstanding.
  void load(std::string_view state, bool own = false);

  // Lets the flash finish all its work. Returns the time at which it has finished, when a run can start on an idle drive.
  // REQUIRES: no request outstanding.
  Nanoseconds idle_from();
  // Latest time known to the drive.
  Nanoseconds latest() const { return std::max(parts_.agenda.now(), idle_time_.since()); }

  // Call before the first request of a run without power cuts, saves, redesigns and content reports. The drive then needs 8
  // instead of 12 bytes a page, unless its design needs the versions of its data.
  void discard_versions();

  const Ftl& ftl() const { return *parts_.layer; }
  // The flash: its medium, errors and engine.
  const BackEnd& flash() const { return parts_.back; }
  const Medium& medium() const { return parts_.back.medium; }
  const ScanTimer& scans() const { return parts_.scans; }
  const DriveConfig& config() const { return parts_.config; }
  std::uint64_t seed() const { return parts_.seed; }

 private:
  friend class Lifecycle;
  friend struct BrokenDrive;  // validation/checks/invariants_test.cpp

  // Called by way of the device interface.
  ZoneReport zones() const override { return parts_.zones.report(); }

  // --- how time passes (drive_events.cpp) ---
  bool next_event(Nanoseconds until);
  Nanoseconds next_moment() const {
    return std::min({parts_.back.engine->next(), parts_.agenda.earliest(), commands_.next_place()});
  }
  void handle(Agenda::Entry entry);
  void take_reports();
  void advance(Nanoseconds until);
  void run_until(Nanoseconds moment);
  void pass_time_until(Nanoseconds moment);
  void use_silence(Nanoseconds moment);
  template <class NextStep>
  void run_idle_steps(Nanoseconds until, NextStep&& next_step);
  void use_idle_time(Nanoseconds until);
  void scan(Nanoseconds until);
  void skip_scans(Nanoseconds until);
  void scrub_cells();

  void begin(const Request& request);
  void begin_waiting();
  void execute_untimed(Request request);
  VersionRules version_rules() const;

  template <class A>
  void archive(A& archive);
  void forget_times();
  // Makes a new layer from the content of the medium.
  void restart_layer();
  // Drops all commands and all data read ahead.
  void clear_commands();

  DriveParts parts_;
  IdleTime idle_time_;
  Commands commands_;
  WritePath writes_;
  ReadPath reads_;
  Counters past_;  // counters of layers before a power cut or redesign

  // Pages of announced requests that await the second prefetch step. It must come some requests after the first one, but
  // before the host submits the request (it announces sixteen at a time). Relative speed of untimed writes: 0.97 with 4
  // pages, 1 with 8, 0.95 with 16.
  static constexpr std::uint32_t kExpected = 8;
  Lpn expected_[kExpected] = {};
  std::uint32_t expected_count_ = 0;
};

}  // namespace ftlab
