// Victims by cost and benefit: the score grows with the age of a block and with the share of it that is invalid.
//
// With infinitely many blocks the best score at any moment is a constant, so a block with m valid pages goes at the age
//   a_m = theta g(m),  g = (1 + u) / (1 - u)  for the score (1 - u) age / (1 + u)  (Rosenblum and Ousterhout 1992)
//                      g = 2 u / (1 - u)      for the score (1 - u) age / (2 u)    (Kawaguchi et al. 1995),  u = m / b,
// counted from the time when it was closed. No closed form is published. Thresholds rise while m falls, so a block with m
// valid pages at age t < a_m cannot have been collected earlier: until then its pages die undisturbed.
#pragma once

#include "models/theory/new_blocks.h"
#include "models/theory/setting.h"

namespace ftlab {

// g(m) for m = 0..b-1; full blocks are never collected.
Eigen::ArrayXd age_thresholds(WaQuestion::Policy policy, int block_pages);

// Uniform writes. One equation in theta.
double cost_benefit_wa(WaQuestion::Policy policy, double utilisation, int block_pages);

// Which blocks are collected when new blocks are made as `born` says (new_blocks.h) and a block with m valid pages goes
// at the age scale * thresholds(m). Time is counted so that pages are overwritten at the rate c = 1 on average. Cost:
// O(b^3).
Collected collect_by_age(const Eigen::VectorXd& born, const HotCold& pages, const Eigen::ArrayXd& thresholds, double scale);

}  // namespace ftlab
