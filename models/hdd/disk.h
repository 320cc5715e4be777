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

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/hdd/disk_config.h"
#include "sim/core/event_queue.h"
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
  using Slot = std::uint32_t;
  struct Command {
    Request request;
    Completion done;
    Sector first = 0, end = 0;
    Place place;
    Nanoseconds accepted{0};   // it took its place in the queue: the disk knows of it
    Nanoseconds ready{0};      // from when on the arm may serve it
    Nanoseconds accounted{0};  // where the time until then went is known
    bool queued = false;       // takes one of the queue's places
  };
  struct Flushing {
    Slot slot;
    std::uint64_t sequence;
  };
  // Where the head would read on.
  struct Stream {
    Sector next = 0;
    Nanoseconds from{0};
    Sector limit = 0;
    bool reads = false;
  };
  struct Choice {
    bool from_cache = false;
    std::size_t index = 0;  // in pending_, or of the write cache's piece
  };

  // Commands.
  Slot take_slot(const Request& request);
  void hold(Slot slot);
  void accept(Slot slot, Nanoseconds now);
  void spend(Command& command, LatencyPart part, Nanoseconds until);
  void complete(Slot slot, Nanoseconds at, Status status = Status::ok);
  void execute_untimed(const Request& request);
  std::size_t take_completions(std::span<Completion> out);
  void fill_queue(Nanoseconds now);

  // Events.
  Nanoseconds next_event() const;
  Nanoseconds next_choice() const;
  void step(Nanoseconds now);
  void arrive(Slot slot, Nanoseconds now);
  void arrive_read(Slot slot, Nanoseconds now);
  void arrive_write(Slot slot, Nanoseconds now);
  void arrive_flush(Slot slot, Nanoseconds now);
  void admit(Slot slot, Nanoseconds now);
  void finish_writing(Nanoseconds now);

  // The arm.
  bool writing_is_urgent() const { return !admissions_.empty() || !flushes_.empty(); }
  Nanoseconds writing_from() const;
  Choice choose(Nanoseconds now) const;
  std::optional<Choice> overdue(Nanoseconds now) const;
  Choice oldest(Nanoseconds now) const;
  Choice shortest(Nanoseconds now) const;
  Nanoseconds cost(Sector first, const Place& place, bool write, Nanoseconds now) const;
  bool continues_stream(const Command& command, Nanoseconds now) const;
  void follow_stream(Nanoseconds now);
  void serve(std::size_t pending, Nanoseconds now);
  Mechanism::Access move_arm(Command& command, Nanoseconds now, bool writing);
  void read(Slot slot, Nanoseconds now);
  void read_from_stream(Slot slot);
  void write(Slot slot, Nanoseconds now);
  void write_out(std::size_t piece, Nanoseconds now);
  void deliver(Slot slot, Nanoseconds first_data, Nanoseconds last_data);

  DiskConfig config_;
  std::uint64_t seed_;
  bool timed_;
  Mechanism mechanism_;
  ReadCache read_cache_;
  WriteCache write_cache_;
  Link link_;
  Timeline firmware_;

  std::vector<Command> commands_;
  std::vector<Slot> free_slots_;
  std::deque<Slot> held_;  // wait for a place in the queue, in order; with a scheduler in the host there instead
  Elevator elevator_;
  std::uint32_t queued_ = 0;
  std::deque<Slot> arrivals_;    // are with the firmware, by the time they are ready
  std::vector<Slot> pending_;    // wait for the arm, in the order in which they came
  std::deque<Slot> admissions_;  // writes that wait for room in the write cache
  std::vector<Flushing> flushes_;
  EventQueue<Slot> done_;

  Nanoseconds clock_{0};  // of the last event
  Nanoseconds arm_free_{0};
  Nanoseconds last_request_{0};  // when the disk last had something to do for its host
  Nanoseconds last_completion_{0};
  bool draining_ = false;                     // the write cache is being written out until it is empty
  std::optional<WriteCache::Piece> writing_;  // out of the write cache, until arm_free_
  Stream stream_;
  Counters counters_;
  DiskCounters disk_counters_;
};

}  // namespace ftlab
