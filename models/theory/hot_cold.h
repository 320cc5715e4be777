// Write amplification if a share R of the writes goes to a share F of the pages, uniform within each (Rosenblum), for
// policies that use valid pages or age.
//
// The state of a block is (i hot, j cold valid pages). Blocks lose single pages, so the shares of blocks x_ij follow from
// the distribution of new blocks, level by level, m = i + j = b..0 (Van Houdt, "Performance of garbage collection algorithms
// for flash-based solid state drives with hot/cold data", Performance Evaluation 70, 2013):
//   x_ij (h i + k j + v_m) = h (i+1) x_{i+1,j} + k (j+1) x_{i,j+1} + [m = b] born_i
// where h and k are the overwrite rates of hot and cold pages, and v_m is the rate at which blocks with m valid pages are
// collected. The distribution of new blocks in turn follows from the victims (new_blocks.h): a fixed point, solved together
// with the overwrite rate at which the blocks hold as many valid pages as are mapped.
#pragma once

#include "models/theory/new_blocks.h"
#include "models/theory/setting.h"

namespace ftlab {

// NaN if the iteration does not converge, or if blocks are too large to be solved and A still depends strongly on b.
// Frontiers: all except pools. Policies: greedy, d_choices, both cost-benefit. The equations are solved up to 1024 pages per
// block (host_gc and cost-benefit: 256, both: 128). Beyond, A is extrapolated in 1 / b, its leading order, from that size
// and half of it, to 1 % or better. Cost: some dozens of steps of O(b^2); O(b^3) for cost-benefit and for host_gc. REQUIRES:
// two classes, both written.
double hot_cold_wa(const WaSetting& setting);

// Largest block for which hot_cold_wa() solves the equations.
int largest_solved_block(const WaSetting& setting);

// Victims if the emptiest of d blocks is collected; d = infinity is greedy. Ties are broken at random.
Collected collect_emptiest(const Eigen::VectorXd& born, const HotCold& pages, double c, double d);

}  // namespace ftlab
