// For tests of distributions: how well a sample fits a law.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace ftlab::testing {

inline constexpr double kOneInTenThousand = 3.719;  // one-sided quantile of the normal

// Pearson's chi-square of observed against expected counts, in standard deviations of the normal approximation by Wilson and
// Hilferty (1931). Neighbours are merged until 10 draws are expected.
inline double misfit(const std::vector<std::uint64_t>& seen, const std::vector<double>& expected) {
  double chi_square = 0, cells = 0, cell_expected = 0, cell_seen = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    cell_expected += expected[i];
    cell_seen += static_cast<double>(seen[i]);
    if (cell_expected < 10) continue;
    chi_square += (cell_seen - cell_expected) * (cell_seen - cell_expected) / cell_expected;
    cells += 1;
    cell_expected = cell_seen = 0;
  }
  const double spread = 2 / (9 * (cells - 1));
  return (std::cbrt(chi_square / (cells - 1)) - (1 - spread)) / std::sqrt(spread);
}

}  // namespace ftlab::testing
