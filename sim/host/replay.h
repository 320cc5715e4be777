// Replays a block trace on any Device: open loop at the recorded times, or closed loop as fast as the device completes
// requests, at a given queue depth.
#pragma once

#include <cstdint>

#include "sim/host/host.h"
#include "sim/traces/address_map.h"
#include "sim/traces/trace.h"

namespace ftlab {

struct ReplayOptions {
  std::uint64_t speed_percent = 100;  // 200: twice the recorded speed; ignored in a closed loop
  std::uint64_t depth = 0;            // queue depth of the closed loop; 0: open loop
  std::uint64_t loops = 1;            // number of passes, a mean gap between requests apart
};

// Longer than any published trace. The statistics of a run take about 8 MB per day.
inline constexpr Nanoseconds kLongestReplay = std::chrono::hours(24 * 100);

// Throws ConfigError if the trace cannot be replayed in an open loop because it would last longer than kLongestReplay, or
// all of its requests have the same time. Also if the options would shift power cuts relative to the requests.
void check_replay(const TraceSummary& summary, const ReplayOptions& options, const std::string& path);

// Arrival time of the last request of the last pass in an open loop. REQUIRES: check_replay() passed.
Nanoseconds last_arrival(const TraceSummary& summary, const ReplayOptions& options);

// Reads the file again, request by request. In an open loop memory holds the requests that the device has not completed yet.
// Flushes count as requests, but have no statistics of their own. REQUIRES: check_replay() passed; `summary` is of the same
// file with the same options; the device is timed unless the loop is closed; `description` outlives the result; `power` is
// not null if the trace contains power events.
RunStats replay_trace(Device& device, const TraceOptions& trace, const TraceSummary& summary, AddressMap& addresses,
                      const ReplayOptions& options, const Job& description, const HostOptions& host,
                      PowerSwitch* power = nullptr);

}  // namespace ftlab
