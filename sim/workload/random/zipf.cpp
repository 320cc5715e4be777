#include "sim/workload/random/zipf.h"

#include <algorithm>
#include <bit>
#include <limits>
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

}  // namespace ftlab
