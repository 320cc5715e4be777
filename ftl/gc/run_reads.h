// Reads of the stripes of a run, from each of which several pages are moved at once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/gc/stripes_of_run.h"
#include "ftl/read/page_reader.h"
#include "ftl/write/page_run.h"
#include "ftl/write/page_store.h"
#include "models/nand/schedule/flash_engine.h"

namespace ftlab {

// The read occupies its die for so much longer.
void lengthen(WorkList& work, const WorkList::Read& read, std::uint32_t ns);

// Lists the read of each stripe of a run when its first page is needed, and records which programs its pages feed.
class RunReads {
 public:
  RunReads(const PageStore& store, PageReader& reader, WorkList& work, SuperblockId block, const PageRun& run,
           const StripeReadCounts& counts, std::uint32_t longer_ns)
      : store_(store),
        reader_(reader),
        work_(work),
        run_(run),
        layout_(store.medium().layout()),
        block_(block),
        longer_ns_(longer_ns),
        page_bytes_(layout_.slot_bytes() / layout_.stripes_per_page()),
        counts_(counts),
        stripes_(layout_, run),
        walk_(layout_, block, stripes_.number(0)) {}

  // Lists the reads of the pages before `end`. REQUIRES: called in ascending order.
  void list(std::uint32_t end) {
    while (read_ < end) read_stripe();
  }
  bool internal() const { return false; }
  // Pages [first, end) are about to be appended to the frontier, without a gap, as far as it has room. Returns `end`.
  std::uint32_t prepare(std::uint32_t first, std::uint32_t end, const Frontier& frontier) {
    FTLAB_DCHECK(first < end && end <= run_.count, "pages are prepared that the run does not have");
    feed_without_records(std::min(end, first + frontier.room()), frontier);
    return end;
  }
  // Pages [first, end) go into this program and the following ones, one stripe each. REQUIRES: called in ascending order.
  void feed(std::uint32_t first, std::uint32_t end, std::uint32_t frontier, std::uint32_t program) {
    FTLAB_DCHECK(first < end && end <= run_.count, "pages go into a program that the run does not have");
    if (end <= straight_) return;
    const std::uint32_t per_stripe = layout_.pages_per_stripe(), stripes = layout_.stripes_per_page();
    std::uint32_t taken = 0;  // pages already in the program that the next page goes into
    if (first < straight_) {
      const std::uint32_t passed = layout_.stripe_of(straight_ - first);  // no page is larger than a stripe
      program += passed;
      taken = straight_ - first - passed * per_stripe;
      first = straight_;
    }
    for (std::uint32_t from = first; from < end;) {
      if (read_ == from) read_stripe();
      const std::uint32_t until = std::min(read_, end);
      taken += until - from;
      const bool two = taken > per_stripe;  // a stripe's pages go into at most two programs
      for (std::uint32_t i = 0; i < stripes; ++i) (last_read_ + i).feed(frontier, program, two ? 2 * stripes : stripes);
      from = until;
      if (taken < per_stripe) continue;
      taken -= per_stripe;
      program += stripes;
    }
  }

 private:
  // Passes reads to the engine without records, for stripes that hold only pages before `end`.
  void feed_without_records(std::uint32_t end, const Frontier& frontier) {
    if (layout_.stripes_per_page() > 1) return;
    std::uint32_t count = 0;
    for (std::uint32_t s = stripe_; s < stripes_.count() && stripes_.end(s) <= end; ++s) ++count;
    if (count == 0) return;
    const std::uint32_t per_stripe = layout_.pages_per_stripe();
    const std::uint32_t at = store_.stages()[frontier.number()].count();
    const std::uint32_t before = layout_.stripe_of(at);  // stripes that the staged pages fill
    std::uint32_t target = work_.next_program(frontier.number()) + before, taken = at - before * per_stripe;
    WorkRecord record;
    record.superblock = number(block_);
    record.frontier = frontier.number();
    record.flags = pslc() ? WorkRecord::kSlc : 0;
    record.retry_ns = longer_ns_;
    WorkList::ReadCount together{};
    const bool passed = work_.read_run(record, count, [&](WorkRecord& one, bool with_planes) {
      const std::uint32_t until = stripes_.end(stripe_), pages = until - read_;
      walk_.go_to(stripes_.number(stripe_));
      together.pages += counts_.of_stripe(pages).pages;
      together.bytes += counts_.of_stripe(pages).bytes;
      taken += pages;
      one.die = static_cast<std::uint16_t>(number(walk_.die()));
      one.nand_page = walk_.nand_page();
      if (with_planes) {
        const FlashPage page =
            layout_.flash_page(block_, stripes_.number(stripe_), run_.pages[read_], run_.pages[until - 1]);
        one.first_plane = static_cast<std::uint8_t>(page.first_plane);
        one.planes = static_cast<std::uint8_t>(page.planes);
      }
      one.bytes = page_bytes_ * pages;
      one.target = target;
      one.span = taken > per_stripe ? 2 : 1;
      target += taken >= per_stripe;
      taken -= taken >= per_stripe ? per_stripe : 0;
      reader_.disturb(block_, walk_.die());
      read_ = until;
      ++stripe_;
    });
    if (!passed) return;
    work_.count_reads(count, together);
    straight_ = read_;
  }
  bool pslc() const { return store_.medium().superblocks().pslc(block_); }
  // Reads the next stripe that has a page of the run.
  void read_stripe() {
    FTLAB_DCHECK(stripe_ < stripes_.count() && read_ < run_.count, "a run is read beyond its last stripe");
    const std::uint32_t end = stripes_.end(stripe_), number = stripes_.number(stripe_), pages = end - read_;
    const std::uint32_t stripes = layout_.stripes_per_page();
    walk_.go_to(number);
    for (std::uint32_t s = 0; s < stripes; ++s, walk_.step()) {
      FlashPage page = layout_.flash_page(block_, number + s, run_.pages[read_], run_.pages[end - 1]);
      page.slc = pslc();
      const WorkList::Read read = work_.read(walk_.die(), page_bytes_ * pages, page);
      if (longer_ns_ > 0) lengthen(work_, read, longer_ns_);
      if (s == 0) last_read_ = read;
      reader_.disturb(block_, walk_.die());
    }
    read_ = end;
    ++stripe_;
  }

  const PageStore& store_;
  PageReader& reader_;
  WorkList& work_;
  const PageRun& run_;
  const Layout& layout_;
  SuperblockId block_;
  std::uint32_t longer_ns_;  // time of each read in addition to that of the array
  std::uint32_t page_bytes_;    // in one stripe
  const StripeReadCounts& counts_;
  StripesOfRun stripes_;
  StripeWalk walk_;
  WorkList::Read last_read_;    // first read of the stripe that was listed last
  std::uint32_t stripe_ = 0;    // next stripe to read
  std::uint32_t read_ = 0;      // pages before this one have been read
  std::uint32_t straight_ = 0;  // pages before this one were fed by feed_without_records()
};

// Like RunReads, if reads are not listed: counts all of them at the start.
class CountedReads {
 public:
  CountedReads(const Layout& layout, PageReader& reader, WorkList& work, SuperblockId block, const PageRun& run,
               const StripeReadCounts& counts) {
    if (counts.in_proportion() && !reader.has_error_model()) {
      const WorkList::ReadCount& one = counts.of_stripe(1);
      work.count_reads(stripes(layout, run), {run.count * one.pages, run.count * one.bytes});
      return;
    }
    const StripesOfRun stripes(layout, run);
    WorkList::ReadCount together{};
    for (std::uint32_t s = 0, first = 0; s < stripes.count(); first = stripes.end(s++)) {
      together.pages += counts.of_stripe(stripes.end(s) - first).pages;
      together.bytes += counts.of_stripe(stripes.end(s) - first).bytes;
      for (std::uint32_t i = 0; reader.has_error_model() && i < layout.stripes_per_page(); ++i)
        reader.disturb(block, layout.die_of(block, stripes.number(s) + i));
    }
    work.count_reads(stripes.count() * layout.stripes_per_page(), together);
  }
  void list(std::uint32_t) {}
  std::uint32_t prepare(std::uint32_t, std::uint32_t end, const Frontier&) { return end; }
  bool internal() const { return false; }
  void feed(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}

 private:
  // Without a branch that depends on which pages are valid.
  static std::uint32_t stripes(const Layout& layout, const PageRun& run) {
    std::uint32_t last = ~std::uint32_t{0}, pieces = 0;
    for (const std::uint32_t position : run.positions()) {
      const std::uint32_t stripe = layout.stripe_of(position);
      pieces += stripe != last;
      last = stripe;
    }
    return pieces * layout.stripes_per_page();
  }
};

}  // namespace ftlab
