// What happens next: a queue with a total order (time, class, sequence), so that two runs never differ in the order of
// things that fall on the same nanosecond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

// At one instant completions are seen before timers, so that a job that ends at t counts what completes at t.
enum class EventClass : std::uint8_t { completion, timer };

template <class Payload>
class EventQueue {
 public:
  struct Event {
    Nanoseconds time;
    std::uint64_t order;  // class in the top byte, then the sequence in which events were pushed
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
  Nanoseconds now_{0};  // of the last event taken out: nothing may be pushed before it
};

}  // namespace ftlab
