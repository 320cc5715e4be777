// Commands that wait in the host because the device accepts no more. Each submission queue has a limited number of commands
// at the device until they complete (NCQ: one queue of 1 to 32). The device processes a limited number of commands of all
// queues, which it fetches from the queues in turn, one at a time (NVMe round robin).
#pragma once

#include <cstdint>
#include <vector>

#include "models/link/link.h"
#include "sim/core/due_queue.h"
#include "sim/core/ring_buffer.h"
#include "sim/request.h"

namespace ftlab {

class HostQueues {
 public:
  explicit HostQueues(const LinkConfig& config)
      : depth_(config.queue_depth), commands_(config.commands), queues_(config.queues) {}

  // True if commands can wait at all.
  bool limit() const { return depth_ > 0; }
  bool empty() const { return waiting_ == 0; }

  // True if no command waits and this one may begin now. completes() must follow.
  bool begins(const Request& request) {
    const std::uint32_t number = queue_of(request);
    if (waiting_ > 0 || in_work_ >= commands_ || queues_[number].held >= depth_) return false;
    hold(number);
    return true;
  }
  // Adds a command that waits; it begins when next() returns it.
  void add(const Request& request);
  // Removes the command that may begin now; false if none may. completes() must follow.
  bool next(Request& request);
  void completes(const Request& request, Nanoseconds when) { ends_.push(when, queue_of(request)); }

  // Time when the next place becomes free; kNever if no command is in flight.
  Nanoseconds next_place() const { return ends_.earliest(); }
  // Frees that place.
  void free_place() {
    FTLAB_DCHECK(in_work_ > 0, "a place of no command becomes free");
    --queues_[ends_.pop()].held;
    --in_work_;
  }

  template <class A>
  void archive(A& archive) {
    archive.section("host queues");
    archive.count(turn_, static_cast<std::uint32_t>(queues_.size()) - 1);
  }

 private:
  struct Queue {
    RingBuffer<Request> waiting;
    std::uint32_t held = 0;  // commands of the queue in flight at the device
  };
  void hold(std::uint32_t number) {
    ++queues_[number].held;
    ++in_work_;
    turn_ = number + 1 == queues_.size() ? 0 : number + 1;
  }
  std::uint32_t queue_of(const Request& request) const {
    return queues_.size() == 1 ? 0 : request.queue % static_cast<std::uint32_t>(queues_.size());
  }

  std::uint32_t depth_;
  std::uint32_t commands_;
  std::vector<Queue> queues_;
  DueQueue ends_;  // completions of commands in flight, with the queue of each
  std::uint64_t waiting_ = 0;
  std::uint32_t in_work_ = 0;  // commands in flight of all queues
  std::uint32_t turn_ = 0;     // queue that is checked first
};

}  // namespace ftlab
