// Write amplification when a share R of the writes goes to a share F of the pages, uniform within each (Rosenblum), under
// policies that look at valid pages or at age.
//
// The state of a block is (i hot, j cold valid pages). Blocks lose pages one by one, so the shares of blocks x_ij follow
// from the law of new blocks level by level, m = i + j = b..0 (Van Houdt, "Performance of garbage collection algorithms
// for flash-based solid state drives with hot/cold data", Performance Evaluation 70, 2013):
//   x_ij (h i + k j + v_m) = h (i+1) x_{i+1,j} + k (j+1) x_{i,j+1} + [m = b] born_i
// h and k being the rates at which hot and cold pages are overwritten and v_m that at which blocks with m valid pages are
// collected. The law of new blocks in turn follows from the victims (new_blocks.h): a fixed point, sought together with
// the overwrite rate at which the blocks hold as many valid pages as there are mapped pages.
#pragma once

#include "models/theory/new_blocks.h"
#include "models/theory/setting.h"

namespace ftlab {

// NaN when the iteration does not converge, or when blocks are too large to be solved and A still depends much on b.
// Frontiers: all but pools. Policies: greedy, d_choices, both cost-benefit.
// Up to 1024 pages in a block (host_gc and cost-benefit: 256, both: 128) the equations are solved; beyond, A is continued
// from half and all of that size in 1 / b, its leading order, to 1 % or better. Cost: some dozens of steps of O(b^2); O(b^3)
// for cost-benefit and for host_gc.
// REQUIRES: two classes, both written.
double hot_cold_wa(const WaSetting& setting);

// The largest block for which hot_cold_wa solves the equations.
int largest_solved_block(const WaSetting& setting);

// Victims when the emptiest of d blocks is collected; d = infinity is greedy. Ties are broken at random.
Collected collect_emptiest(const Eigen::VectorXd& born, const HotCold& pages, double c, double d);

}  // namespace ftlab
