// Host pages on the link to the drive, in order of arrival. Pages of a command that cross back to back are one run.
//
// Pages that only wait in a stage cause nothing when they arrive. They are passed to the layer together with the next page
// that does cause something, or by take_arrived() before anyone looks at the layer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"
#include "sim/core/types.h"

namespace ftlab {

class Transit {
 public:
  struct Run {
    Nanoseconds arrival{0};      // of its next page
    Nanoseconds each{0};         // time between two pages
    std::uint64_t sequence = 0;  // order among events at the same time, see DueQueue
    std::uint32_t command = 0;
    std::uint32_t pages = 0;  // still on the link, or not passed on yet
  };
  struct Pages {
    std::uint32_t command, count;
  };

  bool empty() const { return runs_.empty(); }
  void clear() {
    runs_.clear();
    due_ = kNever;
  }
  // REQUIRES: it arrives after all others.
  void add(const Run& run) {
    FTLAB_DCHECK(run.pages > 0, "a run without pages is sent");
    runs_.push(run);
    if (runs_.size() == 1) gather(1);
  }

  // Arrival of the page that is handled next, with those before it; kNever if no page is on the link.
  Nanoseconds due() const { return due_; }
  std::uint64_t sequence() const { return runs_.front().sequence; }
  std::uint32_t command() const { return runs_.front().command; }
  std::uint32_t pages() const { return runs_.front().pages; }  // of the oldest run
  // Takes the pages that are due. Call gather() afterwards.
  Pages take_due() { return take(together_); }
  // The next `most` pages of the oldest run, or as many as it has, are handled together, when the last of them arrives.
  void gather(std::uint32_t most) {
    FTLAB_DCHECK(most > 0, "no page is due");
    due_ = kNever;
    if (runs_.empty()) return;
    const Run& run = runs_.front();
    together_ = std::min(most, run.pages);
    due_ = run.arrival + run.each * std::uint64_t{together_ - 1};
  }
  // True if pages that have arrived by `moment` await a later one.
  bool has_arrived(Nanoseconds moment) const { return !empty() && runs_.front().arrival <= moment && due_ > moment; }
  // Takes these pages. The others keep their time. REQUIRES: has_arrived(moment).
  Pages take_arrived(Nanoseconds moment) {
    const Run& run = runs_.front();
    const auto count = static_cast<std::uint32_t>((moment - run.arrival) / run.each) + 1;
    FTLAB_DCHECK(count < together_, "a page that is due is taken too early");
    together_ -= count;
    return take(count);
  }

 private:
  Pages take(std::uint32_t count) {
    Run& run = runs_.front();
    const Pages pages{run.command, count};
    run.pages -= count;
    run.arrival += run.each * std::uint64_t{count};
    if (run.pages == 0) runs_.pop();
    return pages;
  }

  RingBuffer<Run> runs_;
  std::uint32_t together_ = 0;  // pages of the oldest run that are handled together
  Nanoseconds due_ = kNever;
};

}  // namespace ftlab
