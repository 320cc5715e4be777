// Normal random variable in integer arithmetic: the same draws on every compiler.
#pragma once

#include <cstdint>

#include "sim/core/random.h"

namespace ftlab {

inline constexpr std::int64_t kSigma = 1 << 16;  // fixed point: one standard deviation

// Sum of twelve uniform 16-bit numbers, of variance 2^32 - 1: kSigma squared, within 10^-9. 2.3 instead of 2.7 in 1,000
// draws lie beyond 3 sigma.
inline std::int64_t normal(RandomStream& random) {
  std::int64_t sum = 0;
  for (int draw = 0; draw < 3; ++draw) {
    for (std::uint64_t bits = random.bits(), part = 0; part < 4; ++part, bits >>= 16) sum += bits & 0xffff;
  }
  return sum - 6 * 0xffff;
}

// mean * permille / 1000 * z / kSigma, rounded to the nearest. REQUIRES: mean * permille * z < 2^63.
constexpr std::int64_t deviation(std::int64_t mean, std::int64_t permille, std::int64_t z) {
  const std::int64_t scaled = mean * permille * z;
  const std::int64_t scale = 1000 * kSigma;
  return (scaled + (scaled < 0 ? -scale : scale) / 2) / scale;
}

}  // namespace ftlab
