// Simulates write amplification in steady state: builds the setting of a WaQuestion as a translation layer (one die,
// superblocks of one block, untimed), fills it, warms it up and measures until the mean is precise enough.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "models/theory/question.h"

namespace ftlab {

struct SteadyRunOptions {
  std::uint64_t seed = 1;
  double precision = 0.0005;                       // stop when the 95 % half-width is below this share of the mean
  std::uint32_t least_batches = 20;                // at least this many batches of one drive write
  std::uint32_t most_batches = 200;                // at most this many
  bool by_slots = false;                           // place page by page even if counting gives the same result
  const std::atomic<bool>* interrupted = nullptr;  // makes steady_run throw Interrupted
};

struct SteadyRun {
  double wa = 0;          // media bytes over host bytes
  double half_width = 0;  // half-width of the 95 % confidence interval of `wa`
  std::uint32_t batches = 0;
  std::uint32_t warm_up = 0;      // drive writes before the batches, without the fill
  bool drifting = false;          // the two halves of the batches differ: the warm-up was too short
  double mapped_share = 1;        // mapped share of the logical pages, at the end
  std::uint64_t host_writes = 0;  // in total
  std::uint64_t erases = 0;
  std::uint64_t logical_pages = 0;
  std::uint64_t total_blocks = 0;  // including the reserve
};

// Empty, or a sentence that says why the setting cannot be built, with the arithmetic.
std::string steady_run_problem(const WaQuestion& question);

// Memory of its tables, in bytes. REQUIRES: steady_run_problem() is empty.
std::uint64_t steady_run_bytes(const WaQuestion& question, const SteadyRunOptions& options);

// REQUIRES: steady_run_problem() is empty. Costs about 10 + batches drive writes (hot and cold or Zipf: more), at 1/3 us
// per page. With one frontier and no packing, 20 to 30 ns per page with the same result (counting_layer.h).
SteadyRun steady_run(const WaQuestion& question, const SteadyRunOptions& options);

}  // namespace ftlab
