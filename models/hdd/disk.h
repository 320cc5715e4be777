// A simulated disk behind the Device interface: link, firmware, queue, caches and the mechanism, which does one access at a
// time.
//
// The arm's next command depends on all commands that have arrived by then, so submit() fixes no completion time. wait()
// advances simulated time as far as possible: an event at t (a command arrives, a piece of the write cache was written, the
// arm becomes free) is processed only if t is before `until` and no completion at or before t is left to return, because the
// host may submit at those times. So every choice sees all commands present at its time, however the host waits.
//
// Read: queue slot, firmware, then a hit (read cache, write cache) or the arm; data cross the link while they are read, the
// last sector after that. Write: queue slot, firmware, room in the write cache, link, completion. Without a write cache,
// with FUA, or if the write is larger than the cache, the arm writes before completion. The arm serves reads first. If a
// write or a flush waits for the cache, its pieces compete with reads in the configured order. Writing out, once begun or
// after an idle period, continues between reads until the cache is empty. The head reads ahead after reads only.
//
// Not modelled: contents (so no verify), defects, power states, reordering of overlapping reads and writes.
#pragma once

#include <deque>
#include <vector>

#include "models/hdd/commands.h"
#include "models/hdd/disk_arm.h"
#include "models/hdd/disk_config.h"
#include "models/hdd/write_cache.h"
#include "sim/core/signature.h"
#include "sim/core/timeline.h"
#include "sim/device.h"

namespace ftlab {

// Counters specific to a disk, since power-on.
struct DiskCounters {
  std::uint64_t arm_moves = 0;  // seeks and head switches
  std::uint64_t lost_revolutions = 0;
  std::uint64_t error_recoveries = 0;
  std::uint64_t read_cache_hits = 0;  // reads, including hits in the write cache
  std::uint64_t absorbed_bytes = 0;   // overwritten in the write cache, never written to the platters
  std::uint64_t cached_bytes = 0;     // a level: bytes now in the write cache
  std::uint64_t lost_bytes = 0;       // dropped from the write cache by power cuts
};

// Copyable, with its whole state.
class Disk final : public Device {
 public:
  // `seed` determines all random events in the disk.
  Disk(const DiskConfig& config, bool timed, std::uint64_t seed = 1);

  DeviceInfo info() const override { return {config_.name, config_.user_bytes, timed_}; }
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  Counters counters() const override { return counters_; }

  // REQUIRES for both: no request outstanding.
  void set_timed(bool timed);
  void power_cycle();  // the caches lose their contents

  // Time from which nothing is in flight; the write cache may still be written later.
  Nanoseconds idle_from() const;
  DiskCounters disk_counters() const;
  const DiskConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  void add_to(Signature& signature) const;
  // Violated invariants; empty if none.
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
  std::deque<Slot> arrivals_;    // in the firmware, in order of `ready`
  std::vector<Slot> pending_;    // waiting for the arm, in order of arrival
  Nanoseconds clock_{0};         // time of the last event
  Nanoseconds last_request_{0};  // end of the last work for the host
  Counters counters_;
  DiskCounters disk_counters_;  // without the counts kept by the parts
};

}  // namespace ftlab
