#include "models/theory/fifo_classes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/theory/numerics/roots.h"

namespace ftlab {

namespace {

// Host writes per mapped page while a page stays in its block.
double lifetime(const PageClasses& classes, double utilisation) {
  const Eigen::ArrayXd rate = classes.writes / classes.pages;
  const auto excess = [&](double life) {
    return life * (1 + (classes.writes / (rate * life).expm1()).sum()) - 1 / utilisation;
  };
  return root_between(1e-9 * (1 / utilisation - 1), 1 / utilisation, excess);
}

// Sum of x^-s from first to last - 1 by the midpoint rule; relative error s(s+1)/24 first^-2.
double power_sum(double s, double first, double last) {
  const double from = first - 0.5, ratio = std::log((last - 0.5) / from), slope = (1 - s) * ratio;
  const double mean = std::abs(slope) < 1e-9 ? 1 : std::expm1(slope) / slope;
  return std::pow(from, 1 - s) * ratio * mean;
}

}  // namespace

double fifo_wa(const PageClasses& classes, double utilisation) { return 1 / (utilisation * lifetime(classes, utilisation)); }

double fifo_programmed_share(const PageClasses& classes, double utilisation, Eigen::Index i) {
  const double life = lifetime(classes, utilisation);
  const Eigen::ArrayXd programs = -classes.writes / (-life * classes.writes / classes.pages).expm1();
  return programs(i) / programs.sum();
}

PageClasses one_class() { return {Eigen::ArrayXd::Ones(1), Eigen::ArrayXd::Ones(1)}; }

PageClasses hot_and_cold(double hot_writes, double hot_pages) {
  return {Eigen::Array2d(hot_writes, 1 - hot_writes), Eigen::Array2d(hot_pages, 1 - hot_pages)};
}

PageClasses zipf_classes(double s, std::uint64_t pages) {
  constexpr std::uint64_t kOneByOne = 1000;
  std::vector<double> writes, counts;
  for (std::uint64_t rank = 1; rank <= pages;) {
    const std::uint64_t count = rank <= kOneByOne ? 1 : std::min(rank / 200, pages + 1 - rank);
    const double first = static_cast<double>(rank), many = static_cast<double>(count);
    writes.push_back(count == 1 ? std::pow(first, -s) : power_sum(s, first, first + many));
    counts.push_back(many);
    rank += count;
  }
  const auto size = static_cast<Eigen::Index>(writes.size());
  const Eigen::Map<Eigen::ArrayXd> q(writes.data(), size), w(counts.data(), size);
  return {q / q.sum(), w / w.sum()};
}

}  // namespace ftlab
