// Replays a block trace on any Device: open loop at the recorded times, or closed loop as fast as the device takes the
// requests, a given number of them at once.
#pragma once

#include <cstdint>

#include "sim/host/host.h"
#include "sim/traces/address_map.h"
#include "sim/traces/trace.h"

namespace ftlab {

struct ReplayOptions {
  std::uint64_t speed_percent = 100;  // 200: at twice the recorded speed; has no meaning in a closed loop
  std::uint64_t depth = 0;            // of the closed loop; 0: open loop
  std::uint64_t loops = 1;            // times that the trace is replayed, a mean gap between requests apart
};

// Longer than any trace that is published. The statistics of a run take about 8 MB for each day of it.
inline constexpr Nanoseconds kLongestReplay = std::chrono::hours(24 * 100);

// Throws ConfigError when the trace cannot be replayed so in an open loop: it would last longer than kLongestReplay, or all
// requests carry one time. Also when its power cuts would strike at other moments of its requests than they did.
void check_replay(const TraceSummary& summary, const ReplayOptions& options, const std::string& path);

// When the last request of the last pass arrives in an open loop. REQUIRES: check_replay() passed.
Nanoseconds last_arrival(const TraceSummary& summary, const ReplayOptions& options);

// Reads the file again, request by request. In the open loop memory holds the requests that the device is behind with.
// Flushes count as requests, but have no statistics of their own. REQUIRES: check_replay() passed; `summary` is of the same
// file with the same options; the clock runs (the device is timed) unless the loop is closed; `description` outlives the
// result; `power` is there when the trace says anything of it.
RunStats replay_trace(Device& device, const TraceOptions& trace, const TraceSummary& summary, AddressMap& addresses,
                      const ReplayOptions& options, const Job& description, const HostOptions& host,
                      PowerSwitch* power = nullptr);

}  // namespace ftlab
