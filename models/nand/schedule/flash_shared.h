// What the dies of a flash share: clock, channels, times, and the tables of work that has not ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/schedule/die_time.h"
#include "models/nand/schedule/operation_log.h"
#include "models/nand/schedule/operation_table.h"
#include "models/nand/schedule/programs.h"
#include "models/nand/schedule/winner_tree.h"
#include "models/nand/timing/operation_times.h"
#include "models/nand/timing/policy.h"
#include "models/nand/timing/timing.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

// Data on their way over a channel that somebody waits for. No padding: it is archived.
struct ReadOut {
  Nanoseconds done, array_end, bus_start;
  std::uint32_t operation;
  std::uint32_t unused = 0;
};

// Does one transfer at a time, in the order in which they are asked for.
struct FlashChannel {
  Nanoseconds free{0}, busy{0};
  RingBuffer<ReadOut> out;

  // The transfer takes the channel as soon as it is free. Returns when it starts.
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

// How dies take their operations.
struct DieRules {
  static constexpr std::uint32_t kUsualClasses = kPrograms + 2;

  bool cache_program, cache_read, independent_planes;
  Suspension suspension;
  bool suspends, first_come, reads_first;  // as the policy says
  bool usual;                              // as most drives are
};

// What the flash has done.
struct FlashUse {
  DieTime die_time;
  std::uint64_t suspensions = 0;     // of programs and erases, by reads
  std::uint64_t buffered_reads = 0;  // of the host, answered from the controller's memory
};

struct FlashShared {
  FlashShared(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed, FlashUse use);

  // As most drives are, see FlashEngine::run().
  bool is_usual() const { return rules.usual && !log.on(); }
  std::uint32_t classes() const { return kPrograms + static_cast<std::uint32_t>(programs.size()); }
  // Moments of dies, of their inputs and of channels; of equal ones the first comes first.
  std::uint32_t input_leaf(std::uint32_t die) const { return dies + die; }
  std::uint32_t channel_leaf(std::uint32_t channel) const { return 2 * dies + channel; }
  std::uint32_t leaves() const { return channel_leaf(static_cast<std::uint32_t>(channels.size())); }
  // The die's input looks again at that moment, if not before.
  void look_again(std::uint32_t die, Nanoseconds at) {
    if (at < moments.at(input_leaf(die))) moments.set(input_leaf(die), at);
  }
  void forget_log() {
    operations.forget_log();
    for (FrontierPrograms& of_frontier : programs) of_frontier.forget_log();
  }
  Nanoseconds transfer_in(const FlashProgram& program) const {
    return times.program_transfer((program.flags & FlashProgram::kInRegister) != 0 ? 0 : program.planes);
  }
  Nanoseconds read_time(const WorkRecord& record) const {  // of the array, once
    return times.looks_at_pages() ? times.read(Die{record.die}, record.page()) : times.read();
  }

  OperationTimes times;
  std::unique_ptr<SchedulingPolicy> policy;
  DieRules rules;
  std::uint32_t dies, superblocks;
  Nanoseconds now{0};  // the moment of the last event or record
  WinnerTree moments;
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
      superblocks(std::min(times.superblocks(), geometry.dies() * geometry.planes_per_die * geometry.blocks_per_plane)),
      moments(2 * geometry.dies() + geometry.channels),
      channels(geometry.channels),
      programs(frontiers),
      use(use_before) {
  rules.usual = rules.cache_program && rules.cache_read && !rules.independent_planes &&
                classes() <= DieRules::kUsualClasses && (rules.first_come || rules.reads_first);
}

}  // namespace ftlab
