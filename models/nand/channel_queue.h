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
  Nanoseconds earliest(Nanoseconds asked) const {
    return std::max({asked, forgotten_until_, behind(asked) > 0 ? transfers_[behind(asked) - 1].end : Nanoseconds{0}});
  }
  // It does. delayed(holder, by) is called for each one that is moved back.
  template <class Delayed>
  Nanoseconds take(Nanoseconds asked, Nanoseconds length, Holder holder, Delayed&& delayed);

  // Nothing that was over long before `now` matters any more.
  void forget(Nanoseconds now);

  Nanoseconds end() const { return transfers_.empty() ? forgotten_until_ : transfers_.back().end; }
  Nanoseconds busy() const { return busy_; }

  template <class A>
  void archive(A& archive) {
    archive.list(transfers_, kMost);
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

  // Index of the first that was asked for later.
  std::size_t behind(Nanoseconds asked) const {
    std::size_t at = transfers_.size();
    while (at > 0 && transfers_[at - 1].asked > asked) --at;
    return at;
  }
  std::vector<Transfer> transfers_;  // by asked, and so by start
  Nanoseconds forgotten_until_{0};
  Nanoseconds busy_{0};
};

template <class Delayed>
Nanoseconds ChannelQueue::take(Nanoseconds asked, Nanoseconds length, Holder holder, Delayed&& delayed) {
  if (transfers_.size() > kMany) forget(asked);
  const std::size_t at = behind(asked);
  const Nanoseconds start = std::max({asked, forgotten_until_, at > 0 ? transfers_[at - 1].end : Nanoseconds{0}});
  busy_ += length;
  transfers_.insert(transfers_.begin() + static_cast<std::ptrdiff_t>(at), {asked, start, start + length, holder});
  for (std::size_t i = at + 1; i < transfers_.size() && transfers_[i].start < transfers_[i - 1].end; ++i) {
    const Nanoseconds by = transfers_[i - 1].end - transfers_[i].start;
    transfers_[i].start += by;
    transfers_[i].end += by;
    if (transfers_[i].holder.die != kNobody) delayed(transfers_[i].holder, by);
  }
  return start;
}

// When half of them are over, so that what is left is not moved again and again.
inline void ChannelQueue::forget(Nanoseconds now) {
  const std::size_t half = transfers_.size() / 2;
  if (half <= kRemembered || transfers_[half].end > now) return;
  forgotten_until_ = transfers_[half - kRemembered].end;
  transfers_.erase(transfers_.begin(), transfers_.begin() + static_cast<std::ptrdiff_t>(half - kRemembered + 1));
}

}  // namespace ftlab
