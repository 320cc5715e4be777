// The next event among resources with at most one pending time each: a tree in which every node holds the earlier of its two
// children. Setting a time costs one comparison per level; of equal times the lower leaf comes first.
//
// A key is a time followed by the leaf's number. Times are relative to a base that moves along, so that simulated centuries
// of retention fit.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

class WinnerTree {
 public:
  explicit WinnerTree(std::uint32_t leaves)
      : leaf_bits_(static_cast<std::uint32_t>(std::bit_width((leaves - 1) | 1))),
        size_(1u << leaf_bits_),
        never_(~std::uint64_t{0} >> leaf_bits_),
        far_(never_ / 2),
        keys_(2 * std::size_t{size_}) {
    FTLAB_CHECK(leaves > 0 && leaf_bits_ <= 20, std::to_string(leaves) + " resources");
    for (std::uint32_t i = 0; i < 2 * size_; ++i) keys_[i] = never_ << leaf_bits_ | (i < size_ ? 0 : i - size_);
  }

  // kNever: nothing is pending. Always updates up to the root, because mostly the leaf that was first is set.
  [[gnu::always_inline]] void set(std::uint32_t leaf, Nanoseconds at) {
    FTLAB_DCHECK(leaf < size_, "resource " + std::to_string(leaf) + " of " + std::to_string(size_));
    std::uint64_t time = at.count() - base_;
    if (time >= far_) [[unlikely]]
      time = at == kNever ? never_ : far(at);
    std::uint64_t best = time << leaf_bits_ | leaf;
    std::uint64_t* const keys = keys_.data();
    std::uint64_t i = std::uint64_t{leaf} + size_;
    keys[i] = best;
    switch (leaf_bits_) {  // one rise() per level, unrolled
      default:
        for (std::uint32_t more = leaf_bits_; more > 8; --more) rise(keys, i, best);
        [[fallthrough]];
      case 8: rise(keys, i, best); [[fallthrough]];
      case 7: rise(keys, i, best); [[fallthrough]];
      case 6: rise(keys, i, best); [[fallthrough]];
      case 5: rise(keys, i, best); [[fallthrough]];
      case 4: rise(keys, i, best); [[fallthrough]];
      case 3: rise(keys, i, best); [[fallthrough]];
      case 2: rise(keys, i, best); [[fallthrough]];
      case 1: rise(keys, i, best);
    }
    next_ = time_of(best);
  }
  Nanoseconds next() const { return next_; }
  std::uint32_t first() const { return static_cast<std::uint32_t>(keys_[1]) & (size_ - 1); }
  Nanoseconds at(std::uint32_t leaf) const {
    FTLAB_DCHECK(leaf < size_, "the moment of resource " + std::to_string(leaf) + " of " + std::to_string(size_));
    return time_of(keys_[leaf + size_]);
  }
  std::uint32_t leaves() const { return size_; }

  // Saves or loads the times of the first `leaves`.
  template <class A>
  void archive(A& archive, std::uint32_t leaves) {
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      Nanoseconds moment = at(leaf);
      archive.value(moment);
      if (archive.loading()) set(leaf, moment);
    }
  }
  // Removes all pending times.
  void clear() {
    for (std::uint32_t leaf = 0; leaf < size_; ++leaf) set(leaf, kNever);
  }

 private:
  // Goes up one level, with the earlier of two siblings.
  [[gnu::always_inline]] static void rise(std::uint64_t* keys, std::uint64_t& i, std::uint64_t& best) {
    const std::uint64_t other = keys[i ^ 1];
    best = other < best ? other : best;
    i >>= 1;
    keys[i] = best;
  }
  Nanoseconds time_of(std::uint64_t key) const {
    const std::uint64_t time = key >> leaf_bits_;
    return time == never_ ? kNever : Nanoseconds{base_ + time};
  }
  // Relative time of a time so far ahead that the base moves first.
  [[gnu::noinline]] std::uint64_t far(Nanoseconds at) {
    move_base(at);
    return at.count() - base_;
  }
  // Moves the base to the earliest pending time or to `at`, if that is earlier.
  void move_base(Nanoseconds at) {
    const std::vector<std::uint64_t> old = keys_;
    const std::uint64_t base = std::min(next(), at).count();
    FTLAB_CHECK(at.count() - base < never_, "moments lie too far apart: " + std::to_string(at.count() - base) + " ns");
    const std::uint64_t from = base_;
    base_ = base;
    for (std::uint32_t leaf = 0; leaf < size_; ++leaf) {
      const std::uint64_t time = old[leaf + size_] >> leaf_bits_;
      keys_[leaf + size_] = (time == never_ ? never_ : time + from - base) << leaf_bits_ | leaf;
    }
    for (std::uint32_t i = size_ - 1; i > 0; --i) keys_[i] = std::min(keys_[2 * i], keys_[2 * i + 1]);
  }

  std::uint32_t leaf_bits_;
  std::uint32_t size_;
  std::uint64_t never_;  // kNever as a relative time
  std::uint64_t far_;    // from this relative time on, the base moves first
  std::uint64_t base_ = 0;
  std::vector<std::uint64_t> keys_;
  Nanoseconds next_ = kNever;  // time of keys_[1]
};

}  // namespace ftlab
