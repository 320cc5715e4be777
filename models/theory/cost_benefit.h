// Cost-benefit victims: the score grows with the age of a block and with its share of invalid pages.
//
// With infinitely many blocks the best score is constant over time, so a block with m valid pages is collected at the age
//   a_m = theta g(m),  g = (1 + u) / (1 - u)  for the score (1 - u) age / (1 + u)  (Rosenblum and Ousterhout 1992)
//                      g = 2 u / (1 - u)      for the score (1 - u) age / (2 u)    (Kawaguchi et al. 1995),  u = m / b,
// counted from when it was closed. No closed form is published. Thresholds rise as m falls, so a block with m valid pages at
// age t < a_m cannot have been collected earlier: until then its pages die undisturbed.
#pragma once

#include "models/theory/new_blocks.h"
#include "models/theory/setting.h"

namespace ftlab {

// g(m) for m = 0..b-1; full blocks are never collected.
Eigen::ArrayXd age_thresholds(WaQuestion::Policy policy, int block_pages);

// For uniform writes. Solves one equation in theta.
double cost_benefit_wa(WaQuestion::Policy policy, double utilisation, int block_pages);

// Victims if new blocks are distributed as `born` (new_blocks.h) and a block with m valid pages is collected at the age
// scale * thresholds(m). The unit of time is such that pages are overwritten at the mean rate c = 1. Cost: O(b^3).
Collected collect_by_age(const Eigen::VectorXd& born, const HotCold& pages, const Eigen::ArrayXd& thresholds, double scale);

}  // namespace ftlab
