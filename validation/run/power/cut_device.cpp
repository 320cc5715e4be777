#include "validation/run/power/cut_device.h"

#include <nlohmann/json.hpp>

namespace ftlab {

CutDevice::CutDevice(Device& device, Drive& drive, Nanoseconds origin)
    : PassingDevice(device),
      drive_(drive),
      rules_(drive.config().ftl),
      cuts_(drive, device, origin),
      open_(rules_, number(drive.ftl().pages().newest_version())) {}

void CutDevice::submit(std::span<const Request> batch) {
  if (rules_.may_lose) {
    for (const Request& request : batch) note(request);
  }
  behind().submit(batch);
}

std::size_t CutDevice::wait(Nanoseconds until, std::span<Completion> out) {
  const std::size_t count = behind().wait(until, out);
  if (rules_.may_lose) {
    for (const Completion& done : out.first(count)) note(done);
  }
  return count;
}

void CutDevice::note(const Request& request) {
  if (request.op == Op::write) open_.write(request.offset_bytes, request.length_bytes);
  if (request.op == Op::trim) open_.trim(request.offset_bytes, request.length_bytes);
  if (in_flight_.size() <= request.tag) in_flight_.resize(request.tag + 1);
  in_flight_[request.tag] = {request.op == Op::write, rules_.is_barrier(request.op, request.fua) ? open_.mark() : 0};
  ++outstanding_;
}

void CutDevice::note(const Completion& done) {
  const InFlight was = in_flight_[done.tag];
  --outstanding_;
  if (done.status == Status::ok)
    open_.settle(was.mark);
  else
    uncounted_ = uncounted_ || was.writes;
  if (!uncounted_ || outstanding_ > 0) return;
  open_.recount(newest());
  uncounted_ = false;
}

Nanoseconds CutDevice::cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) {
  back_ = cuts_.cut(tracker, at, fates);
  const auto version_of = [this](std::uint64_t page) {
    return std::uint64_t{number(drive_.ftl().pages().version(Lpn{static_cast<std::uint32_t>(page)}))};
  };
  cuts_.lost(open_.lose(version_of, newest()));
  outstanding_ = 0;
  return back_;
}

nlohmann::ordered_json CutDevice::report() const { return cuts_.report(); }

}  // namespace ftlab
