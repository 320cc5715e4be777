#include "models/link/host_queues.h"

namespace ftlab {

void HostQueues::add(const Request& request) {
  queues_[queue_of(request)].waiting.push(request);
  ++waiting_;
}

bool HostQueues::next(Request& request) {
  if (waiting_ == 0 || in_work_ >= commands_) return false;
  const auto count = static_cast<std::uint32_t>(queues_.size());
  std::uint32_t number = turn_;
  for (std::uint32_t step = 0; step < count; ++step, number = number + 1 == count ? 0 : number + 1) {
    Queue& queue = queues_[number];
    if (queue.waiting.empty() || queue.held >= depth_) continue;
    request = queue.waiting.pop();
    --waiting_;
    hold(number);
    return true;
  }
  return false;
}

}  // namespace ftlab
