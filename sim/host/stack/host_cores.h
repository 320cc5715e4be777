// The host's cores, and the threads that share them: when which thread does what. A task is a request's way down or a
// completion's way up; the tasks of a thread are done in the order in which they came.
//
// Without `threads` a core does its tasks in the order of arrival, whose ever they are, and changing over costs nothing.
// With it, a core stays with a thread as long as that has something to do, at most for a slice where another one waits, and
// takes up the threads that wait in the order in which they became ready. Taking one up costs a switch: another than the
// last, or the same one after it had nothing to do, because it waited for a completion. So 64 threads with a request each
// pay a switch for each request, where 8 threads with 8 requests each take back several completions for one.
//
// A core that had nothing to do for long enough sleeps, and must wake before it goes on.
//
// Not modelled: threads that move to another core, priorities, interrupts that take a core from a thread.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/core/event_queue.h"
#include "sim/core/types.h"

namespace ftlab {

struct HostThreads {
  Nanoseconds change{0};  // to take up a thread; 0 with slice 0: threads cost nothing
  Nanoseconds slice{0};   // after which another thread that waits is next
  bool on() const { return slice > Nanoseconds{0}; }
};

struct HostSleep {
  Nanoseconds after{0};  // without anything to do
  Nanoseconds wake{0};   // 0: the core never sleeps
};

class HostCores {
 public:
  // `cores` 0: each thread has its own; otherwise a thread is on the core of its number modulo `cores`.
  HostCores(std::uint32_t cores, const HostThreads& threads, const HostSleep& sleep)
      : count_(cores), threads_(threads), sleep_(sleep) {}

  // REQUIRES: `at` is not before the last step.
  void add(std::uint16_t thread, Nanoseconds at, std::uint64_t task, Nanoseconds length) {
    events_.push(at, EventClass::completion, {Event::Kind::arrival, core_of(thread), thread, task, length});
  }

  // The moment of the next step; kNever: there is none.
  Nanoseconds next() const { return events_.empty() ? kNever : events_.top().time; }
  // The next step chooses a task: who is still to be told of this moment may add to the choice first.
  bool chooses() const { return events_.top().payload.kind == Event::Kind::choice; }

  struct Done {
    bool any = false;
    std::uint64_t task = 0;
    Nanoseconds at{0};
  };
  // What it ended, if it ended anything. REQUIRES: there is a step.
  Done step();

 private:
  struct Task {
    std::uint64_t task = 0;
    Nanoseconds length{0};
  };
  struct Event {
    enum class Kind : std::uint8_t { arrival, end, choice };
    Kind kind;
    std::uint32_t core = 0;
    std::uint16_t thread = 0;  // of an arrival
    std::uint64_t task = 0;
    Nanoseconds length{0};
  };
  struct Thread {
    std::deque<Task> tasks;
    bool waits = false;  // in its core's line
  };
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Core {
    std::deque<std::uint32_t> line;  // of threads that have something to do, but for the current one
    std::uint32_t current = kNone;
    Nanoseconds since{0};  // that the current thread was taken up
    Nanoseconds free{0};   // from then on it has had nothing to do
    bool busy = false, choosing = false;
  };

  std::uint32_t core_of(std::uint16_t thread) const { return count_ > 0 ? thread % count_ : thread; }
  // Without threads that cost anything all tasks of a core are in one line.
  std::uint32_t line_of(const Event& event) const { return threads_.on() ? event.thread : event.core; }
  void arrive(const Event& event, Nanoseconds now);
  void choose(std::uint32_t core, Nanoseconds now);
  void choose_soon(Core& core, std::uint32_t number, Nanoseconds now);
  std::uint32_t next_thread(Core& core, Nanoseconds now);

  std::uint32_t count_;
  HostThreads threads_;
  HostSleep sleep_;
  EventQueue<Event> events_;
  std::vector<Core> cores_;
  std::vector<Thread> lines_;  // by thread, or by core
};

}  // namespace ftlab
