// Limits of plausible measurements. Files that exceed them are broken or hostile.
#pragma once

#include <cstdint>

namespace ftlab {

inline constexpr std::uint64_t kMostInputBytes = 256ull << 20;  // per file
inline constexpr std::size_t kMostFiles = 10'000;               // per folder
inline constexpr std::uint64_t kMostBytes = 1ull << 60;         // device capacity
inline constexpr double kMostCount = 1e18;                      // requests, bytes, milliseconds: fits 64 bits
inline constexpr double kMostIops = 1e10;
inline constexpr double kMostBytesPerS = 1e14;
inline constexpr double kMostLatencyNs = 1e15;  // twelve days
inline constexpr double kMostSeconds = 3.2e8;   // ten years
inline constexpr std::uint64_t kMostDepth = 1u << 20;
inline constexpr std::uint64_t kMostJobs = 1u << 16;
inline constexpr std::uint64_t kMostBlockBytes = 1ull << 40;

}  // namespace ftlab
