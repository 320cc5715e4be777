// A simulated SSD behind the seam: link, controller, translation layer and flash put together, one request at a time.
//
// A command goes through the parts in this order; each has a header of its own:
//
//   Commands (firmware, order) -> WritePath, ReadPath (data over the link) -> Ftl (where data live) -> FlashEngine
//
// Agenda is the clock, and what falls due for commands. Lifecycle cuts the power, changes the design and ages the drive.
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
#include "sim/core/rule.h"
#include "sim/device.h"

namespace ftlab {

class Drive final : public Device {
 public:
  // `seed`: of all chance inside the drive.
  Drive(const DriveConfig& config, Clock clock, std::uint64_t seed = 1);

  DeviceInfo info() const override;
  void expect(const Request& request) override;
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // As of the moment when the last request is answered.
  Counters counters() const override { return counters_at(idle_time_.since()); }
  Counters counters_at(Nanoseconds now) const override;
  // By mapping pages.
  std::optional<VersionRules> report_contents(ContentLog* log) override;

  // Continues with the other clock from the same state: a drive is aged untimed and then measured timed. REQUIRES: no
  // request outstanding.
  void set_clock(Clock clock);

  // The whole state as bytes (sim/core/archive.h): aged once, continued by many. A drive made from the same configuration
  // and given the bytes continues exactly as this one. REQUIRES: no request outstanding.
  std::string save();
  // The same, handed over piece by piece: takes no memory of the state's size. Walks the state twice.
  void save(const std::function<void(std::string_view)>& sink);
  // Takes up a saved state. Throws ArchiveError when the bytes are damaged or do not fit this drive, which must not be used
  // any more then. REQUIRES: no request outstanding.
  void load(std::string_view state);

  // Lets the flash finish all its work. Returns when it has: the moment at which a run begins that finds the drive idle.
  // REQUIRES: no request outstanding.
  Nanoseconds idle_from();
  // The latest moment that it knows of.
  Nanoseconds latest() const { return std::max(parts_.agenda.now(), idle_time_.since()); }

  // Before the first request: this run has no power cut, is not saved, becomes no other design and reports no contents. The
  // drive then takes 8 bytes a page instead of 12, unless its design needs the versions of its data.
  void forget_versions();

  const Ftl& ftl() const { return *parts_.layer; }
  // The flash: its medium, its errors and the engine.
  const BackEnd& flash() const { return parts_.back; }
  const Medium& medium() const { return parts_.back.medium; }
  const ScanTimer& scans() const { return parts_.scans; }
  const DriveConfig& config() const { return parts_.config; }
  std::uint64_t seed() const { return parts_.seed; }

 private:
  friend class Lifecycle;
  friend struct LoadedStates;

  // --- how time passes (drive_events.cpp) ---
  bool next_event(Nanoseconds until);
  Nanoseconds next_moment() const {
    return std::min({parts_.back.engine->next(), parts_.agenda.earliest(), commands_.next_place()});
  }
  void handle(Agenda::Entry entry);
  void take_reports();
  void run_until(Nanoseconds moment);
  void pass_time_until(Nanoseconds moment);
  template <class NextStep>
  void work_ahead(Nanoseconds until, NextStep&& next_step);
  void use_idle_time(Nanoseconds until);
  void scan(Nanoseconds until);
  void skip_scans(Nanoseconds until);
  void scrub_cells();

  void begin(const Request& request);
  void begin_waiting();
  void execute_untimed(const Request& request);
  VersionRules version_rules() const;

  static std::span<const Rule<Drive>> rules();
  template <class A>
  void archive(A& archive);
  void forget_times();
  // The layer starts again from what the medium holds.
  void restart_layer();
  // No command is left, nor what is read ahead.
  void clear_commands();

  DriveParts parts_;
  IdleTime idle_time_;
  Commands commands_;
  WritePath writes_;
  ReadPath reads_;
  Counters past_;  // counters of layers before a power cut or redesign

  // Pages of announced requests, for the second step of prefetching: far enough behind the first that its result is there,
  // and before the host hands them over, which it announces sixteen at a time. Untimed writes a second, by number: 4: 0.97,
  // 8: 1, 16: 0.95.
  static constexpr std::uint32_t kExpected = 8;
  Lpn expected_[kExpected] = {};
  std::uint32_t expected_count_ = 0;
};

}  // namespace ftlab
