// Event queue with a total order (time, class, sequence): events of the same nanosecond come in the same order in every run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

// At the same time completions come before timers, so that a job that ends at t counts completions at t.
enum class EventClass : std::uint8_t { completion, timer };

template <class Payload>
class EventQueue {
 public:
  struct Event {
    Nanoseconds time;
    std::uint64_t order;  // class in the top byte, then the sequence of push()
    Payload payload;
  };

  void push(Nanoseconds time, EventClass event_class, const Payload& payload) {
    FTLAB_CHECK(time >= now_, "event at " + std::to_string(time.count()) + " ns, already past");
    const std::uint64_t order = (static_cast<std::uint64_t>(event_class) << 56) | sequence_++;
    heap_.push_back({time, order, payload});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const Event& top() const { return heap_.front(); }

  Event pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Event event = heap_.back();
    heap_.pop_back();
    now_ = event.time;
    return event;
  }

 private:
  static bool later(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }

  std::vector<Event> heap_;
  std::uint64_t sequence_ = 0;
  Nanoseconds now_{0};  // time of the last event popped: none may be pushed before it
};

}  // namespace ftlab
