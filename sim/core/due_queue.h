// What falls due: the earliest first, of one moment in the order in which it was put in.
//
// Much of what is put in is due after all that waits: a link, a core or a memory port serves in order. That joins the end of
// a queue, which costs the same however long it is. What comes before the queue's end is kept sorted apart, searched from
// the back: one or two comparisons, where a heap takes a dozen unpredictable ones. What is left of that beyond 64 entries
// waits in a heap, so that a thousand cost no more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"
#include "sim/core/rule.h"
#include "sim/core/types.h"

namespace ftlab {

class DueQueue {
 public:
  // REQUIRES: not before anything that was taken out.
  [[gnu::always_inline]] void push(Nanoseconds at, std::uint32_t payload) {
    FTLAB_CHECK(at >= now_, "due at " + std::to_string(at.count()) + " ns, already past");
    earliest_ = std::min(earliest_, at);
    if (!in_order_.empty() && at < in_order_.back().at) return push_early({at, sequence_++, payload});
    Due& due = in_order_.add();  // filled in place: a copy of what was just written in parts stalls on store forwarding
    due.at = at;
    due.sequence = sequence_++;
    due.payload = payload;
  }

  bool empty() const { return in_order_.empty() && near_count_ == 0; }
  // kNever: nothing is due.
  Nanoseconds earliest() const { return earliest_; }
  std::uint32_t pop() {
    const Due due = next_is_early() ? pop_early() : in_order_.pop();
    now_ = due.at;
    earliest_ = next_is_early() ? near_[first_].at : in_order_.empty() ? kNever : in_order_.front().at;
    return due.payload;
  }

  // Between events. Order is kept, not the numbers behind it.
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
    archive.require(rules(), list, now_);
    in_order_.clear();
    near_count_ = 0;
    far_.clear();
    earliest_ = kNever;
    for (const Saved& saved : list) push(saved.at, static_cast<std::uint32_t>(saved.payload));
  }

 private:
  friend struct LoadedStates;
  struct Saved {
    Nanoseconds at;
    std::uint64_t payload;
  };
  static std::span<const Rule<std::vector<Saved>, Nanoseconds>> rules() {
    static constexpr Rule<std::vector<Saved>, Nanoseconds> kRules[] = {
        {"something is due in the past.",
         [](const std::vector<Saved>& list, const Nanoseconds& now) {
           return each(list, [now](const Saved& saved) { return saved.at >= now; });
         }},
        {"a due entry does not fit 32 bits.",
         [](const std::vector<Saved>& list, const Nanoseconds&) {
           return each(list, [](const Saved& saved) { return saved.payload <= ~std::uint32_t{0}; });
         }},
    };
    return kRules;
  }

  struct Due {
    Nanoseconds at;
    std::uint64_t sequence;
    std::uint32_t payload;
  };
  static constexpr std::uint32_t kNear = 64;  // a power of two; all of it lies in the processor's first cache

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
  // Half of the places, so that what comes next finds one.
  void fetch() {
    for (; near_count_ < kNear / 2 && !far_.empty(); far_.pop_back()) {
      std::pop_heap(far_.begin(), far_.end(), after);
      near(near_count_++) = far_.back();
    }
  }

  RingBuffer<Due> in_order_;     // each due no earlier than the one before it
  std::array<Due, kNear> near_;  // the rest: sorted, a ring; all of it comes before what is far
  std::uint32_t first_ = 0;
  std::uint32_t near_count_ = 0;
  std::vector<Due> far_;  // empty, unless something is near
  std::uint64_t sequence_ = 0;
  Nanoseconds now_{0};  // of the last one taken out
  Nanoseconds earliest_ = kNever;
};

}  // namespace ftlab
