#include "models/nand/backlog.h"

#include "sim/check.h"

namespace ftlab {

Backlog::Place Backlog::place_of(Nanoseconds ready) const {
  Place place{work_.size(), ends()};
  for (; place.index > first_ && !work_[place.index - 1].before(ready); --place.index)
    place.free -= work_[place.index - 1].length + work_[place.index - 1].idle;
  FTLAB_CHECK(place.index > first_, "the first begins when the die is free");
  return place;
}

Nanoseconds Backlog::would_begin(Nanoseconds ready) const { return std::max(ready, place_of(ready).free); }

void Backlog::add(Work work) {
  const auto [place, free] = place_of(work.ready);
  const Nanoseconds begins = std::max(work.from, free);
  work.idle = begins - free;
  lengths_ += work.length;
  idle_ += work.idle;
  work_.insert(work_.begin() + static_cast<std::ptrdiff_t>(place), work);
  first_idle_ = std::min(first_idle_, place);
  if (place + 1 < work_.size()) come_before(begins + work.length, place + 1, free + work_[place + 1].idle);
}

void Backlog::add_first(const Work& work, Nanoseconds begins) {
  const Nanoseconds began = begins_;
  if (first_ > 0) {
    work_[--first_] = work;
  } else {
    work_.insert(work_.begin(), work);
  }
  begins_ = begins;
  lengths_ += work.length;
  first_idle_ = first_ + 1;
  if (size() > 1) come_before(begins + work.length, first_ + 1, began);
}

// Something that is over then was put before the follower, which would have begun at `began`.
void Backlog::come_before(Nanoseconds over, std::size_t follower, Nanoseconds began) {
  idle_ -= work_[follower].idle;
  work_[follower].idle = began > over ? began - over : Nanoseconds{0};
  idle_ += work_[follower].idle;
  if (over > began) delay_from(follower + 1, over - began);
}

void Backlog::delay_until(Nanoseconds begins) {
  if (begins <= begins_) return;
  delay_from(first_ + 1, begins - begins_);
  begins_ = begins;
}

// The idle time before each of them takes up what it can.
void Backlog::delay_from(std::size_t place, Nanoseconds by) {
  std::size_t i = std::max(place, first_idle_);
  for (; i < work_.size(); ++i) {
    const Nanoseconds taken = std::min(by, work_[i].idle);
    work_[i].idle -= taken;
    idle_ -= taken;
    by -= taken;
    if (work_[i].idle > Nanoseconds{0}) break;
  }
  if (place <= first_idle_) first_idle_ = i;
}

void Backlog::begin_first() {
  begins_ += front().length;
  lengths_ -= front().length;
  ++first_;
  first_idle_ = std::max(first_idle_, first_ + 1);
  if (!empty()) {
    begins_ += work_[first_].idle;
    idle_ -= work_[first_].idle;
    work_[first_].idle = Nanoseconds{0};
  }
  if (empty() || (first_ > kMostGone && first_ > size())) close_up();
}

bool Backlog::adds_up() const {
  Nanoseconds lengths{0}, idle{0};
  for (const Work& work : work_) {
    lengths += work.length;
    idle += work.idle;
  }
  return lengths == lengths_ && idle == idle_;
}

void Backlog::close_up() {
  work_.erase(work_.begin(), work_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_idle_ = std::max<std::size_t>(first_idle_ - std::min(first_idle_, first_), 1);
  first_ = 0;
}

}  // namespace ftlab
