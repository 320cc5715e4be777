// Latency histogram with fio's bins: exact below 128 ns, then 64 bins per power of two. The value of a bin is its middle,
// so that a percentile is wrong by at most 1/128.
//
//   latencies      bin width   bins          a bin's value
//   0 .. 127       1           0 .. 127      the latency
//   128 .. 255     2           128 .. 191    129, 131 .. 255
//   256 .. 511     4           192 .. 255    258, 262 .. 510
//   2^(6+k) ..     2^k         64 (k+1) ..   first latency of the bin + half the width
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/core/types.h"
#include "sim/core/uint128.h"

namespace ftlab {

class Histogram {
 public:
  static constexpr std::size_t kBinCount = 1856;  // 29 groups of 64, like fio's FIO_IO_U_PLAT_NR

  // Latencies of 2^34 ns (about 17 s) and more are counted in the last bin; min, max, mean and deviation stay exact. 2 ns.
  // REQUIRES: the sum of all squares fits 128 bits (10^12 latencies of 10 s do).
  void add(Nanoseconds latency) { add(latency, bin_of(latency.count())); }
  // REQUIRES: `bin` is bin_of(latency).
  void add(Nanoseconds latency, std::size_t bin);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t min_ns() const { return count_ ? min_ : 0; }
  std::uint64_t max_ns() const { return max_; }
  // REQUIRES: the sum of all latencies is below 584 years.
  std::uint64_t total_ns() const { return static_cast<std::uint64_t>(sum_); }
  double mean_ns() const;
  double stddev_ns() const;  // sample standard deviation (n - 1)

  // Smallest bin value at or below which `percent` of the samples lie, in exact arithmetic; 0 if empty. Can exceed max_ns()
  // by half a bin, as in fio. REQUIRES: 0 < percent <= 100. Walks the bins: 1 us.
  std::uint64_t percentile_ns(double percent) const;

  std::uint64_t bin(std::size_t index) const { return bins_[index]; }
  // Middle of bin `index` in nanoseconds.
  static std::uint64_t bin_value(std::size_t index);
  static std::size_t bin_of(std::uint64_t ns);

 private:
  static constexpr int kGroupBits = 6;  // 64 bins in a group

  std::array<std::uint64_t, kBinCount> bins_{};
  std::uint64_t count_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
  // Exact sums, so that merging in any order gives the same bits.
  Uint128 sum_ = 0;
  Uint128 sum_of_squares_ = 0;
};

// The seven leading bits of the latency are 64 + its bin within the group; the number of bits shifted out gives the group.
inline std::size_t Histogram::bin_of(std::uint64_t ns) {
  const int shift = static_cast<int>(std::bit_width(ns | 64)) - (kGroupBits + 1);
  const std::uint64_t index = (static_cast<std::uint64_t>(shift) << kGroupBits) + (ns >> shift);
  return std::min<std::size_t>(index, kBinCount - 1);
}

inline void Histogram::add(Nanoseconds latency, std::size_t bin) {
  const std::uint64_t ns = latency.count();
  ++bins_[bin];
  ++count_;
  min_ = std::min(min_, ns);
  max_ = std::max(max_, ns);
  sum_ += ns;
  sum_of_squares_ += static_cast<Uint128>(ns) * ns;
}

}  // namespace ftlab
