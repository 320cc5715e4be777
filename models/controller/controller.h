// The drive's processor: cores that run the firmware, each one task at a time. A task goes to the core that can begin it
// first, the first one of equals. Given the time at which a task is ready, computes when it is done.
//
// A command costs firmware time, which occupies a core, and a latency of queues, hardware and hand-overs inside the
// controller, which occupies nothing: with a long latency a drive needs a high queue depth to reach its peak.
#pragma once

#include <cstdint>
#include <vector>

#include "models/controller/read_ahead.h"
#include "sim/config/reader.h"
#include "sim/core/timeline.h"

namespace ftlab {

// Firmware pauses: the firmware serves no command while it saves its tables, which grow with the data written.
struct PausesConfig {
  std::uint64_t after_write_bytes = 0;  // host bytes between pauses; 0: no pauses
  Nanoseconds lasts{0};
};

struct ControllerConfig {
  Nanoseconds read_command{0};   // firmware time of one core for a command; commands queue for the cores
  Nanoseconds write_command{0};  // also for trim and flush
  Nanoseconds trim_page{0};      // firmware time for each mapping page that a trim unmaps
  std::uint32_t cores = 1;
  Nanoseconds read_page{0};           // firmware time for each mapping page that a read touches
  Nanoseconds write_page{0};          // firmware time for each mapping page that a write touches
  Nanoseconds read_unmapped_page{0};  // extra firmware time for each unmapped page that a read touches
  Nanoseconds read_latency{0};        // after the firmware time, before the flash is accessed
  Nanoseconds write_latency{0};       // after the firmware time, before the host may send its data
  Nanoseconds look_up_page{0};        // firmware time to find a page of a read in the map, see ftl/drive/path/map_search.h
  Nanoseconds look_up_step{0};        // firmware time for each step of the search in an extent map
  ReadAheadConfig read_ahead{};
  PausesConfig pauses{};
  bool write_pages_beside_data = false;  // write_page overlaps with the data transfer instead of preceding it
  bool pages_apart = false;              // a separate core processes the pages, after their command
  Nanoseconds host_memory_read{0};       // round trip of a read of host memory, without the transfer
};

// Reads the object `controller` of a drive file. Throws ConfigError.
ControllerConfig read_controller(Reader reader);

class Controller {
 public:
  explicit Controller(const ControllerConfig& config) : config_(config), cores_(config.cores) {}

  struct Times {
    Nanoseconds start, done;
  };
  Times work(Nanoseconds ready, Nanoseconds length) {
    Timeline& core = cores_.size() == 1 ? cores_[0] : free_first(ready, length);
    const Nanoseconds start = core.reserve(ready, length);
    return {start, start + length};
  }
  // A command, then its pages. With pages_apart the next command overlaps with the pages: at high queue depth a request then
  // takes the longer of the two times, not their sum.
  struct Stages {
    Nanoseconds start, commanded, pages_start, done;
  };
  Stages work_in_stages(Nanoseconds ready, Nanoseconds command, Nanoseconds pages) {
    if (!config_.pages_apart) {
      const Times times = work(ready, command + pages);
      return {times.start, times.start + command, times.start + command, times.done};
    }
    const Times times = work(ready, command);
    const Nanoseconds pages_start = pages_core_.reserve(times.done, pages);
    return {times.start, times.done, pages_start, pages_start + pages};
  }
  // Counts bytes of a host write. When enough are written, the cores pause before they process this write.
  void note_write(Nanoseconds ready, std::uint64_t bytes) {
    if (config_.pauses.after_write_bytes == 0) return;
    written_since_pause_ += bytes;
    if (written_since_pause_ >= config_.pauses.after_write_bytes) [[unlikely]]
      pause(ready);
  }
  const ControllerConfig& config() const { return config_; }
  Nanoseconds idle_from() const;
  Nanoseconds busy() const;  // sum of all cores

  template <class A>
  void archive(A& archive) {
    for (Timeline& core : cores_) core.archive(archive);
    if (config_.pages_apart) pages_core_.archive(archive);
    if (config_.pauses.after_write_bytes > 0) archive.value(written_since_pause_);
  }

 private:
  Timeline& free_first(Nanoseconds ready, Nanoseconds length);
  void pause(Nanoseconds ready);

  ControllerConfig config_;
  std::vector<Timeline> cores_;
  Timeline pages_core_;
  std::uint64_t written_since_pause_ = 0;
};

}  // namespace ftlab
