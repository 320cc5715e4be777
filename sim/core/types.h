// Units of the whole program: bytes and integer nanoseconds. Indices are strong types, so that an index of one kind cannot
// be passed as another.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace ftlab {

// Simulated time: a point in time (since power-on) or a duration. 64 bits of nanoseconds last 584 years.
using Nanoseconds = std::chrono::duration<std::uint64_t, std::nano>;
inline constexpr Nanoseconds kNever{std::numeric_limits<std::uint64_t>::max()};

// Smallest unit that a host can address (ATA, NVMe with 512-byte format).
inline constexpr std::uint64_t kSectorBytes = 512;

// Converts a strong index to its integer.
template <class Index>
constexpr std::uint32_t number(Index index) {
  return static_cast<std::uint32_t>(index);
}

// Time to transfer `bytes` at `bytes_per_s`, rounded up to a whole nanosecond so that no resource is faster than its rate.
// REQUIRES: bytes < 2^33 (8 GiB in one transfer), bytes_per_s > 0.
constexpr Nanoseconds transfer_time(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  return Nanoseconds{(bytes * 1'000'000'000 + bytes_per_s - 1) / bytes_per_s};
}

}  // namespace ftlab
