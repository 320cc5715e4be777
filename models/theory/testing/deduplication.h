// Deduplication: the share of host writes that is programmed, the number of contents stored at a time, and the resulting
// write amplification. Pages are written uniformly at random, each with one content, in fio's two ways (dedupe_mode); the
// drive forgets no content. Derived here; we know of no publication. For tests.
#pragma once

#include <cmath>

#include "models/theory/numerics/roots.h"

namespace ftlab {

struct StoredContents {
  double programmed = 1;  // pages programmed for the host per page written
  double live = 1;        // contents stored per mapped page
};

inline double survival(double repeats, double time) { return std::exp(-time) / (1 + repeats * std::expm1(-time)); }

inline double programs_of_round(double repeats, double period) {
  double alive = 0;
  for (double time = 0, s = 1; s > 1e-17; s = survival(repeats, time += period)) alive += s;
  return (1 - repeats) * period * alive;
}

// working_set: with probability `repeats` a write takes one of `set` contents (per mapped page), else a new one. New content
// lives as long as its page, so all of it dies at one rate, as without deduplication. Under every policy the drive behaves
// like one of the new contents only, with (1 - repeats) of the writes. The set is stored in addition and never dies while
// each of its contents has many pages; their number is distributed as Poisson(repeats / set).
inline StoredContents working_set_contents(double repeats, double set) {
  if (repeats <= 0) return {};
  const double without_page = std::exp(-repeats / set);
  return {1 - repeats + repeats * without_page, 1 - repeats + set * (1 - without_page)};
}

// repeat: with probability D = `repeats` a write takes the last new content again. So a content has g pages with probability
// (1 - D) D^(g-1) and lives until the last of them is overwritten: after t drive writes it is alive with probability S(t) =
// e^-t / (1 - D (1 - e^-t)), on average for ln(1 / (1 - D)) / D. REQUIRES: 0 <= repeats < 1.
inline StoredContents repeated_contents(double repeats) {
  if (repeats <= 0) return {};
  return {1 - repeats, (1 - repeats) / repeats * -std::log1p(-repeats)};
}

// Write amplification of FIFO GC for repeated_contents(). A place in the flash is collected every T drive writes. Of the
// contents first programmed in a round, S(T) are copied, then S(2T) and so on, so a round programs (1 - D) T sum S(kT) = 1 /
// utilisation, and write amplification is 1 / (utilisation T). Exact for infinitely many blocks; with D = 0 it is fifo_wa().
// `utilisation`: mapped pages / places. REQUIRES: utilisation * repeated_contents(repeats).live < 1.
inline double fifo_wa_of_repeats(double repeats, double utilisation) {
  const auto excess = [&](double period) { return programs_of_round(repeats, period) - 1 / utilisation; };
  const double period = root_between(1e-4, 1 / (utilisation * (1 - repeats)), excess);
  return 1 / (utilisation * period);
}

}  // namespace ftlab
