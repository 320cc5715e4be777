// A linear feedback shift register of full period (Galois form): visits every number in [0, count) once per round
// without any memory of the past. Successive numbers are correlated (often the half of the one before), as they are with
// fio's lfsr; use the random map where that matters.
#pragma once

#include <cstdint>

namespace ftlab {

class Lfsr {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kMostCount = (std::uint64_t{1} << 48) - 1;

  Lfsr() = default;  // of no numbers
  explicit Lfsr(std::uint64_t count);

  // How many states there are: at least `count`, less than twice as many (and two more).
  std::uint64_t states() const { return mask_; }

  // Begins a round. The same start gives the same round. REQUIRES: start < states().
  void begin(std::uint64_t start);

  // The next number; kNone after the last one of a round. Skips two numbers on average at worst.
  std::uint64_t next();

 private:
  std::uint64_t count_ = 0;
  std::uint64_t mask_ = 0;  // 2^degree - 1
  std::uint64_t taps_ = 0;
  std::uint64_t state_ = 0;  // 1 to mask_
  std::uint64_t left_ = 0;   // numbers of this round
};

}  // namespace ftlab
