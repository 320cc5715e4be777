// Requests of one job, generated or read from its log slightly ahead, so that they can be announced to the device.
#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "sim/device.h"
#include "sim/traces/iolog.h"
#include "sim/workload/generator.h"

namespace ftlab {

class RequestSource {
 public:
  // `ahead`: number of requests generated in advance, 1 to kMostAhead.
  static constexpr std::size_t kMostAhead = 32;
  RequestSource(const Job& job, std::uint64_t seed, std::size_t ahead = kMostAhead)
      : limit_(ahead),
        stream_(job.stream),
        file_first_bytes_(job.file_first_bytes),
        placement_(job.placement),
        handles_(seed + job.number, "placement") {
    if (job.replay)
      log_ = std::make_unique<Iolog>(*job.replay);
    else
      generator_.emplace(job, seed);
  }

  // See Generator::steer(); affects requests generated from now on.
  void steer(std::optional<Direction> choice) { generator_->steer(choice); }

  // Refills up to the limit if at most half is left. Returns false if all requests of the job have been generated and taken.
  bool fill(Device& device) {
    if (count_ > limit_ / 2) return true;
    if (placement_.all) name_all_handles(device.info().placement_handles);
    while (count_ < limit_ && (log_ ? read(device) : generate(device))) {
    }
    return count_ > 0;
  }

  bool empty() const { return count_ == 0; }
  const Request& front() const { return requests_[first_]; }
  Request& front() { return requests_[first_]; }
  // Time of the next request in the log, from the start of the job. REQUIRES: not empty, a job that replays a log.
  Nanoseconds due() const { return due_[first_]; }
  // Takes the next request, which is not issued yet. Valid until the next fill(). REQUIRES: not empty.
  const Request& take() {
    const Request& request = requests_[first_];
    first_ = (first_ + 1) % kMostAhead;
    --count_;
    return request;
  }

 private:
  bool generate(Device& device) {
    const std::size_t count = generator_->next(std::span(accesses_).first(limit_ - count_));
    for (const Access& access : std::span(accesses_).first(count)) {
      Request& request = requests_[(first_ + count_++) % kMostAhead];
      request = {0, op_of(access.direction), access.offset_bytes, access.length_bytes, Nanoseconds{0}};
      if (request.op == Op::write) request.stream = stream_of_write(access.offset_bytes);
      request.content = access.content;
      request.verify = access.verify;
      device.expect(request);
    }
    return count > 0;
  }

  void name_all_handles(std::uint32_t handles) {
    placement_.all = false;
    placement_.streams.resize(handles);
    std::iota(placement_.streams.begin(), placement_.streams.end(), std::uint8_t{0});
  }

  std::uint8_t stream_of_write(std::uint64_t offset_bytes) {
    if (!placement_.by_offset.empty()) return stream_by_offset(offset_bytes - file_first_bytes_);
    const std::size_t count = placement_.streams.size();
    if (count == 0) return stream_;
    return placement_.streams[placement_.by_chance ? handles_.below(count) : writes_++ % count];
  }

  std::uint8_t stream_by_offset(std::uint64_t offset_bytes) const {
    for (const PlacementHandles::Range& range : placement_.by_offset)
      if (offset_bytes >= range.first_bytes && offset_bytes < range.end_bytes) return range.stream;
    return 0;
  }

  bool read(Device& device) {
    Iolog::Entry entry;
    if (!log_->next(entry)) return false;
    const std::size_t place = (first_ + count_++) % kMostAhead;
    due_[place] = entry.at;
    requests_[place] = {0, entry.op, entry.offset_bytes, entry.length_bytes, Nanoseconds{0}};
    if (entry.op != Op::flush) device.expect(requests_[place]);
    return true;
  }

  std::optional<Generator> generator_;  // exactly one of these two is set
  std::unique_ptr<Iolog> log_;
  std::array<Access, kMostAhead> accesses_;  // reused, because constructing them takes time
  std::array<Request, kMostAhead> requests_;
  std::array<Nanoseconds, kMostAhead> due_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t limit_;
  std::uint8_t stream_;
  std::uint64_t file_first_bytes_;
  PlacementHandles placement_;
  RandomStream handles_;
  std::uint64_t writes_ = 0;
};

}  // namespace ftlab
