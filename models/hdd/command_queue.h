// Slots of a disk's queue. While it is full, commands wait in the host's scheduler.
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
