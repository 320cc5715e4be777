#include "validation/measure/device/real_device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <time.h>
#include <utility>

#include "sim/core/check.h"
#include "validation/measure/target/io_footprint.h"

namespace ftlab {
namespace {

constexpr Nanoseconds kLeaveWithin{100'000'000};  // longest delay until `leave` is noticed
constexpr std::size_t kMostOutcomes = 64;
constexpr std::uint64_t kSmallestBuffer = 4096;
constexpr std::uint64_t kNone = ~std::uint64_t{0};  // tag of a completion without a request

const char* name_of(Op op) {
  constexpr std::array<const char*, kOpCount> kNames = {"read", "write", "trim", "flush"};
  return kNames[static_cast<std::size_t>(op)];
}

std::string described(const Request& request) {
  if (request.op == Op::flush) return "flush";
  return std::string(name_of(request.op)) + " of " + std::to_string(request.length_bytes) + " bytes at " +
         std::to_string(request.offset_bytes);
}

Status status_of_error(int error) {
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) return Status::no_space;
  if (error == EROFS || error == EPERM || error == EBADF) return Status::read_only;
  return error == EINVAL || error == EOPNOTSUPP || error == ENOTTY ? Status::invalid : Status::media_error;
}

bool moves_data(Op op) { return op == Op::read || op == Op::write; }

}  // namespace

RealDevice::RealDevice(const Permit& permit, std::unique_ptr<Engine> engine, const Options& options)
    : permit_(permit),
      engine_(std::move(engine)),
      options_(options),
      contents_(permit.range().first, options.seed, options.run) {
  prepare({});
}

// Waits for the requests in flight, as the kernel still writes into their buffers; leaks the buffers if they do not end.
RealDevice::~RealDevice() {
  for (int ticks = 0; free_.size() < in_flight_.size() && ticks < 50; ++ticks) {
    const std::size_t count = engine_->wait(kLeaveWithin, outcomes_);
    for (std::size_t i = 0; i < count; ++i) free_.push_back(static_cast<std::uint32_t>(outcomes_[i].place));
  }
  if (free_.size() < in_flight_.size()) contents_.abandon_memory();
}

void RealDevice::prepare(const std::vector<Job>& jobs) {
  FTLAB_CHECK(free_.size() == in_flight_.size() && waiting_.empty(), "requests are outstanding");
  const IoFootprint footprint = footprint_of(jobs);
  const std::uint64_t largest = std::max(footprint.largest_bytes, kSmallestBuffer);
  submit_batch_ = footprint.submit_batch;
  outcomes_.resize(std::min(footprint.reap_batch, kMostOutcomes));
  const auto forget = [this] { engine_->use_memory({}, 0); };
  if (!contents_.prepare(jobs, options_.depth, footprint.takes && footprint.writes, largest, forget)) return;
  engine_->use_memory(contents_.buffers().all(), contents_.buffers().stride());
  in_flight_.resize(options_.depth);
  free_.clear();
  for (std::size_t place = options_.depth; place-- > 0;) free_.push_back(static_cast<std::uint32_t>(place));
}

DeviceInfo RealDevice::info() const { return {options_.model, permit_.range().end - permit_.range().first, true}; }

// The last requests are pushed by the following wait(), which saves a system call.
void RealDevice::submit(std::span<const Request> batch) {
  std::size_t taken = 0;
  for (const Request& request : batch) {
    if (taken > 0 && taken % submit_batch_ == 0) engine_->push();
    ++taken;
    problems_.erase(request.tag);
    const Accepted accepted{request, versions_};
    if (request.op == Op::write) versions_ += request.length_bytes / kSectorBytes;
    if (free_.empty() || (contents_.stamps() ? must_wait(request, waiting_.size()) : !waiting_.empty()))
      waiting_.push_back(accepted);
    else
      start(accepted);
  }
}

// True if an earlier, unfinished request overlaps with this one and either changes data. The first `behind` waiting requests
// are earlier ones. Takes a few hundred nanoseconds; only called if sectors are stamped.
bool RealDevice::must_wait(const Request& request, std::size_t behind) const {
  const auto conflicts = [&request](const Request& other) {
    const bool changes =
        (request.op != Op::read || other.op != Op::read) && request.op != Op::flush && other.op != Op::flush;
    return changes && request.offset_bytes < other.offset_bytes + other.length_bytes &&
           other.offset_bytes < request.offset_bytes + request.length_bytes;
  };
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(behind);
  return std::any_of(in_flight_.begin(), in_flight_.end(),
                     [&](const InFlight& each) { return each.out && conflicts(each.accepted.request); }) ||
         std::any_of(waiting_.begin(), end, [&](const Accepted& each) { return conflicts(each.request); });
}

void RealDevice::start_waiting() {
  for (std::size_t i = 0; i < waiting_.size() && !free_.empty();) {
    if (contents_.stamps() && must_wait(waiting_[i].request, i)) {
      ++i;
      continue;
    }
    start(waiting_[i]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::optional<VersionRules> RealDevice::report_contents(ContentLog* log) {
  contents_.set_log(log);
  return VersionRules{kSectorBytes, kSectorBytes, VersionRules::Trimmed::either, versions_};
}

void RealDevice::start(const Accepted& accepted) {
  const Request& request = accepted.request;
  const std::uint32_t place = free_.back();
  std::byte* const memory = moves_data(request.op) ? contents_.memory(place, request.op) : nullptr;
  Work work{place, request.op, request.offset_bytes, request.length_bytes, memory, request.fua, request.data_only};
  if (request.op != Op::flush) {
    work.offset_bytes += permit_.range().first;
    const Transfer transfer{work.op, work.offset_bytes, work.length_bytes, reinterpret_cast<std::uint64_t>(memory)};
    if (const auto objection = permit_.objection(transfer)) return refuse(request, *objection);
    if (moves_data(request.op) && request.length_bytes > contents_.buffers().stride())
      return refuse(request, "is too large");
  }
  if (request.op == Op::write) contents_.fill(place, request, accepted.version);
  if (request.op == Op::read) contents_.begin_read(place);
  free_.pop_back();
  started_at_ = clock_.now();
  in_flight_[place] = {accepted, started_at_, true};
  engine_->start(permit_, work);
}

// The request does not reach the kernel; the next wait() returns it.
void RealDevice::refuse(const Request& request, const std::string& reason) {
  problems_[request.tag] = described(request) + ": " + reason;
  refused_.push_back({request.tag, Nanoseconds{0}, Status::invalid, {}});
}

std::size_t RealDevice::wait(Nanoseconds until, std::span<Completion> out) {
  if (!refused_.empty()) return return_refused(out);
  // Reuses the clock reading of a request that was just started.
  const Nanoseconds started_at = std::exchange(started_at_, Nanoseconds{0});
  for (Nanoseconds at = started_at > Nanoseconds{0} ? started_at : clock_.now();; at = clock_.now()) {
    if (at >= until) {
      engine_->push();
      return 0;
    }
    const bool idle = free_.size() == in_flight_.size();
    if (idle && until == kNever) return 0;
    const Nanoseconds at_most = std::min(until - at, kLeaveWithin);
    if (idle) {
      rest(at_most);
    } else {
      const std::size_t room = std::min(out.size(), outcomes_.size());
      if (const std::size_t count = engine_->wait(at_most, std::span(outcomes_).first(room))) return finish(count, out);
    }
    if (until != kNever && wants_to_leave()) return 0;
  }
}

std::size_t RealDevice::return_refused(std::span<Completion> out) {
  const std::size_t count = std::min(out.size(), refused_.size());
  const Nanoseconds at = clock_.now();
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = refused_[i];
    out[i].completed = at;
  }
  refused_.erase(refused_.begin(), refused_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

void RealDevice::rest(Nanoseconds length) {
  const timespec time{static_cast<time_t>(length.count() / 1'000'000'000),
                      static_cast<long>(length.count() % 1'000'000'000)};
  ::clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

// Requests that come back together all complete at the time they are seen.
std::size_t RealDevice::finish(std::size_t count, std::span<Completion> out) {
  const Nanoseconds at = clock_.now();
  for (std::size_t i = 0; i < count; ++i) out[i] = completion_of(outcomes_[i], at);
  if (!waiting_.empty()) start_waiting();
  return count;
}

Completion RealDevice::completion_of(const Outcome& outcome, Nanoseconds at) {
  if (outcome.place >= in_flight_.size() || !in_flight_[outcome.place].out) return {kNone, at, Status::ok, {}};
  InFlight& was = in_flight_[outcome.place];
  was.out = false;
  const Request& request = was.accepted.request;
  Completion done{request.tag, at, status_of(request, outcome.result), {}};
  charge(done, LatencyPart::host, request.issued, was.handed_over);
  if (done.status == Status::ok) this->count(request);
  if (request.op == Op::read && done.status == Status::ok) contents_.report_read(outcome.place, request);
  free_.push_back(static_cast<std::uint32_t>(outcome.place));
  return done;
}

Status RealDevice::status_of(const Request& request, std::int64_t result) {
  if (result < 0) {
    problems_[request.tag] = described(request) + ": " + std::strerror(static_cast<int>(-result));
    return status_of_error(static_cast<int>(-result));
  }
  if (!moves_data(request.op) || static_cast<std::uint64_t>(result) == request.length_bytes) return Status::ok;
  problems_[request.tag] = described(request) + ": only " + std::to_string(result) + " bytes were transferred";
  return Status::short_transfer;
}

void RealDevice::count(const Request& request) {
  if (request.op == Op::read) counters_.host_read_bytes += request.length_bytes;
  if (request.op == Op::write) counters_.host_write_bytes += request.length_bytes;
  if (request.op == Op::trim) counters_.host_trim_bytes += request.length_bytes;
}

std::string RealDevice::problem(std::uint64_t tag) const {
  const auto found = problems_.find(tag);
  return found == problems_.end() ? std::string() : found->second;
}

}  // namespace ftlab
