// Ranks by Zipf's law: rank i of `items` has a probability proportional to (i + 1)^-s. s = 0 is uniform; any s >= 0 is
// allowed, including exactly 1.
//
// Method: the ranks are cut into bins, single ranks up to 64 and then 32 bins per power of two, so that probabilities within
// a bin differ by a factor of at most (33/32)^s. A bin is drawn by its largest probability times its width (Walker's alias
// method, ACM TOMS 3, 1977, built as in Vose, IEEE TSE 17, 1991), then a rank uniformly within it. The rank is kept with its
// own probability divided by the bin's largest (Devroye, "Non-Uniform Random Variate Generation", 1986, II.3). Nearly always
// the bin's smallest ratio decides that, and no logarithm is computed. So the law is exact, not approximated by its bins, up
// to rounding (less than 1e-14 of all draws in any bin).
//
// The draws are the same on every machine: the weights come from exact_math.h, everything else is integers.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/random.h"

namespace ftlab {

class Zipf {
 public:
  // REQUIRES: 1 <= items <= 2^32, exponent >= 0 and finite. At most 900 bins of 32 bytes; takes 50 us.
  Zipf(std::uint64_t items, double exponent);

  // A rank below items(); 0 is the most frequent. Takes 4 to 10 ns for any number of items.
  std::uint64_t draw(RandomStream& random) const;

  std::uint64_t items() const { return items_; }

 private:
  // A hit on bin b draws b with probability keep / 2^64, otherwise `alias`.
  struct Bin {
    std::uint64_t keep = ~std::uint64_t{0};
    std::uint64_t sure = ~std::uint64_t{0};  // smallest ratio within the bin, times 2^64: up to it, any rank is kept
    std::uint32_t alias = 0;
    std::uint32_t first = 0;  // first rank
    std::uint64_t count = 0;  // number of ranks
  };

  // Cuts the ranks into bins; returns the weight of each.
  std::vector<double> cut();
  void make_aliases(std::vector<double> weights);
  double ratio(const Bin& bin, std::uint64_t offset) const;
  bool kept(const Bin& bin, std::uint64_t offset, std::uint64_t fraction) const;

  std::uint64_t items_;
  double exponent_;
  std::vector<Bin> bins_;
};

inline std::uint64_t Zipf::draw(RandomStream& random) const {
  __extension__ using Wide = unsigned __int128;
  // One draw gives an index below n (the upper word) and a leftover fraction (the lower word).
  while (true) {
    const Wide hit = static_cast<Wide>(random.bits()) * bins_.size();
    const auto index = static_cast<std::size_t>(hit >> 64);
    const Bin& bin = bins_[static_cast<std::uint64_t>(hit) <= bins_[index].keep ? index : bins_[index].alias];
    const Wide place = static_cast<Wide>(random.bits()) * bin.count;
    const auto offset = static_cast<std::uint64_t>(place >> 64);
    const auto fraction = static_cast<std::uint64_t>(place);
    if (fraction <= bin.sure || kept(bin, offset, fraction)) [[likely]]
      return bin.first + offset;
  }
}

}  // namespace ftlab
