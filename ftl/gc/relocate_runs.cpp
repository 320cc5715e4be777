// Relocation of many pages in one go, where nothing but their places and the times of whole stripes is to be known: what
// almost every collected page goes through. The result is that of move_stripe(), stripe by stripe.
#include <algorithm>
#include <bit>

#include "ftl/gc/relocate.h"

namespace ftlab {

// Where many pages may be moved in one go: what is done page by page otherwise needs no look at them here.
bool Relocation::moves_runs() const {
  return store_.moves_runs() && !config_.copyback && !config_.shuffle && other_ == nullptr &&
         store_.layout().pages_per_stripe() <= kLookahead / 2;
}

// Falls back to relocation stripe by stripe once the worst page of the victim may need a read retry.
bool Relocation::goes_on_in_runs() {
  if (reader_.all_readable(victim_, kLookahead)) [[likely]]
    return true;
  by_runs_ = false;
  scan_word_ = run_word_;
  scan_bits_ = store_.current().words(victim_)[scan_word_];
  return false;
}

// Whole stripes from position `from` on until they hold `most` pages. What is not current any more is passed over. What the
// loop needs is kept in registers: whatever it writes could be anything else for all that the compiler knows.
void Relocation::take_run(std::uint32_t from, std::uint32_t most, PageRun& run) const {
  const Layout& layout = store_.layout();
  const std::uint32_t words = (layout.pages_per_superblock() + 63) / 64, per_stripe = layout.pages_per_stripe();
  const std::uint64_t* const valid = store_.current().words(victim_);
  const Lpn* const lpns = store_.medium().pages().lpns(layout.first_page(victim_));
  most = std::min(most, kLookahead - per_stripe + 1);
  std::uint32_t count = 0, stripes = 0;
  std::uint32_t stripe = layout.stripe_of(from), stripe_end = layout.next_stripe(from) - per_stripe;
  std::uint64_t wanted = ~std::uint64_t{0} << from % 64;
  for (std::uint32_t word = from / 64; word < words; ++word, wanted = ~std::uint64_t{0}) {
    for (std::uint64_t bits = valid[word] & wanted; bits != 0; bits &= bits - 1) {
      const std::uint32_t position = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (position >= stripe_end) {
        if (count >= most) return run.end(count, stripes);
        run.ends[stripes] = count;
        stripes += count > 0;
        for (; position >= stripe_end; stripe_end += per_stripe) stripe += layout.stripes_per_page();
        run.stripe_numbers[stripes] = stripe - layout.stripes_per_page();
      }
      run.lpns[count] = lpns[position];
      run.pages[count++] = position;
    }
  }
  run.end(count, stripes);
}

void Relocation::count_reads(const PageRun& run) {
  const Layout& layout = store_.layout();
  for (std::uint32_t s = 0; reader_.can_err() && s <= run.stripes; ++s) {
    for (std::uint32_t i = 0; i < layout.stripes_per_page(); ++i)
      reader_.disturb(victim_, layout.die_of(victim_, run.stripe_numbers[s] + i));
  }
  WorkList::ReadCount together{};
  for (std::uint32_t s = 0, first = 0; s <= run.stripes; first = run.ends[s++]) {
    const WorkList::ReadCount& one = read_counts_[run.ends[s] - first];
    together.pages += one.pages;
    together.bytes += one.bytes;
  }
  work_.count_reads((run.stripes + 1) * store_.layout().stripes_per_page(), together);
}

// Lists the reads of a run's stripes, each when the first of its pages is due, and says into which programs they go.
class Relocation::RunReads {
 public:
  RunReads(Relocation& relocation, const PageRun& run)
      : relocation_(relocation),
        run_(run),
        layout_(relocation.store_.layout()),
        block_(relocation.victim_),
        pslc_(relocation.store_.medium().superblocks().pslc(block_)),
        walk_(layout_, block_, run.stripe_numbers[0]) {}

  // Those that hold the pages before `end`. REQUIRES: asked for in order.
  void list(std::uint32_t end) {
    while (read_ < end) read_stripe();
  }
  // Passes reads to the engine without records, as far as their stripes hold only pages before `end`. REQUIRES: these pages
  // are appended behind the frontier next, without a gap.
  void feed_straight(std::uint32_t end, const Frontier& frontier) {
    WorkList& work = relocation_.work_;
    if (layout_.stripes_per_page() > 1) return;
    std::uint32_t count = 0;
    for (std::uint32_t s = stripe_; s <= run_.stripes && run_.ends[s] <= end; ++s) ++count;
    if (count == 0) return;
    const std::uint32_t per_stripe = layout_.pages_per_stripe();
    const std::uint32_t at = frontier.staged_count();
    std::uint32_t target = work.next_program(frontier.number()) + at / per_stripe, taken = at % per_stripe;
    WorkRecord record;
    record.superblock = number(block_);
    record.frontier = frontier.number();
    record.flags = pslc_ ? WorkRecord::kSlc : 0;
    WorkList::ReadCount together{};
    const bool passed = work.read_run(record, count, [&](WorkRecord& one, bool with_planes) {
      const std::uint32_t until = run_.ends[stripe_], pages = until - read_;
      walk_.go_to(run_.stripe_numbers[stripe_]);
      together.pages += relocation_.read_counts_[pages].pages;
      together.bytes += relocation_.read_counts_[pages].bytes;
      taken += pages;
      one.die = static_cast<std::uint16_t>(number(walk_.die()));
      one.nand_page = walk_.nand_page();
      if (with_planes) {
        const FlashPage page =
            layout_.flash_page(block_, run_.stripe_numbers[stripe_], run_.pages[read_], run_.pages[until - 1]);
        one.first_plane = static_cast<std::uint8_t>(page.first_plane);
        one.planes = static_cast<std::uint8_t>(page.planes);
      }
      one.bytes = relocation_.stripe_bytes_ * pages;
      one.target = target;
      one.span = taken > per_stripe ? 2 : 1;
      target += taken >= per_stripe;
      taken -= taken >= per_stripe ? per_stripe : 0;
      relocation_.reader_.disturb(block_, walk_.die());
      read_ = until;
      ++stripe_;
    });
    if (!passed) return;
    work.count_reads(count, together);
    straight_ = read_;
  }
  // The pages from `first` to before `end` go into this program and those after it, a stripe into each. REQUIRES: called in
  // order.
  void feed(std::uint32_t first, std::uint32_t end, std::uint32_t frontier, std::uint32_t program) {
    FTLAB_DCHECK(first < end && end <= run_.count, "pages go into a program that the run does not have");
    if (end <= straight_) return;
    const std::uint32_t per_stripe = layout_.pages_per_stripe(), stripes = layout_.stripes_per_page();
    std::uint32_t taken = 0;  // of the program that the next page goes into, pages
    if (first < straight_) {
      program += (straight_ - first) / per_stripe * stripes;
      taken = (straight_ - first) % per_stripe;
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
  // The next one that has a page of the run.
  void read_stripe() {
    WorkList& work = relocation_.work_;
    const std::uint32_t end = run_.ends[stripe_], number = run_.stripe_numbers[stripe_], pages = end - read_;
    const std::uint32_t stripes = layout_.stripes_per_page();
    walk_.go_to(number);
    for (std::uint32_t s = 0; s < stripes; ++s, walk_.step()) {
      FlashPage page = layout_.flash_page(block_, number + s, run_.pages[read_], run_.pages[end - 1]);
      page.slc = pslc_;
      const WorkList::Read read = work.read(walk_.die(), relocation_.stripe_bytes_ * pages, page);
      if (s == 0) last_read_ = read;
      relocation_.reader_.disturb(block_, walk_.die());
    }
    read_ = end;
    ++stripe_;
  }

  Relocation& relocation_;
  const PageRun& run_;
  const Layout& layout_;
  SuperblockId block_;
  bool pslc_;
  StripeWalk walk_;
  WorkList::Read last_read_;    // the first of the stripe that was listed last
  std::uint32_t stripe_ = 0;    // the next one that is read
  std::uint32_t read_ = 0;      // pages
  std::uint32_t straight_ = 0;  // of them the pages before this one are fed
};

// Where nothing is listed: all is counted already.
struct Relocation::NoReads {
  void list(std::uint32_t) {}
  void feed_straight(std::uint32_t, const Frontier&) {}
  void feed(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}
};

// As move_stripe() of one stripe after the other, each read when the first of its pages is due.
std::uint32_t Relocation::move_run(std::uint32_t most) {
  FTLAB_DCHECK(victim_ != kNoBlock && by_runs_, "no victim is moved in runs");
  const std::uint32_t valid = store_.blocks().valid(victim_);
  const PageRun& run = runs_[next_run_];
  // The host may have overwritten some of its pages since.
  if (run_most_ != most || run_valid_ != valid) take_run(run_word_ * 64, most, runs_[next_run_]);
  if (run.count == 0) return 0;
  const std::uint32_t last = run.pages[run.count - 1];
  run_word_ = last / 64;
  next_run_ ^= 1;
  const PageRun& next = runs_[next_run_];
  take_run(store_.layout().next_stripe(last), most, runs_[next_run_]);
  run_most_ = most;
  run_valid_ = valid - run.count;
  if (work_.listed()) return move_run(run, next, RunReads(*this, run));
  count_reads(run);
  return move_run(run, next, NoReads{});
}

// Returns how many of its pages found room.
template <class Reads>
std::uint32_t Relocation::move_run(const PageRun& run, const PageRun& next, Reads&& reads) {
  for (std::uint32_t moved = 0; moved < run.count;) {
    const std::uint32_t wanted = class_of(run.pages[moved]);
    const std::uint32_t end = end_of_class(run.positions(), moved, wanted);
    while (moved < end) {
      // Before room is made for it, which may take work of the flash.
      if (!store_.frontier(wanted).has_room()) reads.list(moved + 1);
      const Frontier* const found = destination(wanted, 1);
      if (found == nullptr) [[unlikely]] {
        stuck_ = true;
        return moved;
      }
      const Frontier& frontier = *found;
      // Behind another frontier than their own no more than its stripe: when that is programmed, their own may get room.
      const bool own = &frontier == &store_.frontier(wanted);
      const std::uint32_t most = own ? end : std::min(end, moved + frontier.stripe_room());
      reads.feed_straight(std::min(most, moved + frontier.room()), frontier);
      const std::span<const Lpn> ahead = std::span(next.lpns).subspan(moved, next.count > moved ? next.count - moved : 0);
      const auto feed = [&reads, &frontier](std::uint32_t first, std::uint32_t last, std::uint32_t program) {
        reads.feed(first, last, frontier.number(), program);
      };
      const std::uint32_t done = store_.relocate_run(victim_, run, moved, most, frontier, ahead, feed);
      relocated_pages_[static_cast<std::size_t>(cause_)] += done;
      if (moves_ != nullptr) record(run.positions().subspan(moved, done));
      moved += done;
    }
  }
  return run.count;
}

}  // namespace ftlab
