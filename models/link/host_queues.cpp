#include "models/link/host_queues.h"

namespace ftlab {

void HostQueues::add(const Request& request) {
  queues_[queue_of(request)].waiting.push_back(request);
  ++waiting_;
}

bool HostQueues::next(Request& request) {
  if (waiting_ == 0 || in_work_ >= commands_) return false;
  const auto count = static_cast<std::uint32_t>(queues_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t number = (turn_ + step) % count;
    Queue& queue = queues_[number];
    if (queue.waiting.empty() || queue.held >= depth_) continue;
    request = queue.waiting.front();
    queue.waiting.pop_front();
    --waiting_;
    ++queue.held;
    ++in_work_;
    turn_ = (number + 1) % count;
    return true;
  }
  return false;
}

void HostQueues::free_place() {
  --queues_[ends_.pop().payload].held;
  --in_work_;
}

}  // namespace ftlab
