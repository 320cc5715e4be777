// THE SEAM. A simulated SSD, a disk model and a real drive all stand behind these calls; workloads, host and statistics
// know nothing else of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/content_log.h"
#include "sim/core/types.h"
#include "sim/counters.h"
#include "sim/request.h"

namespace ftlab {

struct DeviceInfo {
  std::string model;
  std::uint64_t capacity_bytes = 0;
  bool timed = true;                // false: requests complete at once and the clock stands still
  std::uint64_t mapping_bytes = 0;  // unit of Counters::unmapped_read_pages; 0: unknown
  std::uint32_t placement_handles = 1;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceInfo info() const = 0;

  // Announces requests that will be submitted soon, in this order. Only a hint: it changes no result. A simulated drive
  // uses it to bring the needed part of its tables into the CPU's cache.
  virtual void expect(const Request& request) = 0;

  // Takes requests in order. REQUIRES: inside the capacity, whole sectors, `issued` not before any completion already
  // returned by wait() and not decreasing.
  virtual void submit(std::span<const Request> batch) = 0;

  // Waits for the earliest outstanding completion and returns it and all others of the same instant, at most out.size().
  // Returns 0 when none is due at or before `until`. Completions come in order of (time, order of submission).
  // A real device may return 0 before `until`, when the user wants to end; the host then looks at HostOptions::leave.
  virtual std::size_t wait(Nanoseconds until, std::span<Completion> out) = 0;

  // The moment at which a host acts that believes it is `believed`. A simulated clock stands still while the host computes;
  // that of a real device moves by itself and is at or behind what the host was told last. REQUIRES: wait() has returned
  // nothing until `believed`, or something of that moment.
  virtual Nanoseconds now(Nanoseconds believed) const { return believed; }

  // Cumulative since power-on; what the device does not have stays zero.
  virtual Counters counters() const = 0;
  // The same with what depends on time alone (energy, time asleep) as of `now`, which is not before the last request was
  // issued.
  virtual Counters counters_at(Nanoseconds now) const {
    (void)now;
    return counters();
  }

  // From now on `log` is told what reads return, until nullptr takes its place. Returns the rules by which the host can
  // predict it, as they are now. Nothing: the device cannot tell, and no job can verify on it. Changes no result.
  // REQUIRES: nothing is outstanding when the log changes; it outlives its use.
  virtual std::optional<VersionRules> report_contents(ContentLog* log) {
    (void)log;
    return std::nullopt;
  }
};

}  // namespace ftlab
