// The stripes that hold the pages of a run, and what the read of each of them counts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ftl/write/page_run.h"
#include "models/nand/schedule/work_list.h"

namespace ftlab {

// The pages of each stripe of a run.
class StripesOfRun {
 public:
  StripesOfRun(const Layout& layout, const PageRun& run) {
    FTLAB_DCHECK(run.count > 0, "a run without pages");
    std::uint32_t limit = 0;  // end of the last stripe found
    for (std::uint32_t i = 0; i < run.count; ++i) {
      if (run.pages[i] >= limit) {
        numbers_[count_++] = layout.stripe_of(run.pages[i]);
        limit = layout.next_stripe(run.pages[i]);
      }
      ends_[count_ - 1] = i + 1;
    }
  }
  std::uint32_t count() const { return count_; }
  std::uint32_t number(std::uint32_t i) const { return numbers_[i]; }  // in the superblock
  std::uint32_t end(std::uint32_t i) const { return ends_[i]; }        // of its pages, in the run

 private:
  std::array<std::uint32_t, PageRun::kMostPages> numbers_, ends_;
  std::uint32_t count_ = 0;
};

// Pages and bytes to count for the reads of stripes, by the number of pages moved from them.
class StripeReadCounts {
 public:
  StripeReadCounts(const Layout& layout, const WorkList& work) {
    const std::uint64_t stripes = layout.stripes_per_page();
    for (std::uint32_t pages = 0; pages <= layout.pages_per_stripe(); ++pages) {
      const WorkList::ReadCount one = work.count().of_read(layout.slot_bytes() / layout.stripes_per_page() * pages);
      counts_.push_back({one.pages * stripes, one.bytes * stripes});
      in_proportion_ &= counts_[pages].pages == pages * counts_[pages > 0].pages &&
                        counts_[pages].bytes == pages * counts_[pages > 0].bytes;
    }
  }
  const WorkList::ReadCount& of_stripe(std::uint32_t pages) const { return counts_[pages]; }
  // True if each page counts the same, however many there are of its stripe.
  bool in_proportion() const { return in_proportion_; }

 private:
  std::vector<WorkList::ReadCount> counts_;
  bool in_proportion_ = true;
};

}  // namespace ftlab
