// Write amplification in steady state, simulated: the setting of a WaQuestion built as a translation layer (one die,
// superblocks of one block, no clock), filled, warmed up and measured until the mean is known well enough.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "models/theory/question.h"

namespace ftlab {

struct SteadyRunOptions {
  std::uint64_t seed = 1;
  double precision = 0.0005;                       // stop when the 95 % half-width is below this share of the mean ...
  std::uint32_t least_batches = 20;                // ... and so many batches of one drive write are there
  std::uint32_t most_batches = 200;                // stop in any case
  bool by_slots = false;                           // page by page even where counting alone gives the same
  const std::atomic<bool>* interrupted = nullptr;  // makes steady_run throw Interrupted
};

struct SteadyRun {
  double wa = 0;          // media bytes over host bytes
  double half_width = 0;  // of its 95 % confidence interval
  std::uint32_t batches = 0;
  std::uint32_t warm_up = 0;      // drive writes before them; those of the fill not counted
  bool drifting = false;          // the first half of the batches lies elsewhere than the second: warmed up too little
  double mapped_share = 1;        // of the logical pages, at the end
  std::uint64_t host_writes = 0;  // in all
  std::uint64_t erases = 0;
  std::uint64_t logical_pages = 0;
  std::uint64_t total_blocks = 0;  // with the reserve
};

// Empty, or the sentence that says why the setting cannot be built, with the arithmetic.
std::string steady_run_problem(const WaQuestion& question);

// Bytes that its tables take. REQUIRES: no problem.
std::uint64_t steady_run_bytes(const WaQuestion& question, const SteadyRunOptions& options);

// REQUIRES: no problem. Costs about 10 + batches drive writes (hot and cold or Zipf: more), each of a third of a microsecond
// a page; where all data go behind one frontier and are not packed, of 20 to 30 ns (counting_layer.h), with the same result.
SteadyRun steady_run(const WaQuestion& question, const SteadyRunOptions& options);

}  // namespace ftlab
