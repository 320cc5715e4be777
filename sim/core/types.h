// The units of the whole program. Everything inside is bytes and integer nanoseconds; an index of one kind cannot be
// passed where another kind is meant.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace ftlab {

// Simulated time: since power-on where a point in time is meant, a length where a duration is meant.
// 64 bits of nanoseconds last 584 years.
using Nanoseconds = std::chrono::duration<std::uint64_t, std::nano>;
inline constexpr Nanoseconds kNever{std::numeric_limits<std::uint64_t>::max()};

// The smallest piece that a host can address (ATA, NVMe with 512-byte format).
inline constexpr std::uint64_t kSectorBytes = 512;

// An integer as one of the strong index types below, and back.
template <class Index>
constexpr std::uint32_t number(Index index) {
  return static_cast<std::uint32_t>(index);
}

// Time that `bytes` take at `bytes_per_s`, rounded up to a whole nanosecond so that no resource is faster than its rate.
// REQUIRES: bytes < 2^33 (8 GiB in one transfer), bytes_per_s > 0.
constexpr Nanoseconds transfer_time(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  return Nanoseconds{(bytes * 1'000'000'000 + bytes_per_s - 1) / bytes_per_s};
}

}  // namespace ftlab
