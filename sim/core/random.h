// Named streams of random numbers: each consumer owns one, seeded from the run's seed and the consumer's name, so that a new
// consumer never changes the numbers of another. Integers only: the same bits on every compiler and CPU.
#pragma once

#include <cstdint>
#include <string_view>

namespace ftlab {

// xoshiro256++ (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47, 2021; public domain
// algorithm), seeded with splitmix64 as its authors advise. 1 ns per draw, period 2^256 - 1.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  // 64 uniform bits.
  std::uint64_t bits();

  // Uniform in [0, bound). REQUIRES: bound > 0. Multiply-shift without rejection: the bias is at most bound / 2^64.
  std::uint64_t below(std::uint64_t bound);

  // True with probability numerator / denominator. REQUIRES: numerator <= denominator, denominator > 0.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }

  template <class A>
  void archive(A& archive) {
    archive.value(state_);
  }

 private:
  std::uint64_t state_[4];
};

inline std::uint64_t RandomStream::bits() {
  const auto rotl = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  const std::uint64_t result = rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotl(state_[3], 45);
  return result;
}

inline std::uint64_t RandomStream::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * bound) >> 64);
}

}  // namespace ftlab
