// The host's cores and the threads that share them: which thread runs when. A task is the submission of a request or the
// handling of a completion; the tasks of a thread run in order of arrival.
//
// Without `threads` a core runs tasks in order of arrival, whatever their thread, and switching threads costs nothing. With
// it, a core stays with a thread as long as the thread has tasks, but at most for a slice if another one waits; waiting
// threads run in the order in which they became ready. Running a thread costs a switch if another one ran last, or if the
// thread was idle because it waited for a completion. So 64 threads with one request each pay a switch per request, while 8
// threads with 8 requests each handle several completions per switch.
//
// A core that was idle for long enough sleeps, and must wake up before it continues.
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
  Nanoseconds change{0};  // cost of a switch; 0 with slice 0: threads cost nothing
  Nanoseconds slice{0};   // time after which a waiting thread runs next
  bool on() const { return slice > Nanoseconds{0}; }
};

struct HostSleep {
  Nanoseconds after{0};  // idle time after which the core sleeps
  Nanoseconds wake{0};   // time to wake up; 0: the core never sleeps
};

class HostCores {
 public:
  // `cores` 0: each thread has its own; otherwise thread t runs on core t modulo `cores`.
  HostCores(std::uint32_t cores, const HostThreads& threads, const HostSleep& sleep)
      : count_(cores), threads_(threads), sleep_(sleep) {}

  // REQUIRES: `at` is not before the last step.
  void add(std::uint16_t thread, Nanoseconds at, std::uint64_t task, Nanoseconds length) {
    events_.push(at, EventClass::completion, {Event::Kind::arrival, core_of(thread), thread, task, length});
  }

  // Time of the next step; kNever if none is pending.
  Nanoseconds next() const { return events_.empty() ? kNever : events_.top().time; }
  // True if the next step chooses a task. Tasks that arrive at the same time must be added before it.
  bool chooses() const { return events_.top().payload.kind == Event::Kind::choice; }

  struct Done {
    bool any = false;
    std::uint64_t task = 0;
    Nanoseconds at{0};
  };
  // Executes the next step, and returns the task that it ended, if any. REQUIRES: a step is pending.
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
    std::uint16_t thread = 0;  // arrivals only
    std::uint64_t task = 0;
    Nanoseconds length{0};
  };
  struct Thread {
    std::deque<Task> tasks;
    bool waits = false;  // in the core's queue
  };
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Core {
    std::deque<std::uint32_t> line;  // queue of ready threads, without the current one
    std::uint32_t current = kNone;
    Nanoseconds since{0};  // start of the current thread
    Nanoseconds free{0};   // end of the last task: idle from then on
    bool busy = false, choosing = false;
  };

  std::uint32_t core_of(std::uint16_t thread) const { return count_ > 0 ? thread % count_ : thread; }
  // If threads cost nothing, all tasks of a core are in one queue.
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
