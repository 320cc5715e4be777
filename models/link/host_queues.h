// Which commands wait in the host because the device takes no more. A submission queue holds so many commands until they are
// complete (NCQ: one queue of 1 to 32); the device works on so many of all queues together, which it fetches from the
// queues in turn, one command at a time (NVMe's round robin).
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "models/link/link.h"
#include "sim/core/event_queue.h"
#include "sim/core/rule.h"
#include "sim/request.h"

namespace ftlab {

class HostQueues {
 public:
  explicit HostQueues(const LinkConfig& config)
      : depth_(config.queue_depth), commands_(config.commands), queues_(config.queues) {}

  // Whether a command can ever wait.
  bool limit() const { return depth_ > 0; }
  bool empty() const { return waiting_ == 0; }

  // A command of the host; it may begin when next() says so.
  void add(const Request& request);
  // Takes out the command that may begin now, if there is one. It begins: completes() must follow.
  bool next(Request& request);
  void completes(const Request& request, Nanoseconds when) { ends_.push(when, EventClass::completion, queue_of(request)); }

  // When the next place becomes free; kNever: everything is complete.
  Nanoseconds next_place() const { return ends_.empty() ? kNever : ends_.top().time; }
  // It is free now.
  void free_place();

  template <class A>
  void archive(A& archive) {
    archive.section("host queues");
    archive.value(turn_);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<HostQueues>> rules() {
    static constexpr Rule<HostQueues> kRules[] = {
        {"its turn is that of no queue.", [](const HostQueues& host) { return host.turn_ < host.queues_.size(); }},
    };
    return kRules;
  }

  struct Queue {
    std::deque<Request> waiting;
    std::uint32_t held = 0;  // commands that the device has and that are not complete
  };
  std::uint32_t queue_of(const Request& request) const { return request.queue % static_cast<std::uint32_t>(queues_.size()); }

  std::uint32_t depth_;
  std::uint32_t commands_;
  std::vector<Queue> queues_;
  EventQueue<std::uint32_t> ends_;  // of commands in work; the queue that each came from
  std::uint64_t waiting_ = 0;
  std::uint32_t in_work_ = 0;  // of all queues
  std::uint32_t turn_ = 0;     // the queue that is looked at first
};

}  // namespace ftlab
