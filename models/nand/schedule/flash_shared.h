// Shared by the dies of a flash: clock, channels, times, and the tables of operations in flight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/schedule/die_time.h"
#include "models/nand/schedule/moment_ring.h"
#include "models/nand/schedule/operation_log.h"
#include "models/nand/schedule/operation_table.h"
#include "models/nand/schedule/programs.h"
#include "models/nand/schedule/winner_tree.h"
#include "models/nand/timing/operation_times.h"
#include "models/nand/timing/policy.h"
#include "models/nand/timing/timing.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

// Read data that something waits for, on a channel. No padding: archived.
struct ReadOut {
  Nanoseconds done, array_end, bus_start;
  std::uint32_t operation;
  std::uint32_t unused = 0;
};

// Makes one transfer at a time, in order of request.
struct FlashChannel {
  Nanoseconds free{0}, busy{0};
  RingBuffer<ReadOut> out;

  // Schedules a transfer as soon as the channel is free. Returns its start.
  Nanoseconds transfer(Nanoseconds now, Nanoseconds length) {
    const Nanoseconds start = now < free ? free : now;
    free = start + length;
    busy += length;
    return start;
  }
  void clear(Nanoseconds now) {
    busy -= std::min(busy, free > now ? free - now : Nanoseconds{0});
    free = std::min(free, now);
    out.clear();
  }
};

// How dies order and overlap their operations.
struct DieRules {
  static constexpr std::uint32_t kUsualClasses = kPrograms + 2;

  bool cache_program, cache_read, independent_planes;
  Suspension suspension;
  bool suspends, first_come, reads_first;  // properties of the policy
  bool usual;                              // see FlashEngine::run()
};

// Usage counters of the flash.
struct FlashUse {
  DieTime die_time;
  std::uint64_t suspensions = 0;     // programs and erases stopped for reads
  std::uint64_t buffered_reads = 0;  // host reads served from the controller's memory
};

struct FlashShared {
  FlashShared(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed, FlashUse use);

  // The usual case, see FlashEngine::run().
  bool is_usual() const { return rules.usual && !log.on(); }
  std::uint32_t classes() const { return kPrograms + static_cast<std::uint32_t>(programs.size()); }
  // Leaves of `arrivals`: inputs of the dies, then channels.
  std::uint32_t input_leaf(std::uint32_t die) const { return die; }
  std::uint32_t channel_leaf(std::uint32_t channel) const { return dies + channel; }
  Nanoseconds next() const { return std::min(die_moments.next(), arrivals.next()); }
  // Schedules an input event of the die at `at`, unless one is due before.
  void look_again(std::uint32_t die, Nanoseconds at) {
    if (at < arrivals.at(input_leaf(die))) arrivals.set(input_leaf(die), at);
  }
  void forget_log() {
    operations.forget_log();
    for (FrontierPrograms& of_frontier : programs) of_frontier.forget_log();
  }
  Nanoseconds transfer_in(const FlashProgram& program) const {
    return times.program_transfer((program.flags & FlashProgram::kInRegister) != 0 ? 0 : program.planes);
  }
  Nanoseconds read_time(const WorkRecord& record) const {  // one array read
    return times.reads_depend_on_page() ? times.read(Die{record.die}, record.page()) : times.read();
  }

  OperationTimes times;
  std::unique_ptr<SchedulingPolicy> policy;
  DieRules rules;
  std::uint32_t dies;
  Nanoseconds now{0};  // time of the last event or record
  // Next events. Of those at equal times the dies come first, then arriving data in the order of their leaves.
  WinnerTree die_moments;
  MomentRing arrivals;
  std::vector<FlashChannel> channels;
  std::vector<FrontierPrograms> programs;  // by frontier
  OperationTable operations;
  OperationLog log;
  FlashUse use;
};

inline FlashShared::FlashShared(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers,
                                BlockSpeed speed, FlashUse use_before)
    : times(geometry, timing, std::move(speed)),
      policy(timing.scheduling.make(geometry.dies())),
      rules{timing.cache_program,
            timing.cache_read,
            timing.independent_plane_reads,
            timing.suspension,
            timing.suspension.any() && policy->suspends(),
            policy->first_come(),
            policy->host_reads_first(),
            false},
      dies(geometry.dies()),
      die_moments(geometry.dies()),
      arrivals(geometry.dies() + geometry.channels),
      channels(geometry.channels),
      programs(frontiers),
      use(use_before) {
  rules.usual = rules.cache_program && rules.cache_read && !rules.independent_planes &&
                classes() <= DieRules::kUsualClasses && (rules.first_come || rules.reads_first);
}

}  // namespace ftlab
