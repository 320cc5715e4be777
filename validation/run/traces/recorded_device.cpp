#include "validation/run/traces/recorded_device.h"

#include <string>

#include "sim/core/check.h"

namespace ftlab {

void RecordedDevice::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    FTLAB_CHECK(request.issued < recording_.next(),
                "a request of " + std::to_string(request.issued.count()) + " ns was handed over without waiting until then");
    in_flight_[request.tag] = request;
  }
  behind().submit(batch);
}

// Returns completions before the picture time first, then takes the picture, then waits for the rest.
std::size_t RecordedDevice::wait(Nanoseconds until, std::span<Completion> out) {
  std::size_t count_done = 0;
  while (count_done == 0 && recording_.next() <= until && recording_.next() != kNever) {
    if (recording_.next() > Nanoseconds{0}) count_done = behind().wait(recording_.next() - Nanoseconds{1}, out);
    if (count_done == 0) take_picture();
  }
  if (count_done == 0) count_done = behind().wait(until, out);
  for (const Completion& done : out.first(count_done)) count(done);
  return count_done;
}

void RecordedDevice::finish(Nanoseconds ended) {
  FTLAB_CHECK(in_flight_.empty(), std::to_string(in_flight_.size()) + " requests never came back");
  while (recording_.next() <= ended) take_picture();
}

void RecordedDevice::take_picture() {
  const Nanoseconds now = recording_.next();
  const Counters device = behind().counters_at(now);
  if (host_) {
    host_->close(device);
    recording_.take(device, &host_->rows().back());
  } else {
    host_.emplace(now, recording_.plan().every);
    recording_.take(device, nullptr);
  }
}

void RecordedDevice::count(const Completion& done) {
  const auto found = in_flight_.find(done.tag);
  FTLAB_CHECK(found != in_flight_.end(), "tag " + std::to_string(done.tag) + " came back, which was never handed over");
  const Request request = found->second;
  in_flight_.erase(found);
  if (!host_ || recording_.next() == kNever || request.op == Op::flush) return;
  const Direction direction = request.op == Op::read    ? Direction::read
                              : request.op == Op::write ? Direction::write
                                                        : Direction::trim;
  host_->add(done.completed, direction, request.length_bytes, done.completed - request.issued);
}

}  // namespace ftlab
