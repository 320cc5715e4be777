// Completions that a device has not yet returned to the host. A timed device returns them in order of (time, submission), an
// untimed one in order of submission, all at the same instant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/due_queue.h"
#include "sim/request.h"

namespace ftlab {

class CompletionQueue {
 public:
  // Reserves a slot for one more completion, until the host takes it.
  std::uint32_t add();
  Completion& at(std::uint32_t place) { return completions_[place]; }

  // Passes a filled slot on: the host may take it at its completion time, or at once.
  [[gnu::always_inline]] void complete(std::uint32_t place) { by_time_.push(completions_[place].completed, place); }
  void complete_at_once(std::uint32_t place) {
    at_once_.push_back(completions_[place]);
    free_.push_back(place);
  }
  // Adds a completion that the host may take at once. REQUIRES: it is filled in before another is added.
  Completion& add_at_once() { return at_once_.emplace_back(); }

  // Like Device::wait().
  std::size_t wait(Nanoseconds until, std::span<Completion> out);
  std::size_t take_at_once(std::span<Completion> out);

  bool empty() const { return by_time_.empty() && at_once_.empty(); }
  // Earliest time at which a timed completion is due; kNever if none is.
  Nanoseconds earliest() const { return by_time_.earliest(); }

 private:
  // Orders slot numbers, so that completions are not moved.
  DueQueue by_time_;
  std::vector<Completion> at_once_;
  std::size_t at_once_taken_ = 0;
  std::vector<Completion> completions_;
  std::vector<std::uint32_t> free_;
};

inline std::uint32_t CompletionQueue::add() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(completions_.size()));
    completions_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  return place;
}

inline std::size_t CompletionQueue::wait(Nanoseconds until, std::span<Completion> out) {
  const Nanoseconds instant = by_time_.earliest();
  if (instant > until || instant == kNever) return 0;
  std::size_t count = 0;
  while (count < out.size() && by_time_.earliest() == instant) {
    const std::uint32_t place = by_time_.pop();
    free_.push_back(place);
    out[count++] = completions_[place];
  }
  return count;
}

inline std::size_t CompletionQueue::take_at_once(std::span<Completion> out) {
  const std::size_t count = std::min(out.size(), at_once_.size() - at_once_taken_);
  std::copy_n(at_once_.data() + at_once_taken_, count, out.data());
  at_once_taken_ += count;
  if (at_once_taken_ == at_once_.size()) {
    at_once_.clear();
    at_once_taken_ = 0;
  }
  return count;
}

}  // namespace ftlab
