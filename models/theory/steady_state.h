// Write amplification in steady state, from theory: what a simulation in the same setting must come to.
//
// One question (question.h), one answer with its source. Trims and compression are translated away first (trim.h,
// compression.h); what remains is one of the formulas in uniform.h, fifo_classes.h, hot_cold.h and pools.h. Where no formula
// is known there is no answer, never a guess. All are for a drive of infinitely many blocks: in one of N, frontiers and
// blocks being filled take a share of the spare of the order of 1 / N.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/theory/question.h"

namespace ftlab {

struct WaAnswer {
  double wa = 0;  // media bytes over host bytes
  // exact: for infinitely many blocks. finite_blocks: as well, but drives of usual size are still on their way there.
  // approximate: the formula itself leaves something out.
  enum class Kind : std::uint8_t { exact, finite_blocks, approximate };
  Kind kind = Kind::exact;
  std::string source;    // authors, venue, year; equation where it has a number
  std::string validity;  // one sentence: when it holds, how far off otherwise
  double tolerance = 0;  // relative band within which a simulation should agree
};

// Empty when no formula is known for the setting or the setting has no steady state (the data do not fit). Deterministic.
// Cost: microseconds for uniform writes; for hot and cold ones milliseconds at 64 pages in a block, up to seconds at 512.
std::optional<WaAnswer> steady_state_wa(const WaQuestion& question);

// Why steady_state_wa is empty, in one sentence. Empty when it is not.
std::string why_no_formula(const WaQuestion& question);

// The split of the spare between a hot and a cold pool that minimises write amplification: share of the spare pages for
// the hot pool, to 1e-6. The workload is taken as hot_cold, the frontiers as pools, whatever the question says; hot_spare
// is ignored. Near sqrt(R F) / (sqrt(R F) + sqrt((1-R) (1-F))). REQUIRES: 0 < R, F < 1.
double best_hot_spare(const WaQuestion& question);

}  // namespace ftlab
