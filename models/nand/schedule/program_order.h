// In which order programs were asked for, and up to which of them all have ended: an erase waits for all programs before it,
// a flush for all that carry data of the host. Numbers go round after 2^32; far fewer are under way.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"

namespace ftlab {

class ProgramOrder {
 public:
  // The next one is asked for; returns its number.
  std::uint32_t add() {
    if (next_ - oldest_ == done_.size()) [[unlikely]]
      grow();
    done_[next_ & mask()] = 0;
    return next_++;
  }
  // It has ended. Returns whether the oldest that has not is another one now.
  bool end(std::uint32_t number) {
    FTLAB_CHECK(number - oldest_ < next_ - oldest_, "a program ends a second time");
    done_[number & mask()] = 1;
    if (number != oldest_) return false;
    do {
      ++oldest_;
    } while (oldest_ != next_ && done_[oldest_ & mask()] != 0);
    return true;
  }
  // Those that were asked for so far, for ended().
  std::uint32_t next() const { return next_; }
  // Whether all before the one of this number have ended. REQUIRES: it was next() once.
  bool ended(std::uint32_t number) const { return number - oldest_ > next_ - oldest_ || number == oldest_; }
  bool all_ended() const { return oldest_ == next_; }
  void clear() { oldest_ = next_; }

  template <class A>
  void archive(A& archive) {
    archive.list(done_, std::uint64_t{1} << 28);
    archive.value(oldest_);
    archive.value(next_);
    archive.require(std::has_single_bit(done_.size()) && next_ - oldest_ <= done_.size(),
                    "the order of its programs does not add up.");
  }

 private:
  std::uint32_t mask() const { return static_cast<std::uint32_t>(done_.size()) - 1; }
  void grow() {
    std::vector<std::uint8_t> larger(2 * done_.size());
    for (std::uint32_t n = oldest_; n != next_; ++n) larger[n & (larger.size() - 1)] = done_[n & mask()];
    done_.swap(larger);
  }

  std::vector<std::uint8_t> done_ = std::vector<std::uint8_t>(256);  // by number, a ring
  std::uint32_t oldest_ = 0, next_ = 0;
};

}  // namespace ftlab
