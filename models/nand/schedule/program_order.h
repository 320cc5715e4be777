// In which order programs were asked for, and up to which of them all have ended: an erase waits for all programs before it,
// a flush for all that carry data of the host.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/check.h"

namespace ftlab {

class ProgramOrder {
 public:
  // The next one is asked for; returns its number.
  std::uint64_t add() {
    if (next_ - oldest_ == done_.size()) [[unlikely]]
      grow();
    done_[next_ & mask()] = 0;
    return next_++;
  }
  // It has ended. Returns whether the oldest that has not is another one now.
  bool end(std::uint64_t number) {
    FTLAB_CHECK(number >= oldest_ && number < next_, "program " + std::to_string(number) + " ends a second time");
    done_[number & mask()] = 1;
    if (number != oldest_) return false;
    while (oldest_ < next_ && done_[oldest_ & mask()] != 0) ++oldest_;
    return true;
  }
  // All before this one have ended.
  std::uint64_t oldest() const { return oldest_; }
  std::uint64_t next() const { return next_; }
  void clear() { oldest_ = next_; }

  template <class A>
  void archive(A& archive) {
    archive.list(done_, std::uint64_t{1} << 28);
    archive.value(oldest_);
    archive.value(next_);
    archive.require(std::has_single_bit(done_.size()) && oldest_ <= next_ && next_ - oldest_ <= done_.size(),
                    "the order of its programs does not add up.");
  }

 private:
  std::uint64_t mask() const { return done_.size() - 1; }
  void grow() {
    std::vector<std::uint8_t> larger(2 * done_.size());
    for (std::uint64_t n = oldest_; n < next_; ++n) larger[n & (larger.size() - 1)] = done_[n & mask()];
    done_.swap(larger);
  }

  std::vector<std::uint8_t> done_ = std::vector<std::uint8_t>(256);  // by number, a ring
  std::uint64_t oldest_ = 0, next_ = 0;
};

}  // namespace ftlab
