// Write amplification A if every mapped page is equally likely to be written next, for infinitely many blocks.
//
// The unit of time is N erases on a drive of N blocks. c is the rate at which a mapped page is overwritten, s_k the share of
// blocks with k valid pages. In each unit every block is filled once and takes c * utilisation * b host pages, so A = 1 / (c
// * utilisation) for every policy.
#pragma once

#include "models/theory/setting.h"

namespace ftlab {

// For the policy of the setting. REQUIRES: 0 < utilisation < 1, block_pages >= 2.
double uniform_wa(const WaSetting& setting);

// Random victim: a page of it is valid with probability `utilisation` under any workload.
double random_wa(double utilisation);

// The block with the fewest valid pages (Bux and Iliadis, Performance Evaluation 67, 2010, in the limit of many blocks).
double greedy_wa(double utilisation, int block_pages);

// The emptiest of d blocks drawn with replacement (Van Houdt, SIGMETRICS 2013; Li, Lee and Lui, SIGMETRICS 2013).
double d_choices_wa(double utilisation, int block_pages, double d);

// The emptiest among the oldest `window` of the blocks (Hu et al., SYSTOR 2009).
double windowed_greedy_wa(double utilisation, int block_pages, double window);

// Hot and cold pages in separate blocks, with GC only inside each pool.

// Each pool sees uniform writes: A = r A(hot pool) + (1 - r) A(cold pool) (Desnoyers, SYSTOR 2012, eq. 20-22; Stoica and
// Ailamaki, VLDB 2013). Infinite if a pool has no spare space. REQUIRES: two classes.
double pools_wa(const WaSetting& setting);

}  // namespace ftlab
