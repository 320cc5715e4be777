// The next event among resources with at most one pending time each, for times that are mostly set in order: a sorted ring.
// Setting a time later than all others costs a dozen instructions, where a winner tree (winner_tree.h) costs six a level;
// an earlier time costs a step for each later one. Of equal times the lower leaf comes first, as in the tree.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

class MomentRing {
 public:
  explicit MomentRing(std::uint32_t leaves) : at_(leaves, kNever), ring_(std::bit_ceil(leaves)), mask_(ring_.size() - 1) {
    FTLAB_CHECK(leaves > 0, "no resources");
  }

  // kNever: nothing is pending.
  [[gnu::always_inline]] void set(std::uint32_t leaf, Nanoseconds at) {
    FTLAB_DCHECK(leaf < at_.size(), "resource " + std::to_string(leaf) + " of " + std::to_string(at_.size()));
    if (at_[leaf] != kNever) remove(leaf);
    at_[leaf] = at;
    if (at != kNever) insert({at, leaf});
    next_ = first_ == end_ ? kNever : ring_[first_ & mask_].at;
  }
  Nanoseconds next() const { return next_; }
  // REQUIRES: something is pending.
  std::uint32_t first() const {
    FTLAB_DCHECK(first_ != end_, "no resource has an event");
    return ring_[first_ & mask_].leaf;
  }
  Nanoseconds at(std::uint32_t leaf) const {
    FTLAB_DCHECK(leaf < at_.size(), "the moment of resource " + std::to_string(leaf) + " of " + std::to_string(at_.size()));
    return at_[leaf];
  }

  template <class A>
  void archive(A& archive) {
    for (std::uint32_t leaf = 0; leaf < at_.size(); ++leaf) {
      Nanoseconds moment = at(leaf);
      archive.value(moment);
      if (archive.loading()) set(leaf, moment);
    }
  }
  // Removes all pending times.
  void clear() {
    for (std::uint32_t leaf = 0; leaf < at_.size(); ++leaf) set(leaf, kNever);
  }

 private:
  struct Moment {
    Nanoseconds at;
    std::uint32_t leaf;
  };

  [[gnu::always_inline]] void insert(const Moment& moment) {
    FTLAB_DCHECK(end_ - first_ <= mask_, "more events are pending than there are resources");
    std::size_t place = end_++;
    for (; place != first_; --place) {
      const Moment& before = ring_[(place - 1) & mask_];
      if (before.at < moment.at || (before.at == moment.at && before.leaf < moment.leaf)) [[likely]]
        break;
      ring_[place & mask_] = before;
    }
    Moment& to = ring_[place & mask_];
    to.at = moment.at;
    to.leaf = moment.leaf;
  }
  // Mostly the first one, whose event is handled.
  [[gnu::always_inline]] void remove(std::uint32_t leaf) {
    if (first() == leaf) [[likely]] {
      ++first_;
      return;
    }
    remove_inside(leaf);
  }
  [[gnu::noinline]] void remove_inside(std::uint32_t leaf) {
    std::size_t place = first_;
    while (ring_[place & mask_].leaf != leaf) ++place;
    for (--end_; place != end_; ++place) ring_[place & mask_] = ring_[(place + 1) & mask_];
  }

  std::vector<Nanoseconds> at_;  // by leaf
  std::vector<Moment> ring_;     // those pending, in order of time and leaf
  std::size_t mask_;             // ring_.size() - 1
  std::size_t first_ = 0, end_ = 0;
  Nanoseconds next_ = kNever;  // time of the first
};

}  // namespace ftlab
