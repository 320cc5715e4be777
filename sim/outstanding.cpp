#include "sim/outstanding.h"

namespace ftlab {

std::uint32_t Outstanding::add() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(completions_.size()));
    completions_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  return place;
}

std::size_t Outstanding::wait(Nanoseconds until, std::span<Completion> out) {
  if (by_time_.empty() || by_time_.top().time > until) return 0;
  const Nanoseconds instant = by_time_.top().time;
  std::size_t count = 0;
  while (count < out.size() && !by_time_.empty() && by_time_.top().time == instant) {
    const std::uint32_t place = by_time_.pop().payload;
    free_.push_back(place);
    out[count++] = completions_[place];
  }
  return count;
}

std::size_t Outstanding::take_at_once(std::span<Completion> out) {
  std::size_t count = 0;
  while (count < out.size() && at_once_taken_ < at_once_.size()) {
    const std::uint32_t place = at_once_[at_once_taken_++];
    free_.push_back(place);
    out[count++] = completions_[place];
  }
  if (at_once_taken_ == at_once_.size()) {
    at_once_.clear();
    at_once_taken_ = 0;
  }
  return count;
}

}  // namespace ftlab
