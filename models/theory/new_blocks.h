// Composition of a block when it is filled: survivors of victims and host pages, hot and cold.
#pragma once

#include <Eigen/Core>

#include "models/theory/setting.h"

namespace ftlab {

// Two kinds of pages in blocks of b pages. Hot pages get the share hot_writes of the writes.
struct HotCold {
  int block_pages = 0;
  double hot_writes = 0;
  double hot_pages = 0;

  // Overwrites of one page in the time in which a page is overwritten once on average.
  double hot_rate() const { return hot_writes / hot_pages; }
  double cold_rate() const { return (1 - hot_writes) / (1 - hot_pages); }
};

// Victims of one unit of time, in which every block is collected once.
struct Collected {
  Eigen::MatrixXd victims;  // (m, i): share of the victims with m valid pages, i of them hot
  double valid_pages = 0;   // per block, mean over all blocks
  double c = 0;             // overwrites of a page in that unit
};

// Mean valid pages of a victim.
double relocated_pages(const Collected& collected);

// Hot pages in new blocks: element i is the share of new blocks with i hot pages. One object per layout of frontiers; it
// caches what does not change between generations of blocks.
class NewBlocks {
 public:
  NewBlocks(WaQuestion::Frontiers frontiers, const HotCold& pages);

  // Starting guess, if `hot_share` of all page programs are of hot pages.
  Eigen::VectorXd guess(double hot_share) const;

  // The next generation. Cost: O(b^2); with frontiers host_gc O(b^3).
  Eigen::VectorXd from(const Collected& collected) const;

 private:
  Eigen::VectorXd filled_up(const Eigen::MatrixXd& victims) const;
  Eigen::VectorXd pure(const Eigen::MatrixXd& victims) const;
  Eigen::VectorXd apart(const Eigen::MatrixXd& victims) const;
  Eigen::VectorXd relocated_in_a_row(const Eigen::MatrixXd& victims) const;

  WaQuestion::Frontiers frontiers_;
  HotCold pages_;
  Eigen::VectorXd host_block_;  // distribution for blocks of host pages only
  Eigen::MatrixXcd frequency_;  // (k, i): exp(-2 pi sqrt(-1) k i / (b + 1)), half of the k
};

}  // namespace ftlab
