#include "ftl/gc/page_mover.h"

#include <algorithm>

#include "ftl/write/move_pages.h"

namespace ftlab {
namespace {

// One read per stripe for all of its pages; with copyback, one read for each frontier that they go to.
class StripeReads {
 public:
  StripeReads(PageStore& store, PageReader& reader, WorkList& work, SuperblockId block, const PageRun& run, bool copyback,
              std::uint32_t longer_ns)
      : store_(store), reader_(reader), work_(work), block_(block), run_(run), copyback_(copyback), longer_ns_(longer_ns) {
    if (!copyback) take(reader.read_to_move(block, run.positions()));
  }

  void list(std::uint32_t) {}
  // Copyback if the die that holds the pages is also the one that programs them: the data do not cross the channel.
  std::uint32_t prepare(std::uint32_t first, std::uint32_t end, const Frontier& frontier) {
    if (!copyback_) return end;
    const Layout& layout = store_.medium().layout();
    const std::uint32_t pages = std::min({end - first, store_.stages()[frontier.number()].room(), frontier.room()});
    FTLAB_DCHECK(pages > 0, "pages are moved to a frontier that has no room");
    const std::span<const std::uint32_t> positions = run_.positions().subspan(first, pages);
    const Die die = layout.die_of(block_, layout.stripe_of(positions.front()));
    internal_ = die == layout.die_of(frontier.block(), layout.stripe_of(frontier.next()));
    take(internal_ ? reader_.read_into_register(block_, positions) : reader_.read_to_move(block_, positions));
    return first + pages;
  }
  bool internal() const { return internal_; }
  void feed(std::uint32_t, std::uint32_t, std::uint32_t frontier, std::uint32_t program) {
    const std::uint32_t span = store_.medium().layout().stripes_per_page();
    for (std::uint32_t i = 0; i < data_.reads; ++i) (data_.first + i).feed(frontier, program, span);
    work_.wait(frontier, program, span, data_.signal);
  }

 private:
  void take(const ReadData& data) {
    data_ = data;
    if (longer_ns_ == 0) return;
    for (std::uint32_t i = 0; i < data_.reads; ++i) lengthen(work_, data_.first + i, longer_ns_);
  }

  PageStore& store_;
  PageReader& reader_;
  WorkList& work_;
  SuperblockId block_;
  const PageRun& run_;
  bool copyback_, internal_ = false;
  std::uint32_t longer_ns_;  // time of each read in addition to that of the array
  ReadData data_;
};

}  // namespace

void lengthen(WorkList& work, const WorkList::Read& read, std::uint32_t ns) { work.repeat(read, 0, 0, Nanoseconds{ns}); }

PageMover::PageMover(const FtlConfig& config, PageStore& store, PageReader& reader, WorkList& work, Victim& victim,
                     Destinations& destinations)
    : config_(config.gc),
      fold_ns_(static_cast<std::uint32_t>(config.pslc_mode.fold.count())),
      store_(store),
      reader_(reader),
      work_(work),
      victim_(victim),
      destinations_(destinations),
      packed_reads_(store, reader, work, victim, !config.gc.shuffle),
      read_counts_(store.medium().layout(), work) {}

// Whole runs are moved only if no per-page decision is needed.
bool PageMover::moves_in_runs() const {
  const bool two_stripes_fit = store_.medium().layout().pages_per_stripe() <= PageRun::kMostPages / 2;
  return moves_runs(store_) && !config_.copyback && !config_.shuffle && two_stripes_fit;
}

void PageMover::begin() {
  packed_reads_.begin();
  by_runs_ = moves_in_runs();
  runs_.forget();
}

std::uint32_t PageMover::move(std::uint32_t most) {
  FTLAB_DCHECK(victim_.exists() && most > 0, "pages of no victim are moved, or none");
  // Falls back to single stripes as soon as the worst page of the victim may need a read retry, or the erase of another
  // superblock may fail.
  if (by_runs_ && (!reader_.all_readable(victim_.block(), PageRun::kMostPages) || store_.erases().one_may_fail()))
    by_runs_ = false;
  return by_runs_ ? move_run(most) : move_stripe();
}

std::uint32_t PageMover::move_run(std::uint32_t most) {
  const SuperblockId block = victim_.block();
  const Layout& layout = store_.medium().layout();
  most = std::min(most, PageRun::kMostPages - layout.pages_per_stripe() + 1);
  const PageRun& run = runs_.take(victim_, store_.blocks().valid(block), most, layout);
  if (run.count == 0) return 0;
  if (work_.listed())
    return move_pages(run, RunReads(store_, reader_, work_, block, run, read_counts_, longer_ns()));
  return move_pages(run, CountedReads(layout, reader_, work_, block, run, read_counts_));
}

std::uint32_t PageMover::move_stripe() {
  victim_.take_stripe(stripe_);
  if (stripe_.count == 0) return 0;
  if (store_.pages().largest_page() > 1) return move_packed(stripe_);
  const bool copyback = config_.copyback && store_.medium().layout().stripes_per_page() == 1;
  return move_pages(stripe_, StripeReads(store_, reader_, work_, victim_.block(), stripe_, copyback, longer_ns()));
}

std::uint32_t PageMover::longer_ns() const {
  return store_.medium().superblocks().pslc(victim_.block()) ? fold_ns_ : 0;
}

// Returns the number of pages that found room.
template <class Reads>
std::uint32_t PageMover::move_pages(const PageRun& run, Reads&& reads) {
  const SuperblockId block = victim_.block();
  for (std::uint32_t moved = 0; moved < run.count;) {
    const std::uint32_t wanted = destinations_.class_of(block, run.pages[moved]);
    FTLAB_DCHECK(wanted < store_.frontiers().size(), "pages are moved to frontier " + std::to_string(wanted));
    const Frontier& own = store_.frontiers()[wanted];
    const std::uint32_t end = destinations_.end_of_class(block, run.positions(), moved, wanted);
    while (moved < end) {
      // Listed before room is made, since making room may list other flash operations.
      if (!own.has_room() || destinations_.folds()) reads.list(moved + 1);
      const Frontier* const frontier = destinations_.find(wanted, 1);
      if (frontier == nullptr) [[unlikely]] {
        stuck_ = true;
        return moved;
      }
      // At another frontier than its own, at most the rest of the open stripe: programming it may free room at its own.
      std::uint32_t most = end;
      if (frontier != &own) most = std::min(end, moved + store_.stages()[frontier->number()].room());
      // The other pool may need the remaining room for its own victim.
      if (destinations_.folds()) most = std::min(most, moved + destinations_.pages_to_fold(*frontier));
      most = reads.prepare(moved, most, *frontier);
      const auto feed = [&reads, frontier](std::uint32_t first, std::uint32_t last, std::uint32_t program) {
        reads.feed(first, last, frontier->number(), program);
      };
      const std::uint32_t done = store_.move(block, run, moved, most, *frontier, reads.internal(), feed);
      FTLAB_DCHECK(done > 0 && done <= most - moved, "a frontier with room took no page, or more than there were");
      if (reads.internal()) counts_.copyback_pages += done;
      count_moved(run, moved, done, done);
      moved += done;
    }
  }
  return run.count;
}

// Moves page by page; each page takes its own number of slots.
std::uint32_t PageMover::move_packed(const PageRun& run) {
  const std::uint32_t first = number(store_.medium().layout().first_page(victim_.block()));
  for (std::uint32_t moved = 0; moved < run.count; ++moved) {
    const Ppn ppn{first + run.pages[moved]};
    const StagedPage page = store_.pages().at(ppn);
    const std::uint32_t wanted = destinations_.class_of(victim_.block(), run.pages[moved]);
    const Frontier* const frontier = destinations_.find(wanted, page.slots);
    if (frontier == nullptr) {
      stuck_ = true;
      return moved;
    }
    FTLAB_CHECK(store_.pages().map().find(page.lpn) == ppn, "a relocated page is not the current one");
    const Signal data = packed_reads_.read(run.pages[moved]);
    store_.append(*frontier, page.lpn, page.version, page.slots, false, data, store_.pages().lost(ppn));
    count_moved(run, moved, 1, page.slots);
  }
  return run.count;
}

void PageMover::count_moved(const PageRun& run, std::uint32_t first, std::uint32_t pages, std::uint32_t slots) {
  FTLAB_DCHECK(slots >= pages, "a page is moved that takes no slot");
  counts_.pages[static_cast<std::size_t>(victim_.cause())] += pages;
  counts_.slots[static_cast<std::size_t>(victim_.cause())] += slots;
  if (log_ != nullptr) log_->insert(log_->end(), &run.lpns[first], &run.lpns[first] + pages);
}

}  // namespace ftlab
