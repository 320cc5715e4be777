#include "sim/workload/random/distribution.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <string>

#include "sim/core/check.h"
#include "sim/core/exact_math.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kBinsPerOctave = 32;

// A probability as a fraction of 2^64.
std::uint64_t fraction_of(double probability) {
  if (probability >= 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(probability * 0x1p64);
}

}  // namespace

Zipf::Zipf(std::uint64_t items, double exponent) : items_(items), exponent_(exponent) {
  FTLAB_CHECK(items >= 1 && items <= std::uint64_t{1} << 32, "Zipf over " + std::to_string(items) + " items");
  FTLAB_CHECK(exponent >= 0 && exponent <= std::numeric_limits<double>::max(),
              "Zipf with exponent " + std::to_string(exponent));
  make_aliases(cut());
}

std::vector<double> Zipf::cut() {
  std::vector<double> weights;
  for (std::uint64_t first = 0; first < items_; first += bins_.back().count) {
    const std::uint64_t width = std::max<std::uint64_t>(1, std::bit_floor(first + 1) / kBinsPerOctave);
    Bin bin;
    bin.first = static_cast<std::uint32_t>(first);
    bin.count = std::min(width, items_ - first);
    bin.sure = fraction_of(ratio(bin, bin.count - 1));
    const double largest = exact_exp(-exponent_ * exact_log(static_cast<double>(first + 1)));
    weights.push_back(largest * static_cast<double>(bin.count));
    bins_.push_back(bin);
  }
  return weights;
}

// With the weights scaled to a mean of 1, each bin below 1 is filled up by one bin above 1.
void Zipf::make_aliases(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  std::vector<std::uint32_t> poor, rich;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    weights[i] *= static_cast<double>(weights.size()) / sum;
    (weights[i] < 1 ? poor : rich).push_back(i);
  }
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t filled = poor.back(), giver = rich.back();
    poor.pop_back();
    bins_[filled].keep = fraction_of(weights[filled]);
    bins_[filled].alias = giver;
    weights[giver] -= 1 - weights[filled];
    if (weights[giver] >= 1) continue;
    rich.pop_back();
    poor.push_back(giver);
  }
  // The remaining bins have weight 1 up to rounding, and keep all their draws.
}

// Probability of a rank in the bin, relative to that of the bin's first rank.
double Zipf::ratio(const Bin& bin, std::uint64_t offset) const {
  const double first = static_cast<double>(bin.first) + 1;
  return exact_exp(-exponent_ * exact_log((first + static_cast<double>(offset)) / first));
}

bool Zipf::kept(const Bin& bin, std::uint64_t offset, std::uint64_t fraction) const {
  return fraction < fraction_of(ratio(bin, offset));
}

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

// The largest number that is coprime to `count` and not above its golden section (0.618 times `count`).
std::uint64_t stride_of(std::uint64_t count) {
  std::uint64_t stride = static_cast<std::uint64_t>((static_cast<Wide>(count) * 0x9e3779b97f4a7c15) >> 64);
  if (stride == 0) stride = 1;
  while (std::gcd(stride, count) != 1) --stride;
  return stride;
}

constexpr double kLogarithmOf2 = 0.69314718055994530942;

// A centre of 1 is the last block.
std::uint64_t origin_of(const Spread& spread, std::uint64_t count, std::uint64_t otherwise) {
  if (!spread.centre) return otherwise % count;
  return std::min(static_cast<std::uint64_t>(static_cast<double>(count) * *spread.centre), count - 1);
}

}  // namespace

Scatter::Scatter(std::uint64_t count, std::uint64_t origin, bool apart) : count_(count), origin_(origin) {
  FTLAB_CHECK(count >= 1 && count <= Distribution::kMostBlocks && origin < count,
              "scattering " + std::to_string(count) + " blocks");
  if (count == 1) return;  // a single block; its reciprocal does not fit
  stride_ = apart ? stride_of(count) : 1;
  reciprocal_ = static_cast<std::uint64_t>((Wide{1} << 64) / count);
}

Distribution::Distribution(const Spread& spread, Direction direction, std::uint64_t count, std::uint64_t block_bytes,
                           std::uint64_t origin)
    : kind_(spread.kind), count_(count) {
  FTLAB_CHECK(count >= 1, "a distribution over no blocks");
  if (kind_ == Spread::Kind::uniform) return;
  if (kind_ >= Spread::Kind::zoned) {
    cut_zones(spread.zones[static_cast<std::size_t>(direction)], block_bytes);
    return;
  }
  scatter_ = Scatter(count, origin_of(spread, count, origin), spread.scattered);
  if (kind_ == Spread::Kind::zipf) zipf_.emplace(count, spread.parameter);
  if (kind_ == Spread::Kind::pareto) power_.emplace(exact_log(spread.parameter) / exact_log(1 - spread.parameter));
  if (kind_ == Spread::Kind::normal)
    width_ = static_cast<std::uint64_t>(static_cast<double>(count) * std::min(spread.parameter, 50.0) / 100);
}

// Zones in percent are cut at the block of the cumulative percentage; each has at least one block.
void Distribution::cut_zones(const std::vector<Spread::Zone>& zones, std::uint64_t block_bytes) {
  std::uint64_t sum = 0;
  std::size_t percent = 0;
  for (const Spread::Zone& zone : zones) {
    const bool in_bytes = kind_ == Spread::Kind::zoned_abs;
    const auto place = [&](std::uint64_t size) {
      return in_bytes ? size / block_bytes : static_cast<std::uint64_t>(static_cast<Wide>(count_) * size / 100);
    };
    const std::uint64_t first = std::min(place(sum), count_ - 1);
    const std::uint64_t end = std::min(place(sum += zone.size), count_);
    std::fill_n(zone_of_percent_.begin() + static_cast<std::ptrdiff_t>(percent), zone.access_percent,
                static_cast<std::uint8_t>(zones_.size()));
    percent += zone.access_percent;
    zones_.push_back({first, std::max(end, first + 1) - first});
  }
  FTLAB_CHECK(percent == 100, "zones of " + std::to_string(percent) + " %");
}

// u is uniform above 0, in steps of 2^-53.
std::uint64_t Distribution::draw_pareto(RandomStream& random) const {
  const double u = (static_cast<double>(random.bits() >> 11) + 0.5) * 0x1p-53;
  return std::min(static_cast<std::uint64_t>(static_cast<double>(count_) * power_->of(u)), count_ - 1);
}

// Sum of twelve 32-bit numbers from six draws, plus a thirteenth. The rank is the distance from the middle, counted upwards
// with wrap-around.
std::uint64_t Distribution::draw_normal(RandomStream& random) const {
  std::uint64_t sum = 0;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t bits = random.bits();
    sum += (bits >> 32) + (bits & 0xffffffff);
  }
  const auto count = static_cast<std::int64_t>(count_), width = static_cast<std::int64_t>(width_);
  const std::int64_t wide = static_cast<std::int64_t>(random.bits() >> 32) - (std::int64_t{1} << 31);
  const std::int64_t narrow = static_cast<std::int64_t>(sum) - 6 * (std::int64_t{1} << 32);
  const SignedWide twelfths = static_cast<SignedWide>(narrow) * count + static_cast<SignedWide>(wide) * width * 12;
  std::int64_t distance = static_cast<std::int64_t>(twelfths >> 32);  // in twelfths of a block
  if (distance < 0) distance += 12 * count;
  return static_cast<std::uint64_t>(distance / 12);
}

Power::Power(double exponent) : exponent_(exponent) {
  for (int i = 0; i < kEntries; ++i) {
    const double middle = 1 + (i + 0.5) / kEntries;
    logarithm_[static_cast<std::size_t>(i)] = exact_log(middle);
    reciprocal_[static_cast<std::size_t>(i)] = 1 / middle;
    root_[static_cast<std::size_t>(i)] = exact_exp(kLogarithmOf2 * i / kEntries);
  }
}

// ln x = k ln 2 + ln of a table entry near the mantissa + ln(1 + r), |r| < 2^-8;
// e^y = 2^n 2^(i/256) e^s, 0 <= s < 2^-7.
double Power::of(double x) const {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int k = static_cast<int>(bits >> 52) - 1023;
  const std::size_t near = bits >> (52 - kBits) & (kEntries - 1);
  const double mantissa = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  const double r = mantissa * reciprocal_[near] - 1;
  const double series = r * (1 + r * (-1.0 / 2 + r * (1.0 / 3 + r * (-1.0 / 4 + r * (1.0 / 5)))));
  const double y = exponent_ * (k * kLogarithmOf2 + (logarithm_[near] + series));
  if (y < -700) return 0;
  const double steps = y * (kEntries / kLogarithmOf2);
  const auto whole = static_cast<std::int64_t>(steps) - 1;  // not above `steps`, which is at most 0
  const double s = y - static_cast<double>(whole) * (kLogarithmOf2 / kEntries);
  const double power = 1 + s * (1 + s * (1.0 / 2 + s * (1.0 / 6 + s * (1.0 / 24 + s * (1.0 / 120)))));
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>((whole >> kBits) + 1023) << 52);
  return scale * root_[static_cast<std::size_t>(whole) & (kEntries - 1)] * power;
}

}  // namespace ftlab
