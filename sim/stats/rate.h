// Rates in integer arithmetic.
#pragma once

#include <cstdint>

#include "sim/core/types.h"
#include "sim/core/uint128.h"

namespace ftlab {

// `amount` per second, rounded down; 0 when no time has passed.
constexpr std::uint64_t per_s(std::uint64_t amount, Nanoseconds time) {
  if (time.count() == 0) return 0;
  return static_cast<std::uint64_t>(static_cast<Uint128>(amount) * 1'000'000'000 / time.count());
}

// fio's unit of bandwidth: 1024 bytes per second.
constexpr std::uint64_t kib_per_s(std::uint64_t bytes, Nanoseconds time) { return per_s(bytes, time) / 1024; }

}  // namespace ftlab
