// The places of a disk's queue. Commands that find none wait in the host, for its scheduler.
#pragma once

#include <optional>

#include "models/hdd/command_table.h"
#include "sim/host/stack/elevator.h"

namespace ftlab {

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
  // Of those that wait, the next that takes a place; nothing when none waits or the queue is full.
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
