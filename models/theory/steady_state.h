// Write amplification in steady state from theory, the expected result of a simulation in the same setting.
//
// Each question (question.h) has one answer, with its source. Trims and compression are transformed away first; what
// remains is one of the formulas in uniform.h (pools, too), fifo_classes.h and hot_cold.h. Without a known
// formula there is never a guess. All formulas are for infinitely many blocks: on a drive of N blocks, frontiers and blocks
// being filled take a share of the spare of the order of 1 / N.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/theory/question.h"

namespace ftlab {

struct WaAnswer {
  double wa = 0;  // media bytes over host bytes
  // exact: for infinitely many blocks. finite_blocks: also exact, but drives of usual size still deviate. approximate: the
  // formula itself neglects something.
  enum class Kind : std::uint8_t { exact, finite_blocks, approximate };
  Kind kind = Kind::exact;
  std::string source;    // authors, venue, year; equation where it has a number
  std::string validity;  // one sentence: when it holds, how far off otherwise
  double tolerance = 0;  // relative band within which a simulation should agree
};

// Empty if no formula is known for the setting, or if it has no steady state (the data do not fit). Deterministic. Cost:
// microseconds for uniform writes; for hot and cold writes milliseconds at 64 pages per block, up to seconds at 512.
std::optional<WaAnswer> steady_state_wa(const WaQuestion& question);

// Why steady_state_wa() is empty, in one sentence; empty if it is not.
std::string why_no_formula(const WaQuestion& question);

// Split of the spare between a hot and a cold pool that minimises write amplification: the hot pool's share of the spare
// pages, to 1e-6. Workload and frontiers of the question are replaced by hot_cold and pools; hot_spare is ignored. Near
// sqrt(R F) / (sqrt(R F) + sqrt((1-R) (1-F))). REQUIRES: 0 < R, F < 1.
double best_hot_spare(const WaQuestion& question);

}  // namespace ftlab
