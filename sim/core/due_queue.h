// Queue of due times: earliest first, equal times in order of insertion.
//
// Most items are due after all others in the queue, because links, cores and memory ports serve in order. They go to the end
// of a FIFO, at a cost independent of its length. An item due before the FIFO's end goes to a separate sorted ring, searched
// from the back: one or two comparisons, where a heap takes a dozen unpredictable ones. Beyond 64 such items, the later ones
// go to a heap, so that a thousand cost no more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"
#include "sim/core/types.h"

namespace ftlab {

class DueQueue {
 public:
  // REQUIRES: `at` is not before the time of any item popped.
  [[gnu::always_inline]] void push(Nanoseconds at, std::uint32_t payload) {
    FTLAB_CHECK(at >= now_, "due at " + std::to_string(at.count()) + " ns, already past");
    earliest_ = std::min(earliest_, at);
    if (!in_order_.empty() && at < in_order_.back().at) return push_early({at, sequence_++, payload});
    Due& due = in_order_.add();  // filled in place: copying a struct just written by members stalls on store forwarding
    due.at = at;
    due.sequence = sequence_++;
    due.payload = payload;
  }

  bool empty() const { return in_order_.empty() && near_count_ == 0; }
  // kNever if empty.
  Nanoseconds earliest() const { return earliest_; }
  // Sequence number of the earliest item, and one for an item kept elsewhere that counts as inserted now.
  std::uint64_t earliest_sequence() const { return next_is_early() ? near_[first_].sequence : in_order_.front().sequence; }
  std::uint64_t take_sequence() { return sequence_++; }
  [[gnu::always_inline]] std::uint32_t pop() {
    const Due due = next_is_early() ? pop_early() : in_order_.pop();
    now_ = due.at;
    earliest_ = next_is_early() ? near_[first_].at : in_order_.empty() ? kNever : in_order_.front().at;
    return due.payload;
  }

  // Keeps the order of the items, but not their sequence numbers.
  template <class A>
  void archive(A& archive, std::uint64_t most) {
    std::vector<Due> all = far_;
    for (std::uint32_t i = 0; i < near_count_; ++i) all.push_back(near(i));
    for (std::size_t i = 0; i < in_order_.size(); ++i) all.push_back(in_order_[i]);
    std::sort(all.begin(), all.end(), before);
    std::vector<Saved> list;
    for (const Due& due : all) list.push_back({due.at, due.payload});
    archive.list(list, most);
    archive.value(now_);
    if (!archive.loading()) return;
    in_order_.clear();
    near_count_ = 0;
    far_.clear();
    earliest_ = kNever;
    for (const Saved& saved : list) push(saved.at, static_cast<std::uint32_t>(saved.payload));
  }

 private:
  struct Saved {
    Nanoseconds at;
    std::uint64_t payload;
  };
  struct Due {
    Nanoseconds at;
    std::uint64_t sequence;
    std::uint32_t payload;
  };
  static constexpr std::uint32_t kNear = 64;  // a power of two; the ring fits in the L1 cache

  static bool before(const Due& a, const Due& b) { return a.at != b.at ? a.at < b.at : a.sequence < b.sequence; }
  static bool after(const Due& a, const Due& b) { return before(b, a); }
  bool next_is_early() const { return near_count_ != 0 && (in_order_.empty() || before(near_[first_], in_order_.front())); }
  Due& near(std::uint32_t place) { return near_[(first_ + place) % kNear]; }
  [[gnu::noinline]] void push_early(const Due& due) {
    const bool full = near_count_ == kNear;
    if ((!far_.empty() && due.at >= far_.front().at) || (full && due.at >= near(kNear - 1).at)) [[unlikely]]
      return push_far(due);
    if (full) push_far(near(--near_count_));
    std::uint32_t place = near_count_++;
    for (; place > 0 && due.at < near(place - 1).at; --place) near(place) = near(place - 1);
    near(place) = due;
  }
  [[gnu::noinline]] Due pop_early() {
    const Due due = near_[first_];
    first_ = (first_ + 1) % kNear;
    if (--near_count_ == 0 && !far_.empty()) [[unlikely]]
      fetch();
    return due;
  }
  void push_far(const Due& due) {
    far_.push_back(due);
    std::push_heap(far_.begin(), far_.end(), after);
  }
  // Refills half of the ring from the heap, which leaves places for new items.
  void fetch() {
    for (; near_count_ < kNear / 2 && !far_.empty(); far_.pop_back()) {
      std::pop_heap(far_.begin(), far_.end(), after);
      near(near_count_++) = far_.back();
    }
  }

  RingBuffer<Due> in_order_;     // FIFO in order of due time
  std::array<Due, kNear> near_{};  // the others: sorted ring, all due before those in far_
  std::uint32_t first_ = 0;
  std::uint32_t near_count_ = 0;
  std::vector<Due> far_;  // heap; empty whenever near_ is empty
  std::uint64_t sequence_ = 0;
  Nanoseconds now_{0};  // time of the last item popped
  Nanoseconds earliest_ = kNever;
};

}  // namespace ftlab
