// Relocation of many pages in one go, where nothing but their places and the times of whole stripes is to be known: what
// almost every collected page goes through. The result is that of move_stripe(), stripe by stripe.
#include <algorithm>
#include <bit>

#include "ftl/relocate.h"

namespace ftlab {

// Where many pages may be moved in one go: what is done page by page otherwise needs no look at them here.
bool Relocation::moves_runs() const {
  return store_.moves_runs() && !config_.copyback && !config_.shuffle && other_ == nullptr &&
         store_.layout().pages_per_stripe() <= kLookahead / 2;
}

// Whole stripes from position `from` on until they hold `most` pages. What is not current any more is passed over. What the
// loop needs is kept in registers: whatever it writes could be anything else for all that the compiler knows.
void Relocation::take_run(std::uint32_t from, std::uint32_t most, PageRun& run) const {
  const Layout& layout = store_.layout();
  const std::uint32_t words = (layout.pages_per_superblock() + 63) / 64, per_stripe = layout.pages_per_stripe();
  const std::uint64_t* const valid = store_.blocks().valid_words(victim_);
  const Lpn* const lpns = store_.medium().lpns(victim_);
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
  Backend::ReadCount together{};
  for (std::uint32_t s = 0, first = 0; s <= run.stripes; first = run.ends[s++]) {
    const Backend::ReadCount& one = read_counts_[run.ends[s] - first];
    together.pages += one.pages;
    together.bytes += one.bytes;
  }
  store_.backend().count_reads_at_once((run.stripes + 1) * store_.layout().stripes_per_page(), together);
}

// Reads the stripes of a run, each when the first of its pages is due.
class Relocation::RunReads {
 public:
  RunReads(Relocation& relocation, const PageRun& run, Nanoseconds now)
      : relocation_(relocation),
        run_(run),
        now_(now),
        backend_(relocation.store_.backend()),
        alike_(backend_.reads_alike() && relocation.store_.layout().stripes_per_page() == 1),
        walk_(relocation.store_.layout(), relocation.victim_, run.stripe_numbers[0]) {}

  // When the pages from `first` to `end` are in the controller. REQUIRES: they follow those that were asked for before.
  Nanoseconds operator()(std::uint32_t first, std::uint32_t end) {
    Nanoseconds all = first < read_ ? latest_ : Nanoseconds{0};
    while (read_ < end) {
      const std::uint32_t next = run_.ends[stripe_];
      latest_ =
          alike_ ? read_alike(next - read_) : relocation_.read_stripe(run_.positions().subspan(read_, next - read_), now_);
      all = std::max(all, latest_);
      read_ = next;
      ++stripe_;
    }
    return all;
  }

 private:
  Nanoseconds read_alike(std::uint32_t pages) {
    walk_.go_to(run_.stripe_numbers[stripe_]);
    return std::max(now_, backend_.read_alike(now_, walk_.die(), relocation_.read_counts_[pages]));
  }

  Relocation& relocation_;
  const PageRun& run_;
  const Nanoseconds now_;
  Backend& backend_;
  const bool alike_;
  StripeWalk walk_;
  std::uint32_t stripe_ = 0;  // the next one that is read
  std::uint32_t read_ = 0;    // pages
  Nanoseconds latest_{0};
};

// As move_stripe() of one stripe after the other, each read when the first of its pages is due.
std::uint32_t Relocation::move_run(Nanoseconds now, std::uint32_t most) {
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
  if (store_.backend().timed()) return move_run(run, next, now, RunReads(*this, run, now));
  count_reads(run);
  return move_run(run, next, now, [](std::uint32_t, std::uint32_t) { return Nanoseconds{0}; });
}

// Returns how many of its pages found room.
template <class ReadyOf>
std::uint32_t Relocation::move_run(const PageRun& run, const PageRun& next, Nanoseconds now, ReadyOf&& ready_of) {
  for (std::uint32_t moved = 0; moved < run.count;) {
    const std::uint32_t wanted = class_of(run.pages[moved]);
    const std::uint32_t end = end_of_class(run.positions(), moved, wanted);
    while (moved < end) {
      ready_of(moved, moved + 1);  // read before room is made for it, which may take time of the flash
      Frontier* const found = destination(wanted, 1, now);
      if (found == nullptr) [[unlikely]] {
        stuck_ = true;
        return moved;
      }
      Frontier& frontier = *found;
      // Behind another frontier than their own no more than its stripe: when that is programmed, their own may get room.
      const bool own = &frontier == &store_.frontier(wanted);
      const std::uint32_t most = own ? end : std::min(end, moved + frontier.stripe_room());
      const std::span<const Lpn> ahead = std::span(next.lpns).subspan(moved, next.count > moved ? next.count - moved : 0);
      const std::uint32_t done = store_.relocate_run(victim_, run, moved, most, frontier, ahead, ready_of);
      relocated_pages_[static_cast<std::size_t>(cause_)] += done;
      if (moves_ != nullptr) record(run.positions().subspan(moved, done));
      moved += done;
    }
  }
  return run.count;
}

}  // namespace ftlab
