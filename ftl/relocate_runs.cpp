// Relocation of many pages in one go, where nothing but their places and the times of whole stripes is to be known: what
// almost every collected page goes through. The result is that of move_stripe(), stripe by stripe.
#include <algorithm>
#include <bit>
#include <utility>

#include "ftl/relocate.h"

namespace ftlab {

// Pages of several stripes of the victim, and where each stripe's pages end among them.
struct Relocation::Run {
  std::array<std::uint32_t, kLookahead> pages;
  std::array<std::uint32_t, kLookahead> ends;
  std::uint32_t count = 0;
  std::uint32_t stripes = 0;  // but the last one

  void end(std::uint32_t with_count, std::uint32_t with_stripes) {
    count = ends[with_stripes] = with_count;
    stripes = with_stripes;
  }

  std::span<const std::uint32_t> stripe(std::uint32_t s) const {
    const std::uint32_t first = s == 0 ? 0 : ends[s - 1];
    return std::span(pages).subspan(first, ends[s] - first);
  }
};

// Where many pages may be moved in one go: what is done page by page otherwise needs no look at them here.
bool Relocation::moves_runs() const {
  return store_.moves_runs() && !config_.copyback && !config_.shuffle && other_ == nullptr &&
         store_.layout().pages_per_stripe() <= kLookahead / 2;
}

// Asks for the map entries of as many of the next current pages as were moved since.
void Relocation::ask_for_entries() {
  std::uint32_t pages = std::exchange(to_ask_, 0);
  const Blocks& blocks = store_.blocks();
  const std::uint32_t words = (store_.layout().pages_per_superblock() + 63) / 64;
  const std::uint32_t first = number(store_.layout().first_page(victim_));
  std::uint64_t bits = scan_bits_;
  while (pages > 0) {
    for (; bits != 0 && pages > 0; bits &= bits - 1, --pages) {
      const std::uint32_t position = scan_word_ * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      store_.map().prefetch(store_.medium().lpn(Ppn{first + position}));
    }
    if (pages == 0 || scan_word_ + 1 >= words) break;
    bits = blocks.valid_word(victim_, ++scan_word_);
  }
  scan_bits_ = bits;
}

// Whole stripes, until they hold `most` pages. What is not current any more is passed over.
Relocation::Run Relocation::take_run(std::uint32_t most) const {
  const Layout& layout = store_.layout();
  const std::uint32_t words = (layout.pages_per_superblock() + 63) / 64;
  most = std::min(most, kLookahead - layout.pages_per_stripe() + 1);
  Run run;
  std::uint32_t count = 0, stripes = 0, stripe_end = 0;  // in registers, unlike those of the run
  for (std::uint32_t word = run_word_; word < words; ++word) {
    for (std::uint64_t bits = store_.blocks().valid_word(victim_, word); bits != 0; bits &= bits - 1) {
      const std::uint32_t position = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (position >= stripe_end) {
        if (count >= most) {
          run.end(count, stripes);
          return run;
        }
        run.ends[stripes] = count;
        stripes += count > 0;
        stripe_end = layout.next_stripe(position);
      }
      run.pages[count++] = position;
    }
  }
  run.end(count, stripes);
  return run;
}

void Relocation::count_reads(const Run& run) {
  Backend::ReadCount together{0, 0};
  for (std::uint32_t s = 0, first = 0; s <= run.stripes; first = run.ends[s++]) {
    const Backend::ReadCount& one = read_counts_[run.ends[s] - first];
    together.pages += one.pages;
    together.bytes += one.bytes;
  }
  store_.backend().count_reads_at_once((run.stripes + 1) * store_.layout().stripes_per_page(), together);
}

// As move_stripe() of one stripe after the other, each read when the first of its pages is due.
std::uint32_t Relocation::move_run(Nanoseconds now, std::uint32_t most) {
  ask_ahead();
  const Run run = take_run(most);
  if (run.count == 0) return 0;
  run_word_ = run.pages[run.count - 1] / 64;
  if (store_.backend().timed()) {
    Nanoseconds ready{0};
    std::uint32_t next = 0;  // stripe that is not read yet
    move_run(run, now, [&](std::uint32_t page) {
      if (page == (next == 0 ? 0 : run.ends[next - 1])) ready = read_stripe(run.stripe(next++), now);
      return ready;
    });
  } else {
    count_reads(run);
    move_run(run, now, [](std::uint32_t) { return Nanoseconds{0}; });
  }
  to_ask_ += run.count;
  return run.count;
}

template <class ReadyOf>
void Relocation::move_run(const Run& run, Nanoseconds now, ReadyOf&& ready_of) {
  const std::span<const std::uint32_t> pages = std::span(run.pages).first(run.count);
  for (std::uint32_t moved = 0; moved < run.count;) {
    const std::uint32_t wanted = class_of(pages[moved]);
    const std::uint32_t end = end_of_class(pages, moved, wanted);
    while (moved < end) {
      ready_of(moved);  // read before room is made for it, which may take time of the flash
      Frontier& frontier = *destination(wanted, 1, now);
      // Behind another frontier than their own no more than its stripe: when that is programmed, their own may get room.
      const bool own = &frontier == &store_.frontier(wanted);
      const std::uint32_t most = own ? end - moved : std::min(end - moved, frontier.stripe_room());
      const std::span<const std::uint32_t> rest = pages.subspan(moved, most);
      const std::uint32_t done = store_.relocate_run(victim_, rest, frontier, [&](std::uint32_t i) { return ready_of(moved + i); });
      relocated_pages_[static_cast<std::size_t>(cause_)] += done;
      if (moves_ != nullptr) record(rest.first(done));
      moved += done;
    }
  }
}

}  // namespace ftlab
