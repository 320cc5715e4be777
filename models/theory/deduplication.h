// Deduplication: how much of what the host writes is programmed, how many contents live at a time, and what write
// amplification follows. For pages written uniformly at random, one content with each, in fio's two ways (dedupe_mode), on a
// drive that forgets no content. Derived here; no publication is known to us.
#pragma once

namespace ftlab {

struct StoredContents {
  double programmed = 1;  // pages programmed for the host, by pages that it writes
  double live = 1;        // contents that are stored, by pages that are mapped
};

// working_set: a write takes, with the probability `repeats`, one of `set` contents (by pages that are mapped), else a new
// one. A new one lives as long as its page does, so all of them die at one rate, as without deduplication: under every
// policy the drive behaves like one of the new contents only, with (1 - repeats) of the writes; the set lies beside them,
// and never dies while every content of it has many pages. A content of the set has Poisson(repeats / set) of them.
StoredContents working_set_contents(double repeats, double set);

// repeat: a write takes, with the probability `repeats`, the last new content again. So a content has g pages with the
// probability (1 - D) D^(g-1), D = repeats, and lives until the last of them is overwritten: with t in drive writes it is
// alive with S(t) = e^-t / (1 - D (1 - e^-t)), on average for ln(1 / (1 - D)) / D. REQUIRES: 0 <= repeats < 1.
StoredContents repeated_contents(double repeats);

// Write amplification of FIFO collection under it. A place in the flash is collected every T drive writes; of the contents
// first programmed in a round S(T) are copied, then S(2T), ..., so a round programs (1 - D) T sum S(kT) = 1 / utilisation,
// and the amplification is 1 / (utilisation T). Exact for infinitely many blocks; with D = 0 it is fifo_wa(). `utilisation`:
// mapped pages over places. REQUIRES: utilisation * repeated_contents(repeats).live < 1.
double fifo_wa_of_repeats(double repeats, double utilisation);

}  // namespace ftlab
