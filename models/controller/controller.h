// The processor of the drive: cores that run the firmware, one piece of work at a time each. Work goes to the core that can
// begin it first, of equal ones to the first. Given the moment at which a piece of work could begin, says when it is done.
//
// A command costs firmware time, which keeps a core, and a latency of queues, hardware and hand-overs inside the controller,
// which keeps nothing: with a long latency a drive needs many outstanding commands to reach its peak.
#pragma once

#include <cstdint>
#include <vector>

#include "models/controller/read_ahead.h"
#include "sim/config/reader.h"
#include "sim/core/timeline.h"

namespace ftlab {

// Now and then the firmware does nothing for its host: it saves its tables, which grow with what was written.
struct PausesConfig {
  std::uint64_t after_write_bytes = 0;  // of the host; 0: never
  Nanoseconds lasts{0};
};

struct ControllerConfig {
  Nanoseconds read_command{0};   // firmware time of one core for a command; commands queue for the cores
  Nanoseconds write_command{0};  // also of trim and flush
  Nanoseconds trim_page{0};      // firmware time for each mapping page that a trim unmaps
  std::uint32_t cores = 1;
  Nanoseconds read_page{0};           // firmware time for each mapping page that a read touches
  Nanoseconds write_page{0};          // ... that a write touches
  Nanoseconds read_unmapped_page{0};  // ... that a read touches and that holds no data, on top of read_page
  Nanoseconds read_latency{0};        // passes after the firmware's work, before the flash is asked
  Nanoseconds write_latency{0};       // passes after the firmware's work, before the host may send its data
  Nanoseconds look_up_page{0};  // firmware time to find a page of a read in the map, see ftl/drive/path/map_search.h ...
  Nanoseconds look_up_step{0};  // ... for each step of the search in an extent map
  ReadAheadConfig read_ahead{};
  PausesConfig pauses{};
  bool write_pages_beside_data = false;  // write_page goes on while the data come, not before them
  bool pages_apart = false;              // pages are worked on by a core of their own, behind their command
  Nanoseconds host_memory_read{0};       // round trip of a read of the host's memory, beside the transfer
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
  // A command, and behind it its pages. With pages_apart the next command begins meanwhile: at depth a request then takes
  // the longer of the two, not both.
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
  // The host writes so much more: when it is enough, the cores pause before they work on it.
  void note_write(Nanoseconds ready, std::uint64_t bytes) {
    if (config_.pauses.after_write_bytes == 0) return;
    written_since_pause_ += bytes;
    if (written_since_pause_ >= config_.pauses.after_write_bytes) [[unlikely]]
      pause(ready);
  }
  const ControllerConfig& config() const { return config_; }
  Nanoseconds idle_from() const;
  Nanoseconds busy() const;  // of all cores together

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
