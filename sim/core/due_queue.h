// What falls due: the earliest first, of one moment in the order in which it was put in. Most of what is put in is due after
// nearly all that waits, so the earliest are kept sorted and searched from the back: one or two comparisons, where a heap
// takes a dozen unpredictable ones. What lies further ahead waits in a heap, so that a thousand entries cost no more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

class DueQueue {
 public:
  // REQUIRES: not before anything that was taken out.
  void push(Nanoseconds at, std::uint32_t payload) {
    FTLAB_CHECK(at >= now_, "due at " + std::to_string(at.count()) + " ns, already past");
    const bool full = near_count_ == kNear;
    if ((!far_.empty() && at >= far_.front().at) || (full && at >= near(kNear - 1).at)) [[unlikely]]
      return push_far({at, sequence_++, payload});
    if (full) push_far(near(--near_count_));
    std::uint32_t place = near_count_++;
    for (; place > 0 && at < near(place - 1).at; --place) near(place) = near(place - 1);
    Due& due = near(place);  // filled in place: a copy of what was just written in parts stalls on store forwarding
    due.at = at;
    due.sequence = sequence_++;
    due.payload = payload;
  }

  bool empty() const { return near_count_ == 0; }
  // REQUIRES: not empty.
  Nanoseconds earliest() const { return near_[first_].at; }
  std::uint32_t pop() {
    const Due due = near_[first_];
    first_ = (first_ + 1) % kNear;
    if (--near_count_ == 0 && !far_.empty()) [[unlikely]]
      fetch();
    now_ = due.at;
    return due.payload;
  }

  // Between events. Order is kept, not the numbers behind it.
  template <class A>
  void archive(A& archive, std::uint64_t most) {
    struct Saved {
      Nanoseconds at;
      std::uint64_t payload;
    };
    std::vector<Saved> list;
    for (std::uint32_t i = 0; i < near_count_; ++i) list.push_back({near(i).at, near(i).payload});
    std::vector<Due> far = far_;
    std::sort(far.begin(), far.end(), before);
    for (const Due& due : far) list.push_back({due.at, due.payload});
    archive.list(list, most);
    archive.value(now_);
    if (!archive.loading()) return;
    near_count_ = 0;
    far_.clear();
    for (const Saved& saved : list) {
      archive.require(saved.at >= now_ && saved.payload <= ~std::uint32_t{0}, "something is due in the past.");
      push(saved.at, static_cast<std::uint32_t>(saved.payload));
    }
  }

 private:
  struct Due {
    Nanoseconds at;
    std::uint64_t sequence;
    std::uint32_t payload;
  };
  static constexpr std::uint32_t kNear = 64;  // a power of two; all of it lies in the processor's first cache

  static bool before(const Due& a, const Due& b) { return a.at != b.at ? a.at < b.at : a.sequence < b.sequence; }
  static bool after(const Due& a, const Due& b) { return before(b, a); }
  Due& near(std::uint32_t place) { return near_[(first_ + place) % kNear]; }
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

  std::array<Due, kNear> near_;  // sorted, a ring; all of it comes before what is far
  std::uint32_t first_ = 0;
  std::uint32_t near_count_ = 0;
  std::vector<Due> far_;  // empty, unless something is near
  std::uint64_t sequence_ = 0;
  Nanoseconds now_{0};  // of the last one taken out
};

}  // namespace ftlab
