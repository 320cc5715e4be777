// One channel's schedule when the dies have queues: transfers in the order in which they are asked for, whatever the order
// in which the operations came. A transfer that is asked for before another one, though it becomes known later, goes first
// and moves the other back; who keeps a die for the one moved back is told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/types.h"

namespace ftlab {

class ChannelQueue {
 public:
  // Whose die waits for the transfer: the operation that began there at `start`.
  struct Holder {
    std::uint64_t die;  // kNobody: nobody's
    Nanoseconds start;
  };
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};

  // When a transfer that is asked for at `asked` begins.
  Nanoseconds earliest(Nanoseconds asked) const { return free_at(behind(asked), asked); }
  // It does. delayed(holder, by) is called for each one that is moved back.
  template <class Delayed>
  Nanoseconds take(Nanoseconds asked, Nanoseconds length, Holder holder, Delayed&& delayed);

  // Only the last kRemembered that are over at `now` matter still.
  void forget(Nanoseconds now);

  Nanoseconds end() const { return first_ == transfers_.size() ? forgotten_until_ : transfers_.back().end; }
  Nanoseconds busy() const { return busy_; }

  template <class A>
  void archive(A& archive, std::size_t dies) {
    if (!archive.loading()) close_up();
    archive.list(transfers_, kMost);
    for (const Transfer& transfer : transfers_)
      archive.require(transfer.holder.die == kNobody || transfer.holder.die < dies, "a transfer is for no die.");
    for (std::size_t i = 1; i < transfers_.size(); ++i)
      archive.require(transfers_[i - 1].asked <= transfers_[i].asked && transfers_[i - 1].end <= transfers_[i].start,
                      "its transfers are out of order.");
    first_ = 0;
    archive.value(forgotten_until_);
    archive.value(busy_);
  }

 private:
  struct Transfer {
    Nanoseconds asked, start, end;
    Holder holder;
  };
  static constexpr std::size_t kRemembered = 32;
  static constexpr std::size_t kMany = 4096;
  static constexpr std::size_t kMost = 1 << 20;

  // Index of the first that was asked for later. Transfers of reads come near the front, so the search begins there.
  std::size_t behind(Nanoseconds asked) const {
    const auto later = [](Nanoseconds moment, const Transfer& transfer) { return moment < transfer.asked; };
    if (first_ == transfers_.size() || transfers_.back().asked <= asked) return transfers_.size();
    std::size_t from = first_, step = kRemembered;
    while (from + step < transfers_.size() && transfers_[from + step].asked <= asked) {
      from += step;
      step *= 2;
    }
    const auto at = [this](std::size_t index) { return transfers_.begin() + static_cast<std::ptrdiff_t>(index); };
    const auto end = at(std::min(from + step, transfers_.size()));
    return static_cast<std::size_t>(std::upper_bound(at(from), end, asked, later) - transfers_.begin());
  }
  Nanoseconds free_at(std::size_t place, Nanoseconds asked) const {
    return std::max({asked, forgotten_until_, place > first_ ? transfers_[place - 1].end : Nanoseconds{0}});
  }
  std::size_t insert(std::size_t place, const Transfer& transfer);
  void close_up();

  std::vector<Transfer> transfers_;  // from first_ on; by asked, and so by start
  std::size_t first_ = 0;
  Nanoseconds forgotten_until_{0};
  Nanoseconds busy_{0};
};

template <class Delayed>
Nanoseconds ChannelQueue::take(Nanoseconds asked, Nanoseconds length, Holder holder, Delayed&& delayed) {
  if (transfers_.size() - first_ > kMany) forget(asked);
  const std::size_t place = behind(asked);
  const Nanoseconds start = free_at(place, asked);
  busy_ += length;
  const std::size_t at = insert(place, {asked, start, start + length, holder});
  for (std::size_t i = at + 1; i < transfers_.size() && transfers_[i].start < transfers_[i - 1].end; ++i) {
    const Nanoseconds by = transfers_[i - 1].end - transfers_[i].start;
    transfers_[i].start += by;
    transfers_[i].end += by;
    if (transfers_[i].holder.die != kNobody) delayed(transfers_[i].holder, by);
  }
  return start;
}

// Those of reads come near the front, where room was left by what is forgotten.
inline std::size_t ChannelQueue::insert(std::size_t place, const Transfer& transfer) {
  const auto at = [this](std::size_t index) { return transfers_.begin() + static_cast<std::ptrdiff_t>(index); };
  if (first_ == 0 || place - first_ > transfers_.size() - place) {
    transfers_.insert(at(place), transfer);
    return place;
  }
  std::move(at(first_), at(place), at(first_ - 1));
  --first_;
  transfers_[place - 1] = transfer;
  return place - 1;
}

inline void ChannelQueue::forget(Nanoseconds now) {
  while (first_ + kRemembered < transfers_.size() && transfers_[first_ + kRemembered].end <= now) {
    forgotten_until_ = transfers_[first_++].end;
  }
  if (first_ > kMany && first_ > transfers_.size() / 2) close_up();
}

inline void ChannelQueue::close_up() {
  transfers_.erase(transfers_.begin(), transfers_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace ftlab
