#include "sim/host/jobs/queue_slots.h"

#include <algorithm>
#include <bit>

namespace ftlab {

namespace {

std::size_t batch_level(std::uint64_t size) {
  if (size <= 4) return size == 0 ? 0 : 1;
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(size - 1)) - 1, 6);
}

}  // namespace

QueueSlots::QueueSlots(const Flow& flow, std::uint64_t depth)
    : depth_(depth),
      low_(flow.low_depth == 0 ? depth : flow.low_depth),
      submit_batch_(flow.submit_batch),
      least_(std::min(flow.reap_least, depth)),
      most_(std::max({flow.reap_most, least_, std::uint64_t{1}})) {}

bool QueueSlots::has_room() {
  if (!draining_ && used_ < depth_) return true;
  draining_ = true;
  submit();
  while (draining_) {
    const std::uint64_t needed = std::clamp<std::uint64_t>(least_, 1, std::max<std::uint64_t>(used_, 1));
    if (back_ < needed) return false;
    take(std::min(back_, most_));
    draining_ = used_ > low_ || used_ >= depth_;
  }
  return true;
}

void QueueSlots::take_all() {
  submit();
  while (back_ > 0) take(std::min(back_, most_));
  draining_ = draining_ && (used_ > low_ || used_ >= depth_);
}

void QueueSlots::submit() {
  if (unsubmitted_ == 0) return;
  ++submits_[batch_level(unsubmitted_)];
  unsubmitted_ = 0;
}

void QueueSlots::take(std::uint64_t count) {
  used_ -= count;
  back_ -= count;
  reaped_ += count;
  ++reaps_[batch_level(count)];
}

}  // namespace ftlab
