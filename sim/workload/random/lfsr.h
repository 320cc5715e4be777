// A linear feedback shift register of full period (Galois form): visits every number in [0, count) once per round without
// storing earlier numbers. Successive numbers are correlated (often half the previous one), as in fio's lfsr; use the random
// map if that matters.
#pragma once

#include <cstdint>

namespace ftlab {

class Lfsr {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kMostCount = (std::uint64_t{1} << 48) - 1;

  Lfsr() = default;  // an empty range
  explicit Lfsr(std::uint64_t count);

  // Number of states: at least `count`, and less than 2 * count + 2.
  std::uint64_t states() const { return mask_; }

  // Begins a round. The same start gives the same round. REQUIRES: start < states().
  void begin(std::uint64_t start);

  // The next number; kNone after the last one of a round. Skips at most two numbers on average.
  std::uint64_t next();

 private:
  std::uint64_t count_ = 0;
  std::uint64_t mask_ = 0;  // 2^degree - 1
  std::uint64_t taps_ = 0;
  std::uint64_t state_ = 0;  // 1 to mask_
  std::uint64_t left_ = 0;   // numbers left in this round
};

}  // namespace ftlab
