// fio's random_distribution over the blocks of one region.
//
// zipf:theta   rank i of n has a probability proportional to (i + 1)^-theta (Zipf).
// pareto:h     rank floor(n u^a), u uniform, a = log h / log(1 - h): the self-similar law of Gray et al. ("Quickly
//              Generating Billion-Record Synthetic Databases", SIGMOD 1994, 4.3): a share 1 - h of the requests goes to a
//              share h of the blocks.
// normal:d     the middle plus a sum of 12 uniform numbers, each n/12 wide, plus one that is d percent of n wide (50 at
//              most), wrapped around at the ends. fio 3.33 draws this, as found by experiment: a standard deviation of
//              n sqrt(1/144 + (d/100)^2 / 12), not d percent as its manual says.
// zoned        a zone by its share of 100, then a uniform block in it.
//
// As in fio, the ranks of the first three are scattered over the region: the most frequent block lies at the given centre,
// or at a position drawn from the seed, and the next ones far from it and from each other. So a hot spot is many single
// blocks, never one area; only zoned and zoned_abs form areas. Spread::scattered turns that off, for the choice of files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

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

// A permutation of [0, count): rank 0 maps to `origin`, and consecutive ranks are a golden section of the whole apart, or
// neighbours.
class Scatter {
 public:
  Scatter() = default;
  // REQUIRES: 1 <= count <= 2^32, origin < count.
  Scatter(std::uint64_t count, std::uint64_t origin, bool apart = true);

  std::uint64_t place(std::uint64_t rank) const {
    const std::uint64_t reduced = modulo(rank * stride_) + origin_;
    return reduced < count_ ? reduced : reduced - count_;
  }

 private:
  // Modulo by multiplication: the quotient is too small by at most 1 (Barrett, CRYPTO 1986).
  std::uint64_t modulo(std::uint64_t number) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t quotient = static_cast<std::uint64_t>((static_cast<Wide>(number) * reciprocal_) >> 64);
    const std::uint64_t rest = number - quotient * count_;
    return rest < count_ ? rest : rest - count_;
  }

  std::uint64_t count_ = 1;
  std::uint64_t stride_ = 0;
  std::uint64_t reciprocal_ = ~std::uint64_t{0};
  std::uint64_t origin_ = 0;
};

// x^a for 0 < x < 1, bit-identical on every machine: table and series for logarithm and exponential (Muller, "Elementary
// Functions", 3rd edition, 2016, chapter 4). Relative error below 1e-13 (1 + a); takes 10 ns.
class Power {
 public:
  explicit Power(double exponent);
  double of(double x) const;

 private:
  static constexpr int kBits = 8, kEntries = 1 << kBits;

  double exponent_;
  std::array<double, kEntries> logarithm_;  // ln(1 + (i + 1/2) / 256)
  std::array<double, kEntries> reciprocal_;
  std::array<double, kEntries> root_;  // 2^(i / 256)
};

class Distribution {
 public:
  static constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 32;  // limit for zipf, pareto and normal

  // Over `count` blocks that begin `block_bytes` apart. `origin` is the position of the most frequent block if no centre is
  // given. REQUIRES: count >= 1, and at most kMostBlocks except for uniform and zoned; zones that fit.
  Distribution(const Spread& spread, Direction direction, std::uint64_t count, std::uint64_t block_bytes,
               std::uint64_t origin);

  // A block below `count`. Takes 2 to 4 ns for uniform and zoned, 10 to 20 ns for the others.
  std::uint64_t draw(RandomStream& random) const;

 private:
  struct Zone {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };

  void cut_zones(const std::vector<Spread::Zone>& zones, std::uint64_t block_bytes);
  std::uint64_t draw_pareto(RandomStream& random) const;
  std::uint64_t draw_normal(RandomStream& random) const;
  std::uint64_t draw_zoned(RandomStream& random) const;

  Spread::Kind kind_;
  std::uint64_t count_;
  std::optional<Zipf> zipf_;
  Scatter scatter_;
  std::optional<Power> power_;  // pareto only
  std::uint64_t width_ = 0;     // normal only: width of the thirteenth number, in blocks
  std::array<std::uint8_t, 100> zone_of_percent_{};
  std::vector<Zone> zones_;
};

inline std::uint64_t Distribution::draw(RandomStream& random) const {
  switch (kind_) {
    case Spread::Kind::uniform: return random.below(count_);
    case Spread::Kind::zipf: return scatter_.place(zipf_->draw(random));
    case Spread::Kind::pareto: return scatter_.place(draw_pareto(random));
    case Spread::Kind::normal: return scatter_.place(draw_normal(random));
    default: return draw_zoned(random);
  }
}

inline std::uint64_t Distribution::draw_zoned(RandomStream& random) const {
  const Zone& zone = zones_[zone_of_percent_[random.below(100)]];
  return zone.first + random.below(zone.count);
}

}  // namespace ftlab
