#include "sim/stats/histogram.h"

#include <string>

#include "sim/core/check.h"

namespace ftlab {

namespace {

// Number of samples that make up `percent` of `count`, rounded up, and at least 1. A double is an integer times a power of
// two, so no intermediate result is rounded, and the result is the same on every machine.
std::uint64_t rank_of(double percent, std::uint64_t count) {
  constexpr int kMantissaBits = 53;
  int exponent = 0;
  const double fraction = std::frexp(percent, &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
  const int shift = kMantissaBits - exponent;  // 46 or more, as percent <= 100
  const Uint128 scaled = (static_cast<Uint128>(mantissa) * count + 99) / 100;
  if (shift >= 128) return 1;
  const Uint128 whole = scaled >> shift;
  const bool exact = whole << shift == scaled;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(whole) + (exact ? 0 : 1));
}

}  // namespace

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < kBinCount; ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
  sum_of_squares_ += other.sum_of_squares_;
}

double Histogram::mean_ns() const {
  if (count_ == 0) return 0;
  return static_cast<double>(sum_ / count_) + static_cast<double>(sum_ % count_) / static_cast<double>(count_);
}

// With q and r the quotient and remainder of sum / n, the sum of squared distances from q is an integer, and that from the
// mean is smaller by r^2 / n. So cancellation loses nothing, however narrow the distribution.
double Histogram::stddev_ns() const {
  if (count_ < 2) return 0;
  const Uint128 q = sum_ / count_;
  const Uint128 r = sum_ % count_;
  const Uint128 from_q = sum_of_squares_ - q * (sum_ + r);
  const auto n = static_cast<double>(count_);
  const double squares = static_cast<double>(from_q) - static_cast<double>(r * r) / n;
  return std::sqrt(std::max(0.0, squares) / (n - 1));
}

std::uint64_t Histogram::percentile_ns(double percent) const {
  FTLAB_CHECK(percent > 0 && percent <= 100, "percentile " + std::to_string(percent));
  if (count_ == 0) return 0;
  const std::uint64_t rank = rank_of(percent, count_);
  std::size_t index = 0;
  for (std::uint64_t seen = bins_[0]; seen < rank; seen += bins_[index]) ++index;
  return bin_value(index);
}

std::uint64_t Histogram::bin_value(std::size_t index) {
  constexpr std::uint64_t kGroup = std::uint64_t{1} << kGroupBits;
  if (index < 2 * kGroup) return index;
  const std::uint64_t shift = (index >> kGroupBits) - 1;
  const std::uint64_t first = (kGroup + index % kGroup) << shift;
  return first + (std::uint64_t{1} << (shift - 1));
}

}  // namespace ftlab
