#include "sim/host/jobs/pace.h"

#include <algorithm>
#include <utility>

#include "sim/core/exact_math.h"
#include "sim/core/uint128.h"

namespace ftlab {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

Nanoseconds time_of(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  return Nanoseconds{static_cast<std::uint64_t>(static_cast<Uint128>(bytes) * kSecond / bytes_per_s)};
}

}  // namespace

Rates::Rates(const Job& job, std::uint64_t seed)
    : poisson_(job.flow.poisson),
      block_bytes_(job.block_bytes),
      gaps_(seed ^ (job.seed + job.number * 0x9e3779b97f4a7c15), "gaps") {
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const std::uint64_t iops = job.flow.rate_iops[d];
    bytes_per_s_[d] = iops != 0 ? iops * block_bytes_[d] : job.flow.rate_bytes_per_s[d];
  }
}

void Rates::restart(Nanoseconds at) {
  begin_ = at;
  bytes_ = {};
  shift_ = {};
  due_.fill(at);
}

std::optional<Direction> Rates::turn(Nanoseconds now) const {
  const Nanoseconds read = due(Direction::read), write = due(Direction::write);
  if (read <= now && write <= now) return std::nullopt;
  return read <= write ? Direction::read : Direction::write;
}

void Rates::issued(Direction direction, std::uint64_t bytes) {
  last_ = direction;
  const std::size_t d = index(direction);
  if (bytes_per_s_[d] == 0) return;
  bytes_[d] += bytes;
  if (poisson_) shift_[d] += exponential_gap(d);
  due_[d] = begin_ + shift_[d] + (poisson_ ? Nanoseconds{0} : time_of(bytes_[d], bytes_per_s_[d]));
}

// -ln(u) for u in (0, 1], times the mean gap.
Nanoseconds Rates::exponential_gap(std::size_t d) {
  const double uniform = (static_cast<double>(gaps_.bits() >> 11) + 1) / 9007199254740992.0;
  const double block_s = static_cast<double>(block_bytes_[d]) / static_cast<double>(bytes_per_s_[d]);
  const double mean = block_s * static_cast<double>(kSecond);
  return Nanoseconds{static_cast<std::uint64_t>(-exact_log(uniform) * mean)};
}

// As in fio, one block stays due, so that the job continues right after the pause.
void Rates::forgive(Nanoseconds time) {
  const std::size_t d = index(last_);
  if (bytes_per_s_[d] == 0) return;
  const Nanoseconds block = time_of(block_bytes_[d], bytes_per_s_[d]);
  shift_[d] += poisson_ ? time : time - std::min(time, block);
  due_[d] = begin_ + shift_[d] + (poisson_ ? Nanoseconds{0} : time_of(bytes_[d], bytes_per_s_[d]));
}

Pauses::Pauses(const Flow& flow)
    : length_(std::max(flow.think, flow.think == Nanoseconds{0} ? Nanoseconds{0} : flow.spin)),
      every_(flow.think_every),
      blocks_(flow.think_blocks.value_or(1)),
      counts_blocks_(!flow.think_every || flow.think_blocks),
      counts_issued_(flow.think_counts_issued) {}

bool Pauses::due(Nanoseconds now, std::uint64_t reaped) {
  if (std::exchange(checked_, true) || length_ == Nanoseconds{0}) return false;
  const std::uint64_t done = counts_issued_ ? issued_ : reaped;
  const bool by_time = every_ && now - last_ >= *every_;
  const bool by_count = counts_blocks_ && done >= seen_ + blocks_;
  if (!by_time && !by_count) return false;
  seen_ = done;
  return draining_ = thinks_ = true;
}

Nanoseconds Pauses::queue_empty(Nanoseconds now) {
  draining_ = false;
  if (!std::exchange(thinks_, false)) return Nanoseconds{0};
  last_ = asleep_until_ = now + length_;
  return length_;
}

}  // namespace ftlab
