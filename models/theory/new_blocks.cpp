#include "models/theory/new_blocks.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "models/theory/numerics/binomial.h"

namespace ftlab {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

VectorXd row(const MatrixXd& matrix, Index index) { return matrix.row(index).transpose(); }

// Distribution of hot pages among m pages, after a random one of m + 1 was dropped. law(i): i of m + 1 are hot.
VectorXd drop_one(const VectorXd& law, Index m) {
  VectorXd dropped = VectorXd::Zero(law.size());
  for (Index i = 0; i <= m; ++i) {
    const double hot = static_cast<double>(i + 1), cold = static_cast<double>(m + 1 - i);
    dropped(i) = (law(i + 1) * hot + law(i) * cold) / static_cast<double>(m + 1);
  }
  return dropped;
}

// Row n: distribution of hot pages among the first n pages of a victim that has more than n.
MatrixXd longer_than(const MatrixXd& victims) {
  MatrixXd longer = MatrixXd::Zero(victims.rows(), victims.cols());
  for (Index n = victims.rows() - 2; n >= 0; --n)
    longer.row(n) = drop_one(row(longer, n + 1) + row(victims, n + 1), n).transpose();
  return longer;
}

MatrixXcd frequencies(Index size) {
  MatrixXcd matrix(size / 2 + 1, size);
  for (Index k = 0; k < matrix.rows(); ++k) {
    for (Index i = 0; i < size; ++i)
      matrix(k, i) = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * i % size) / static_cast<double>(size));
  }
  return matrix;
}

}  // namespace

double relocated_pages(const Collected& collected) {
  const Index size = collected.victims.rows();
  const VectorXd levels = VectorXd::LinSpaced(size, 0, static_cast<double>(size - 1));
  return collected.victims.rowwise().sum().dot(levels);
}

NewBlocks::NewBlocks(WaQuestion::Frontiers frontiers, const HotCold& pages)
    : frontiers_(frontiers), pages_(pages), host_block_(binomial(pages.block_pages, pages.hot_writes)) {
  if (frontiers == WaQuestion::Frontiers::host_gc) frequency_ = frequencies(pages.block_pages + 1);
}

VectorXd NewBlocks::guess(double hot_share) const {
  const bool mixed = frontiers_ == WaQuestion::Frontiers::one || frontiers_ == WaQuestion::Frontiers::host_gc;
  if (mixed) return binomial(pages_.block_pages, hot_share);
  VectorXd born = VectorXd::Zero(pages_.block_pages + 1);
  born(pages_.block_pages) = hot_share;
  born(0) = 1 - hot_share;
  return born;
}

VectorXd NewBlocks::from(const Collected& collected) const {
  switch (frontiers_) {
    case WaQuestion::Frontiers::one: return filled_up(collected.victims);
    case WaQuestion::Frontiers::host_gc: return apart(collected.victims);
    case WaQuestion::Frontiers::hot_cold:
    case WaQuestion::Frontiers::hot_cold_gc:
    case WaQuestion::Frontiers::pools: break;
  }
  return pure(collected.victims);
}

// One frontier: the survivors of a victim, then host pages, in turn. Victims with m pages join those that had fewer and were
// filled up to m.
VectorXd NewBlocks::filled_up(const MatrixXd& victims) const {
  const Index b = pages_.block_pages;
  const double hot = pages_.hot_writes;
  VectorXd filled = row(victims, 0);
  for (Index m = 1; m <= b; ++m) {
    VectorXd next = row(victims, m);
    next.tail(b) += hot * filled.head(b);
    next += (1 - hot) * filled;
    filled.swap(next);
  }
  return filled;
}

// Separate frontiers for hot and cold pages: blocks are all hot or all cold.
VectorXd NewBlocks::pure(const MatrixXd& victims) const {
  const Index b = pages_.block_pages;
  const VectorXd count = VectorXd::LinSpaced(b + 1, 0, static_cast<double>(b));
  const double survivors = victims.rowwise().sum().dot(count), hot_survivors = victims.colwise().sum().dot(count);
  const double host = static_cast<double>(b) - survivors;
  return guess((hot_survivors + host * pages_.hot_writes) / static_cast<double>(b));
}

// Separate frontiers for host pages and relocated pages.
VectorXd NewBlocks::apart(const MatrixXd& victims) const {
  const Index b = pages_.block_pages;
  const VectorXd count = VectorXd::LinSpaced(b + 1, 0, static_cast<double>(b));
  const double relocated = victims.rowwise().sum().dot(count) / static_cast<double>(b);
  if (relocated <= 0) return host_block_;
  return (1 - relocated) * host_block_ + relocated * relocated_in_a_row(victims);
}

// b consecutive pages at a random position in the sequence of all relocated pages: the rest of one victim, whole victims,
// and the beginning of another, each victim's pages in random order (a renewal process seen from a random page). Victims are
// independent, so the distributions of hot counts multiply as Fourier transforms.
VectorXd NewBlocks::relocated_in_a_row(const MatrixXd& victims) const {
  const Index b = pages_.block_pages;
  MatrixXd some = victims;
  some.row(0).setZero();
  some /= some.sum();
  const VectorXd share = some.rowwise().sum();
  const double mean = share.dot(VectorXd::LinSpaced(b + 1, 0, static_cast<double>(b)));
  const MatrixXd longer = longer_than(some);
  const MatrixXcd whole = frequency_ * some.transpose(), part = frequency_ * longer.transpose();

  MatrixXcd first(frequency_.rows(), b + 1);  // column n: the first n pages from the start of a victim
  for (Index n = 0; n <= b; ++n) {
    first.col(n) = part.col(n);
    for (Index m = 1; m <= n; ++m) {
      if (share(m) > 1e-15) first.col(n).array() += whole.col(m).array() * first.col(n - m).array();
    }
  }
  VectorXcd window = VectorXcd::Zero(frequency_.rows());
  for (Index rest = 1; rest <= b; ++rest)
    window.array() += (part.col(rest) + whole.col(rest)).array() * first.col(b - rest).array() / mean;
  // Inverse transform from half of the frequencies; the other half are their conjugates.
  for (Index k = 1; k < window.size(); ++k) window(k) *= 2 * k == b + 1 ? 1 : 2;
  const VectorXd law = (frequency_.adjoint() * window).real() / static_cast<double>(b + 1);
  return law.cwiseMax(0) / law.cwiseMax(0).sum();
}

}  // namespace ftlab
