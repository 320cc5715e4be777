// The device interface (the seam). Simulated SSDs, the disk model and real drives implement it; workloads, host and
// statistics access them through it alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/content_log.h"
#include "sim/core/types.h"
#include "sim/counters.h"
#include "sim/request.h"
#include "sim/zones.h"

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

  // Prefetch hint: `request` will be submitted soon, in the order of these calls. Changes no result. A simulated drive uses
  // it to load the needed part of its tables into the CPU cache.
  virtual void expect(const Request& request) = 0;

  // Submits requests, in order. REQUIRES: they lie within the capacity, are whole sectors, and `issued` neither decreases
  // nor precedes a completion already returned by wait().
  virtual void submit(std::span<const Request> batch) = 0;

  // Waits for the earliest outstanding completion and returns it and all others of the same instant, at most out.size().
  // Returns 0 if none is due at or before `until`. Completions come in order of (time, submission).
  // A real device may return 0 before `until` if the user stops the run; the host then checks HostOptions::leave.
  virtual std::size_t wait(Nanoseconds until, std::span<Completion> out) = 0;

  // Current time of a host whose clock reads `believed`. A simulated clock stands still while the host computes. The clock
  // of a real device keeps running, and is never earlier than the last time reported to the host. REQUIRES: wait() has
  // returned 0 for `believed`, or a completion of that time.
  virtual Nanoseconds now(Nanoseconds believed) const { return believed; }

  // The zones of a zoned device, as after all commands submitted so far.
  virtual ZoneReport zones() const { return {}; }

  // Cumulative since power-on; counters that the device does not have stay zero.
  virtual Counters counters() const = 0;
  // Like counters(), with time-dependent counters (energy, time asleep) as of `now`. REQUIRES: `now` is not before the last
  // request was issued.
  virtual Counters counters_at(Nanoseconds now) const {
    (void)now;
    return counters();
  }

  // Reports to `log` what reads return, until called with nullptr. Returns the current rules by which the host can predict
  // it; nullopt if the device cannot report contents, so that no job can verify on it. Changes no result. REQUIRES: nothing
  // is outstanding when the log changes; `log` outlives its use.
  virtual std::optional<VersionRules> report_contents(ContentLog* log) {
    (void)log;
    return std::nullopt;
  }
};

}  // namespace ftlab
