// Moves the valid pages of a victim to the frontiers that placement chooses, and counts them by cause. Most pages are moved
// in runs, which need only their positions and the times of whole stripes. Otherwise they are moved stripe by stripe, with
// the same result; drives that compress move single pages.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ftl/gc/destinations.h"
#include "ftl/gc/packed_reads.h"
#include "ftl/gc/run_reads.h"
#include "ftl/gc/victim.h"
#include "ftl/read/page_reader.h"

namespace ftlab {

struct RelocationCounts {
  std::array<std::uint64_t, kRelocationCauses> pages{};
  std::array<std::uint64_t, kRelocationCauses> slots{};  // slots of these pages
  std::uint64_t copyback_pages = 0;
};

// Double buffer of page runs: the one being moved and the next, whose map entries are prefetched meanwhile. Not archived
// because it can be rebuilt at any time.
class RunsAhead {
 public:
  // Returns the next run, whole stripes with at least `most` pages, and advances the victim past it. The prefetched run is
  // built again if the victim's `valid` page count has changed: the host may have overwritten some of its pages.
  const PageRun& take(Victim& victim, std::uint32_t valid, std::uint32_t most, const Layout& layout);
  void forget() { most_ = 0; }

 private:
  std::array<PageRun, 2> runs_;
  std::uint32_t ahead_ = 0;
  std::uint32_t valid_ = 0, most_ = 0;  // arguments for which the next run was built
};

class PageMover {
 public:
  // REQUIRES: the others outlive it.
  PageMover(const FtlConfig& config, PageStore& store, PageReader& reader, WorkList& work, Victim& victim,
            Destinations& destinations);

  // From now on appends the LPN of each moved page to `log`.
  void record_moves(std::vector<Lpn>* log) { log_ = log; }
  // Call before the first page of a victim is moved.
  void begin();
  // Moves whole stripes until at least `most` pages, or as many as fit a run, are moved. Returns the number of pages; 0 if
  // no page or no room is left.
  std::uint32_t move(std::uint32_t most);
  // True if no room is left for the victim's pages, in this pool or in the pool that it folds into.
  bool stuck() const { return stuck_; }
  const RelocationCounts& counts() const { return counts_; }

  template <class A>
  void archive(A& archive) {
    runs_.forget();
    archive.value(by_runs_);
    archive.value(stuck_);
    archive.value(counts_);
    packed_reads_.archive(archive);
  }

 private:
  bool moves_in_runs() const;
  std::uint32_t move_run(std::uint32_t most);
  std::uint32_t move_stripe();
  std::uint32_t move_packed(const PageRun& run);
  template <class Reads>
  std::uint32_t move_pages(const PageRun& run, Reads&& reads);
  void count_moved(const PageRun& run, std::uint32_t first, std::uint32_t pages, std::uint32_t slots);

  // Time of each read of the victim in addition to that of the array.
  std::uint32_t longer_ns() const;

  GcConfig config_;
  std::uint32_t fold_ns_;
  PageStore& store_;
  PageReader& reader_;
  WorkList& work_;
  Victim& victim_;
  Destinations& destinations_;
  PackedReads packed_reads_;
  std::vector<Lpn>* log_ = nullptr;
  bool by_runs_ = false;
  bool stuck_ = false;
  RunsAhead runs_;
  PageRun stripe_;                                // the stripe being moved, if pages are not moved in runs
  StripeReadCounts read_counts_;
  RelocationCounts counts_;
};

[[gnu::always_inline]] inline const PageRun& RunsAhead::take(Victim& victim, std::uint32_t valid, std::uint32_t most,
                                                             const Layout& layout) {
  PageRun& run = runs_[ahead_];
  if (most_ != most || valid_ != valid) victim.take(victim.begin_of_rest(), most, run);
  if (run.count == 0) return run;
  const std::uint32_t last = run.pages[run.count - 1];
  victim.pass(last);
  ahead_ ^= 1;
  victim.take(layout.next_stripe(last), most, runs_[ahead_]);
  most_ = most;
  valid_ = valid - run.count;
  return run;
}

}  // namespace ftlab
