// The numbers below a limit in random order, without a list of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/random.h"

namespace ftlab {

// Walks once over [0, count). A counter passes through a bijection on the smallest power of two that is not below `count`:
// rounds of multiplication by a drawn odd number and of an xor with its own upper half; numbers beyond are skipped.
class RandomOrder {
 public:
  // REQUIRES: count > 0.
  RandomOrder(std::uint32_t count, RandomStream& random)
      : count_(count), bits_(std::max(static_cast<std::uint32_t>(std::bit_width(count - 1)), 2u)) {
    FTLAB_CHECK(count > 0, "an order of nothing");
    for (Round& round : rounds_) {
      round.factor = static_cast<std::uint32_t>(random.bits() >> 32) | 1;
      round.sum = static_cast<std::uint32_t>(random.bits() >> 32);
    }
  }

  bool ended() const { return at_ > mask(); }
  // The next number, or one that is not below `count` and is to be skipped. REQUIRES: !ended().
  std::uint32_t next() {
    FTLAB_DCHECK(!ended(), "more numbers are taken than the order has");
    auto x = static_cast<std::uint32_t>(at_++);
    for (const Round& round : rounds_) {
      x = (x * round.factor + round.sum) & mask();
      x ^= x >> (bits_ + 1) / 2;
    }
    return x;
  }
  std::uint32_t count() const { return count_; }

 private:
  struct Round {
    std::uint32_t factor, sum;
  };
  std::uint32_t mask() const { return ~std::uint32_t{0} >> (32 - bits_); }

  std::uint32_t count_, bits_;
  std::uint64_t at_ = 0;
  std::array<Round, 5> rounds_{};
};

}  // namespace ftlab
