// A question about write amplification after trims and compression were transformed away: fixed-size items, all mapped, in
// blocks that hold a whole number of them. Input of the formulas.
#pragma once

#include <Eigen/Core>

#include "models/theory/question.h"

namespace ftlab {

// Mapped pages by write frequency: class i receives writes(i) of all writes and has pages(i) of all mapped pages. Both sum
// to 1. Hot pages are class 0.
struct PageClasses {
  Eigen::ArrayXd writes;
  Eigen::ArrayXd pages;
};

struct WaSetting {
  WaQuestion::Policy policy = WaQuestion::Policy::greedy;
  std::uint32_t d = 10;
  double window = 0.1;
  WaQuestion::Frontiers frontiers = WaQuestion::Frontiers::one;

  double utilisation = 0;  // mapped pages / pages that can hold data; below 1
  int block_pages = 64;
  PageClasses classes;
  double hot_blocks = 0;  // pools: share of the blocks in the hot pool
};

}  // namespace ftlab
