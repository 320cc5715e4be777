#include "sim/host/replay.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/core/uint128.h"
#include "sim/host/stack/passing_device.h"

namespace ftlab {
namespace {

// Time from the first request of one pass to the first of the next.
Uint128 pass_ns(const TraceSummary& summary) {
  const std::uint64_t gaps = std::max<std::uint64_t>(1, summary.counts.requests - 1);
  return Uint128{summary.duration_ns} + (summary.duration_ns + gaps - 1) / gaps;
}

Uint128 last_arrival_ns(const TraceSummary& summary, const ReplayOptions& options) {
  return (pass_ns(summary) * (options.loops - 1) + summary.duration_ns) * 100 / options.speed_percent;
}

// Source of the requests of all passes, with their times.
class Arrivals {
 public:
  Arrivals(const TraceOptions& trace, const TraceSummary& summary, AddressMap& addresses, const ReplayOptions& options)
      : options_(trace),
        addresses_(addresses),
        pass_ns_(pass_ns(summary)),
        speed_(options.speed_percent),
        loops_(options.loops) {}

  bool next(Arrival& arrival) {
    TraceRecord record;
    while (!trace_ || !trace_->next(record)) {
      if (passes_ == loops_) return false;
      trace_.emplace(options_);
      ++passes_;
    }
    const Uint128 at = (pass_ns_ * (passes_ - 1) + record.at_ns) * 100 / speed_;
    arrival.at = Nanoseconds{static_cast<std::uint64_t>(at)};
    arrival.power = record.power;
    arrival.request = {0, record.op, 0, record.length_bytes, Nanoseconds{0}, 0, record.fua};
    if (record.op != Op::flush) arrival.request.offset_bytes = addresses_.place(record);
    return true;
  }

 private:
  const TraceOptions& options_;
  AddressMap& addresses_;
  Uint128 pass_ns_;
  std::uint64_t speed_;
  std::uint64_t loops_;
  std::optional<Trace> trace_;
  std::uint64_t passes_ = 0;  // passes begun
};

// Limits the queue depth: room_at() returns when one more request fits. It turns the open loop into a closed one, in which
// every request arrives as soon as there is room.
class DepthLimiter final : public PassingDevice {
 public:
  DepthLimiter(Device& device, std::uint64_t depth) : PassingDevice(device), depth_(depth) {}

  void submit(std::span<const Request> batch) override {
    behind().submit(batch);
    outstanding_ += batch.size();
  }

  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    if (held_first_ == held_end_) return wait_for_device(until, out);
    const std::size_t count = std::min(out.size(), held_end_ - held_first_);
    std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(held_first_), count, out.begin());
    held_first_ += count;
    return count;
  }

  // Completions that make room are held back until wait() asks for them, at the same instant.
  Nanoseconds room_at() {
    if (outstanding_ < depth_) return now_;
    FTLAB_CHECK(held_first_ == held_end_, "completions were left unasked for");
    held_first_ = 0;
    held_end_ = wait_for_device(kNever, held_);
    FTLAB_CHECK(held_end_ > 0, std::to_string(outstanding_) + " requests never came back");
    return now_;
  }

 private:
  std::size_t wait_for_device(Nanoseconds until, std::span<Completion> out) {
    const std::size_t count = behind().wait(until, out);
    outstanding_ -= count;
    if (count > 0) now_ = out[count - 1].completed;
    return count;
  }

  std::uint64_t depth_;
  std::uint64_t outstanding_ = 0;
  Nanoseconds now_{0};  // time of the latest completion
  std::array<Completion, 64> held_;
  std::size_t held_first_ = 0;
  std::size_t held_end_ = 0;
};

// Power cuts must keep their times: a cut hits the operations in flight, and the recovered state affects what follows.
void refuse_to_move_cuts(const ReplayOptions& options, const ConfigError::Place& place) {
  const auto refuse = [&place](const char* option, std::uint64_t value, const char* why) {
    throw ConfigError(place, "", "cuts the power of the drive, so the trace cannot be replayed " + std::string(why),
                      option + (" " + std::to_string(value)), "its recorded times, once");
  };
  if (options.depth > 0) refuse("--closed-loop", options.depth, "without its times");
  if (options.speed_percent != 100) refuse("--trace-speed", options.speed_percent, "at another speed");
  if (options.loops > 1) refuse("--trace-loops", options.loops, "several times");
}

}  // namespace

void check_replay(const TraceSummary& summary, const ReplayOptions& options, const std::string& path) {
  if (summary.power_line > 0) refuse_to_move_cuts(options, {path, summary.power_line});
  if (options.depth > 0) return;
  if (summary.duration_ns == 0 && summary.counts.requests > 1) {
    throw ConfigError(
        {path, 0}, "",
        "its " + std::to_string(summary.counts.requests) +
            " requests all carry the same time, so it cannot be replayed at its own times; give --closed-loop DEPTH");
  }
  if (last_arrival_ns(summary, options) > kLongestReplay.count()) {
    throw ConfigError({path, 0}, "",
                      "would last longer than 100 days; is its time unit right? (--trace-speed shortens it, --closed-loop "
                      "does without times)");
  }
}

Nanoseconds last_arrival(const TraceSummary& summary, const ReplayOptions& options) {
  return Nanoseconds{static_cast<std::uint64_t>(last_arrival_ns(summary, options))};
}

RunStats replay_trace(Device& device, const TraceOptions& trace, const TraceSummary& summary, AddressMap& addresses,
                      const ReplayOptions& options, const Job& description, const HostOptions& host, PowerSwitch* power) {
  FTLAB_CHECK(power != nullptr || summary.power_line == 0, "a trace with power cuts on a device that has no switch");
  FTLAB_CHECK(options.depth > 0 || device.info().timed, "recorded times need a clock");
  Arrivals arrivals(trace, summary, addresses, options);
  DepthLimiter roomy(device, options.depth);
  const auto at_their_times = [&arrivals](Arrival& arrival) { return arrivals.next(arrival); };
  const auto when_there_is_room = [&arrivals, &roomy](Arrival& arrival) {
    if (!arrivals.next(arrival)) return false;
    arrival.at = roomy.room_at();
    return true;
  };
  RunStats stats = options.depth == 0 ? run_open_loop(device, at_their_times, description, host, power)
                                      : run_open_loop(roomy, when_there_is_room, description, host);
  stats.jobs.front().job = &description;  // was a copy inside run_open_loop(), now destroyed
  return stats;
}

}  // namespace ftlab
