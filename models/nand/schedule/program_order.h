// Tells when all programs up to a point in their order of request have ended: an erase waits for all programs before it, a
// flush for those of host data. Programs between two such points need not be distinguished and are counted as one section.
// Section numbers wrap around after 2^32; far fewer are in flight.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/check.h"

namespace ftlab {

class ProgramOrder {
 public:
  // Adds programs to the newest section and returns it.
  std::uint32_t add(std::uint32_t count = 1) {
    FTLAB_DCHECK(count > 0, "a section gets no program");
    open_[newest_ & mask_] += count;
    return newest_;
  }
  // A program of the section has ended. Returns true if another section is now the oldest open one.
  bool end(std::uint32_t section) {
    FTLAB_CHECK(section - oldest_ <= newest_ - oldest_ && open_[section & mask_] > 0, "a program ends a second time");
    if (--open_[section & mask_] > 0 || section != oldest_ || oldest_ == newest_) return false;
    do {
      ++oldest_;
    } while (oldest_ != newest_ && open_[oldest_ & mask_] == 0);
    return true;
  }
  // Begins a new section for later programs. Returns the one before: all programs so far have ended when ended() holds for
  // it. REQUIRES: !all_ended().
  std::uint32_t end_section() {
    FTLAB_DCHECK(!all_ended(), "a wait for programs that have ended");
    if (open_[newest_ & mask_] == 0) return newest_ - 1;
    if (newest_ - oldest_ + 1 == open_.size()) [[unlikely]]
      grow();
    open_[++newest_ & mask_] = 0;
    return newest_ - 1;
  }
  // True if all programs up to this section have ended. REQUIRES: end_section() returned it.
  bool ended(std::uint32_t section) const { return section - oldest_ > newest_ - oldest_; }
  bool all_ended() const { return oldest_ == newest_ && open_[newest_ & mask_] == 0; }
  void clear() {
    oldest_ = newest_;
    open_[newest_ & mask_] = 0;
  }

  template <class A>
  void archive(A& archive) {
    archive.list(open_, std::uint64_t{1} << 28);
    archive.value(oldest_);
    archive.value(newest_);
    mask_ = static_cast<std::uint32_t>(open_.size()) - 1;
  }

 private:
  void grow() {
    std::vector<std::uint32_t> larger(2 * open_.size());
    for (std::uint32_t n = oldest_; n != newest_ + 1; ++n) larger[n & (larger.size() - 1)] = open_[n & mask_];
    open_.swap(larger);
    mask_ = static_cast<std::uint32_t>(open_.size()) - 1;
  }

  std::vector<std::uint32_t> open_ = std::vector<std::uint32_t>(64);  // programs in flight, by section: a ring
  std::uint32_t mask_ = 63;                                           // ring size - 1
  std::uint32_t oldest_ = 0, newest_ = 0;  // oldest with programs in flight, or the newest; section being filled
};

}  // namespace ftlab
