// A simulated disk behind the seam: link, firmware, queue, caches and the mechanism, one access of the arm at a time.
//
// Which command the arm serves next depends on what has come by then, so nothing is promised when a command is submitted.
// wait() lets time go by as far as it may: an event at t (a command has come in, a piece of the write cache has been
// written, the arm is free) happens only when no completion at or before t is still to be returned, since its host may
// issue at that moment, and t lies before `until`, since it may issue then. So every choice sees all commands that are
// there at its moment, however the host waits.
//
// The way of a read: a place in the queue, the firmware, then a hit (read cache, write cache) or the arm; its data cross
// the link while they are read, the last sector after it. The way of a write: a place in the queue, the firmware, room in
// the write cache, the link, and it is complete; without a write cache, with FUA, or when it is larger than the cache, the
// arm follows. The arm serves reads first. When a write or a flush waits for it, it writes the cache out in the same order
// as all else; having begun, or when there was nothing to do for a while, it goes on between the reads until the cache is
// empty. A read alone makes the head read on behind it.
//
// Not modelled: what the data are (so no verify), defects, power states, writing and reading the same sectors at a time in
// another order than they came.
#pragma once

#include <deque>
#include <vector>

#include "models/hdd/command_queue.h"
#include "models/hdd/disk_arm.h"
#include "models/hdd/disk_config.h"
#include "models/hdd/write_back.h"
#include "sim/core/signature.h"
#include "sim/core/timeline.h"
#include "sim/device.h"

namespace ftlab {

// What only a disk counts, since power-on.
struct DiskCounters {
  std::uint64_t arm_moves = 0;  // seeks and head switches
  std::uint64_t lost_revolutions = 0;
  std::uint64_t error_recoveries = 0;
  std::uint64_t read_cache_hits = 0;  // reads, also those from the write cache
  std::uint64_t absorbed_bytes = 0;   // overwritten in the write cache, never written
  std::uint64_t cached_bytes = 0;     // a level: in the write cache now
  std::uint64_t lost_bytes = 0;       // from the write cache, when power was cut
};

// Can be copied, past and all.
class Disk final : public Device {
 public:
  // `seed`: of all chance inside the disk.
  Disk(const DiskConfig& config, bool timed, std::uint64_t seed = 1);

  DeviceInfo info() const override { return {config_.name, config_.user_bytes, timed_}; }
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  Counters counters() const override { return counters_; }

  // REQUIRES of these: no request outstanding.
  void set_timed(bool timed);
  void power_cycle();  // what is in the caches is lost

  // From when on nothing is under way; what waits in the write cache may still be written later.
  Nanoseconds idle_from() const;
  DiskCounters disk_counters() const;
  const DiskConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  void add_to(Signature& signature) const;
  // Laws that do not hold; empty when all is well.
  std::vector<std::string> problems() const;

 private:
  using Slot = CommandTable::Slot;

  void accept(Slot slot, Nanoseconds now);
  void complete(Slot slot, Nanoseconds at, Status status = Status::ok);
  void execute_untimed(const Request& request);
  std::size_t take_completions(std::span<Completion> out);

  Nanoseconds writing_from() const { return write_back_.may_begin(last_request_); }
  Nanoseconds next_event() const;
  Nanoseconds next_choice() const;
  void step(Nanoseconds now);
  void arrive(Slot slot, Nanoseconds now);
  void arrive_read(Slot slot, Nanoseconds now);
  void arrive_write(Slot slot, Nanoseconds now);
  void arrive_flush(Slot slot, Nanoseconds now);
  void receive(DiskCommand& write, Nanoseconds now);
  void admit(Slot slot, Nanoseconds now);
  void finish_writing(Nanoseconds now);

  void serve(std::size_t pending, Nanoseconds now);
  void read(Slot slot, Nanoseconds now);
  void read_from_stream(Slot slot);
  void write(Slot slot, Nanoseconds now);
  void write_out(std::size_t piece, Nanoseconds now);
  void deliver(Slot slot, Nanoseconds first_data, Nanoseconds last_data);

  DiskConfig config_;
  std::uint64_t seed_;
  bool timed_;
  DiskArm arm_;
  WriteBack write_back_;
  Link link_;
  Timeline firmware_;
  CommandTable commands_;
  CommandQueue queue_;
  std::deque<Slot> arrivals_;    // are with the firmware, by the time they are ready
  std::vector<Slot> pending_;    // wait for the arm, in the order in which they came
  Nanoseconds clock_{0};         // of the last event
  Nanoseconds last_request_{0};  // when the disk last had something to do for its host
  Counters counters_;
  DiskCounters disk_counters_;  // without what the parts count
};

}  // namespace ftlab
