// Commands that were submitted to a disk and whose completion the host has not taken yet.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/hdd/platters.h"
#include "sim/core/check.h"
#include "sim/core/event_queue.h"
#include "sim/host/stack/elevator.h"
#include "sim/request.h"

namespace ftlab {

struct DiskCommand {
  Request request;
  Completion done;
  Sector first = 0, end = 0;
  Place place;
  Nanoseconds accepted{0};   // when it entered the disk's queue
  Nanoseconds ready{0};      // when the arm may serve it
  Nanoseconds accounted{0};  // latency has been attributed up to this time
  bool queued = false;       // holds a slot of the queue

  bool writes() const { return request.op == Op::write; }
  void spend(LatencyPart part, Nanoseconds until) {
    FTLAB_CHECK(until >= accounted, "time goes backwards, to " + std::to_string(until.count()));
    done.parts[static_cast<std::size_t>(part)] += until - accounted;
    accounted = until;
  }
};

class CommandTable {
 public:
  using Slot = std::uint32_t;

  Slot add(const Request& request) {
    if (free_.empty()) {
      free_.push_back(static_cast<Slot>(commands_.size()));
      commands_.emplace_back();
    }
    const Slot slot = free_.back();
    free_.pop_back();
    DiskCommand& command = commands_[slot];
    command = {};
    command.request = request;
    command.done.tag = request.tag;
    command.accounted = request.issued;
    command.first = request.offset_bytes / kSectorBytes;
    command.end = command.first + request.length_bytes / kSectorBytes;
    return slot;
  }

  DiskCommand& operator[](Slot slot) { return commands_[slot]; }
  const DiskCommand& operator[](Slot slot) const { return commands_[slot]; }
  bool empty() const { return commands_.size() == free_.size(); }

  // Completes a command at `at`, the end of its attributed latency; the host sees it `link` later.
  void complete(Slot slot, Nanoseconds at, Nanoseconds link, Status status) {
    DiskCommand& command = commands_[slot];
    FTLAB_CHECK(command.accounted == at, "the parts of a latency do not reach to its end");
    command.spend(LatencyPart::link, at += link);
    command.done.completed = at;
    command.done.status = status;
    last_completion_ = std::max(last_completion_, at);
    done_.push(at, EventClass::completion, slot);
  }
  Nanoseconds next_completion() const { return done_.empty() ? kNever : done_.top().time; }
  Nanoseconds last_completion() const { return last_completion_; }
  // Removes and returns the next completed command, valid until the next add(). REQUIRES: next_completion() != kNever.
  const DiskCommand& take_completed() {
    free_.push_back(done_.pop().payload);
    return commands_[free_.back()];
  }

 private:
  std::vector<DiskCommand> commands_;
  std::vector<Slot> free_;
  EventQueue<Slot> done_;
  Nanoseconds last_completion_{0};
};

// Slots of a disk's queue. While it is full, commands wait in the host's scheduler.
class CommandQueue {
 public:
  CommandQueue(std::uint32_t depth, const ElevatorConfig& scheduler) : depth_(depth), scheduler_(scheduler) {
    FTLAB_CHECK(depth > 0, "a queue without a place");
  }

  bool full() const { return used_ == depth_; }
  void enter() { ++used_; }
  void leave() { --used_; }

  void hold(CommandTable::Slot slot, const DiskCommand& command) {
    scheduler_.add(slot, command.first, command.end, command.request.op != Op::read);
  }
  // The waiting command that takes the next free slot; nullopt if none waits or the queue is full.
  std::optional<CommandTable::Slot> next(Nanoseconds now) {
    if (full() || scheduler_.empty()) return std::nullopt;
    return scheduler_.next(now, used_);
  }

 private:
  std::uint32_t depth_;
  std::uint32_t used_ = 0;
  Elevator scheduler_;
};

}  // namespace ftlab
