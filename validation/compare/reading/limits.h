// What no measurement exceeds; what does is a broken or a hostile file.
#pragma once

#include <cstdint>

namespace ftlab {

inline constexpr std::uint64_t kMostInputBytes = 256ull << 20;  // of one file
inline constexpr std::size_t kMostFiles = 10'000;               // of one folder
inline constexpr std::uint64_t kMostBytes = 1ull << 60;         // of a device
inline constexpr double kMostIops = 1e10;
inline constexpr double kMostBytesPerS = 1e14;
inline constexpr double kMostLatencyNs = 1e15;  // twelve days
inline constexpr double kMostSeconds = 3.2e8;   // ten years
inline constexpr std::uint64_t kMostDepth = 1u << 20;
inline constexpr std::uint64_t kMostJobs = 1u << 16;
inline constexpr std::uint64_t kMostBlockBytes = 1ull << 40;

}  // namespace ftlab
