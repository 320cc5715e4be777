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

// Whole stripes from position `from` on until they hold `most` pages. What is not current any more is passed over.
void Relocation::take_run(std::uint32_t from, std::uint32_t most, PageRun& run) const {
  const Layout& layout = store_.layout();
  const std::uint32_t words = (layout.pages_per_superblock() + 63) / 64;
  const std::uint32_t first = number(layout.first_page(victim_));
  most = std::min(most, kLookahead - layout.pages_per_stripe() + 1);
  std::uint32_t count = 0, stripes = 0, stripe_end = 0;  // in registers, unlike those of the run
  std::uint64_t wanted = ~std::uint64_t{0} << from % 64;
  for (std::uint32_t word = from / 64; word < words; ++word, wanted = ~std::uint64_t{0}) {
    for (std::uint64_t bits = store_.blocks().valid_word(victim_, word) & wanted; bits != 0; bits &= bits - 1) {
      const std::uint32_t position = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (position >= stripe_end) {
        if (count >= most) return run.end(count, stripes);
        run.ends[stripes] = count;
        stripes += count > 0;
        stripe_end = layout.next_stripe(position);
      }
      run.lpns[count] = store_.medium().lpn(Ppn{first + position});
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

// As read_stripe(), where reads of as many pages are all alike.
inline Nanoseconds Relocation::read_alike(std::span<const std::uint32_t> positions, Nanoseconds now) {
  const Layout& layout = store_.layout();
  const Die die = layout.die_of(victim_, layout.stripe_of(positions.front()));
  return std::max(now, store_.backend().read_alike(now, die, read_counts_[positions.size()]));
}

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
  if (store_.backend().timed()) {
    const bool alike = store_.backend().reads_alike() && store_.layout().stripes_per_page() == 1;
    Nanoseconds ready{0};
    std::uint32_t to_read = 0, at = 0;  // stripe that is not read yet, and its first page
    move_run(run, next, now, [&](std::uint32_t page) {
      if (page != at) return ready;
      const std::span<const std::uint32_t> stripe = std::span(run.pages).subspan(at, run.ends[to_read] - at);
      ready = alike ? read_alike(stripe, now) : read_stripe(stripe, now);
      at = run.ends[to_read++];
      return ready;
    });
  } else {
    count_reads(run);
    move_run(run, next, now, [](std::uint32_t) { return Nanoseconds{0}; });
  }
  return run.count;
}

template <class ReadyOf>
void Relocation::move_run(const PageRun& run, const PageRun& next, Nanoseconds now, ReadyOf&& ready_of) {
  for (std::uint32_t moved = 0; moved < run.count;) {
    const std::uint32_t wanted = class_of(run.pages[moved]);
    const std::uint32_t end = end_of_class(run.positions(), moved, wanted);
    while (moved < end) {
      ready_of(moved);  // read before room is made for it, which may take time of the flash
      Frontier& frontier = *destination(wanted, 1, now);
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
}

}  // namespace ftlab
