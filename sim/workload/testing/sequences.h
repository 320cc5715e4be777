// Compares sequences in random order by histograms of their sizes, places and directions.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "sim/workload/generator.h"

namespace ftlab::testing {

using Sequence = std::vector<Access>;
using Histogram = std::map<std::uint64_t, double>;

inline Histogram histogram(const Sequence& all, const std::function<std::uint64_t(const Access&)>& key) {
  Histogram counts;
  for (const Access& access : all) ++counts[key(access)];
  return counts;
}

inline double total(const Histogram& counts) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum += count;
  return sum;
}

// Compares two samples: Pearson's chi-square over neighbouring keys, merged until 5 are expected in the smaller sample, in
// standard deviations of the normal (Wilson and Hilferty, 1931). 0 if there is only one cell.
inline double difference(const Histogram& a, const Histogram& b) {
  Histogram both = a;
  for (const auto& [key, count] : b) both[key] += count;
  const double share = total(a) / total(both);
  double chi_square = 0, cells = 0, seen = 0, of_a = 0, left = total(both);
  for (const auto& [key, count] : both) {
    seen += count;
    const auto found = a.find(key);
    of_a += found == a.end() ? 0 : found->second;
    const bool enough = seen * std::min(share, 1 - share) >= 5 && (left - seen) * std::min(share, 1 - share) >= 5;
    if (!enough && seen < left) continue;
    chi_square += (of_a - seen * share) * (of_a - seen * share) / (seen * share * (1 - share));
    cells += 1;
    left -= seen;
    seen = of_a = 0;
  }
  if (cells < 2) return 0;
  const double spread = 2 / (9 * (cells - 1));
  return (std::cbrt(chi_square / (cells - 1)) - (1 - spread)) / std::sqrt(spread);
}

// Hits of each place, most frequent first: characterizes a skewed distribution regardless of which blocks are hot.
inline std::vector<double> frequencies(const Sequence& all) {
  std::vector<double> sorted;
  for (const auto& [place, count] : histogram(all, [](const Access& a) { return a.offset_bytes; })) sorted.push_back(count);
  std::sort(sorted.rbegin(), sorted.rend());
  return sorted;
}

inline std::uint64_t bytes_of(const Sequence& all) {
  std::uint64_t sum = 0;
  for (const Access& access : all) sum += access.length_bytes;
  return sum;
}

// Bytes that an earlier request had already touched.
inline std::uint64_t bytes_again(const Sequence& all) {
  std::vector<bool> touched;
  std::uint64_t again = 0;
  for (const Access& access : all) {
    for (std::uint64_t sector = access.offset_bytes / 512; sector < (access.offset_bytes + access.length_bytes) / 512;
         ++sector) {
      if (sector >= touched.size()) touched.resize(sector + 1);
      again += touched[sector] ? 512 : 0;
      touched[sector] = true;
    }
  }
  return again;
}

// Number of requests that begin where the previous one of the same direction ended.
inline std::size_t followers(const Sequence& all) {
  PerDirection<std::uint64_t> end{1, 1, 1};
  std::size_t count = 0;
  for (const Access& access : all) {
    std::uint64_t& expected = end[static_cast<std::size_t>(access.direction)];
    count += access.offset_bytes == expected;
    expected = access.offset_bytes + access.length_bytes;
  }
  return count;
}

}  // namespace ftlab::testing
