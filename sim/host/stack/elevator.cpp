#include "sim/host/stack/elevator.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {

bool Elevator::has(std::size_t known, bool write) const {
  return std::any_of(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(known),
                     [write](const Waiting& request) { return request.write == write; });
}

// Nearest request at or above at_sector_; `known` if no request is.
std::size_t Elevator::following(std::size_t known, bool write) const {
  std::size_t best = known;
  for (std::size_t i = 0; i < known; ++i) {
    const Waiting& request = waiting_[i];
    if (request.write != write || request.first < at_sector_) continue;
    if (best == known || request.first < waiting_[best].first) best = i;
  }
  return best;
}

std::size_t Elevator::first_of_batch(std::size_t known, bool write, Nanoseconds now) const {
  std::size_t oldest = 0;
  while (waiting_[oldest].write != write) ++oldest;
  if (now - waiting_[oldest].since > (write ? config_.write_expire : config_.read_expire)) return oldest;
  const std::size_t above = following(known, write);
  if (above < known) return above;
  std::size_t lowest = oldest;
  for (std::size_t i = oldest; i < known; ++i) {
    if (waiting_[i].write == write && waiting_[i].first < waiting_[lowest].first) lowest = i;
  }
  return lowest;
}

std::uint32_t Elevator::next(Nanoseconds now, std::uint32_t in_disk) {
  FTLAB_CHECK(!waiting_.empty(), "a scheduler that knows of nothing");
  const std::size_t room = config_.requests > in_disk ? config_.requests - in_disk : 1;
  const std::size_t known = std::min(waiting_.size(), room);
  for (std::size_t i = known; i-- > 0 && waiting_[i].since == kNever;) waiting_[i].since = now;
  std::size_t chosen = left_ > 0 ? following(known, writing_) : known;
  if (chosen == known) {  // a new batch
    const bool reads = has(known, false), writes = has(known, true);
    writing_ = writes && (!reads || passed_over_ >= kWritesPassedOver);
    passed_over_ = writing_ || !writes ? 0 : passed_over_ + 1;
    left_ = config_.batch;
    chosen = first_of_batch(known, writing_, now);
  }
  const Waiting request = waiting_[chosen];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
  if (left_ > 0) --left_;
  at_sector_ = request.end;
  return request.number;
}

}  // namespace ftlab
