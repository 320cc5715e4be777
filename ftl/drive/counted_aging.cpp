// Ages a drive without executing each write: counted_writes.h counts the valid pages of each superblock, the pages are drawn
// here and programmed into the medium, and a new layer recovers them as after a power cut.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "ftl/counting/counted_writes.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/policies/gc_policy.h"
#include "sim/core/column.h"
#include "sim/core/prefetch.h"

namespace ftlab {
namespace {

// Positions of the pages when counting began, and which of them are still valid.
class CountedPages {
 public:
  struct Page {
    Lpn lpn;
    Version version;
  };

  CountedPages(const PageStore& store, const CountedStore& counted, RandomStream& random)
      : random_(random), written_(store.pages().map().lpns()) {
    keep(store, counted, parts_of(counted));
    keep_unmapped(store.pages().map(), counted.unmapped_pages());
    shuffle();
  }

  // Pages of a stretch that have not been overwritten, in order.
  std::span<const Page> of(const Stretch& part) const {
    const auto found = std::ranges::lower_bound(kept_, std::pair(part.origin, part.first), {},
                                                [](const Kept& kept) { return std::pair(kept.origin, kept.first); });
    FTLAB_DCHECK(found != kept_.end() && found->origin == part.origin, "pages of an unknown stretch are asked for");
    return std::span(pages_).subspan(found->at, part.current);
  }
  // Next page that has been overwritten; each is returned once.
  Lpn next_written() { return written_[taken_++]; }
  bool all_taken() const { return taken_ == count_; }

 private:
  // Where the pages of a stretch stand in the list.
  struct Kept {
    std::uint32_t origin, first;
    std::size_t at;
  };

  void add(Lpn lpn) {
    FTLAB_DCHECK(count_ < written_.size(), "more pages are written than the drive has");
    written_[count_++] = lpn;
  }

  // Stretches with an origin, sorted by it. Makes room for their pages.
  std::vector<Stretch> parts_of(const CountedStore& counted) {
    std::vector<Stretch> parts;
    std::size_t kept = 0;
    for (std::uint32_t b = 0; b < counted.blocks().count(); ++b) {
      for (const Stretch& part : counted.stretches(SuperblockId{b})) {
        if (part.origin == Stretch::kWritten) continue;
        kept += part.current;
        parts.push_back(part);
      }
    }
    pages_.reserve(kept);
    std::ranges::sort(parts, {}, [](const Stretch& part) { return std::pair(part.origin, part.first); });
    return parts;
  }

  // Draws the valid pages of each stretch. Superblock by superblock, so that only pages that stay are listed with a version.
  void keep(const PageStore& store, const CountedStore& counted, const std::vector<Stretch>& parts) {
    std::vector<Page> pages;
    auto part = parts.begin();
    for (std::uint32_t b = 0; b < counted.blocks().count(); ++b) {
      list(store, SuperblockId{b}, pages);
      std::size_t next = 0;
      const auto write_until = [&](std::size_t end) {
        for (; next < end; ++next) add(pages[next].lpn);
      };
      for (; part != parts.end() && part->origin == b; ++part) {
        write_until(part->first);
        kept_.push_back({b, part->first, pages_.size()});
        for (std::size_t wanted = part->current; next < part->end; ++next) {
          const bool stays = random_.below(part->end - next) < wanted;
          stays ? pages_.push_back(pages[next]) : add(pages[next].lpn);
          wanted -= stays;
        }
      }
      write_until(pages.size());
    }
  }

  static void list(const PageStore& store, SuperblockId block, std::vector<Page>& pages) {
    pages.clear();
    const std::uint32_t first = number(store.medium().layout().first_page(block));
    const PageTable& table = store.pages();
    for (std::uint32_t w = 0; w < table.current().words_per_block(); ++w) {
      for (std::uint64_t word = table.current().words(block)[w]; word != 0; word &= word - 1) {
        const StagedPage page = table.at(Ppn{first + w * 64 + static_cast<std::uint32_t>(std::countr_zero(word))});
        pages.push_back({page.lpn, page.version});
      }
    }
  }

  void keep_unmapped(const PageMap& map, std::uint32_t still) {
    std::uint32_t left = map.lpns() - static_cast<std::uint32_t>(pages_.size() + count_);
    for (std::uint32_t l = 0; left > 0; ++l) {
      if (map.find(Lpn{l}) != kNoPpn) continue;
      if (random_.below(left--) < still)
        --still;
      else
        add(Lpn{l});
    }
  }

  // Places are drawn ahead of the swaps, and fetched meanwhile: most of a large list is in no cache.
  void shuffle() {
    constexpr std::size_t kAhead = 64;
    std::array<std::size_t, kAhead> drawn{};
    for (std::size_t left = count_; left > 1;) {
      const std::size_t count = std::min(kAhead, left - 1);
      for (std::size_t i = 0; i < count; ++i) drawn[i] = random_.below(left - i);
      for (std::size_t i = 0; i < count; ++i) prefetch_to_write(&written_[drawn[i]]);
      for (std::size_t i = 0; i < count; ++i) std::swap(written_[--left], written_[drawn[i]]);
    }
  }

  RandomStream& random_;
  std::vector<Page> pages_;  // that stay, by superblock and position
  std::vector<Kept> kept_;
  Column<Lpn> written_;  // a column for its huge pages
  std::size_t count_ = 0, taken_ = 0;
};

constexpr std::uint64_t kWritesPerReport = std::uint64_t{1} << 24;

void write_rounds(CountedWrites& counted, const CountedPlan& plan, std::uint64_t page_bytes) {
  const std::uint64_t write_bytes = plan.write_bytes == 0 ? page_bytes : plan.write_bytes;
  FTLAB_CHECK(plan.writes > 0 || !plan.another, "rounds of no writes have no write amplification");
  bool another = true;
  while (another) {
    const std::uint64_t media = counted.media_pages(), host = counted.host_pages();
    for (std::uint64_t left = plan.writes; left > 0;) {
      const std::uint64_t part = std::min(left, kWritesPerReport);
      counted.write(part);
      left -= part;
      if (plan.progress) plan.progress(counted.host_pages());
    }
    const auto media_bytes = static_cast<double>((counted.media_pages() - media) * page_bytes);
    another = plan.another && plan.another(media_bytes / static_cast<double>((counted.host_pages() - host) * write_bytes));
  }
  counted.complete_stripes();
}

// Programs superblocks of the medium with the counted pages. Stale slots hold no logical page.
class Printer {
 public:
  // `newest`: newest version so far.
  Printer(const PageStore& store, Medium& medium, const CountedStore& counted, CountedPages& pages, Version newest,
          RandomStream& random)
      : store_(store), medium_(medium), counted_(counted), pages_(pages), random_(random), newest_(number(newest)) {}

  void print(SuperblockId block) {
    lpns_.clear();
    versions_.clear();
    left_in_row_ = row_;
    const bool erased = counted_.erases()[number(block)] > medium_.superblocks().erases(block);
    for (const Stretch& part : counted_.stretches(block)) !erased&& part.origin == number(block) ? stay(part) : lay(part);
    if (erased) erase(block);
    FTLAB_DCHECK(lpns_.size() <= medium_.layout().pages_per_superblock(), "more pages are counted than a superblock has");
    if (lpns_.empty()) return;
    // Without versions a power-on scan would take stale copies for current ones.
    if (!medium_.pages().keeps_versions()) medium_.undo_programs(block, 0);
    const std::uint32_t programmed = medium_.superblocks().programmed(block);
    if (programmed == 0) medium_.open(block, counted_.frontier(block));
    if (programmed == lpns_.size()) return;
    medium_.program(block, programmed, std::span(lpns_).subspan(programmed), std::span(versions_).subspan(programmed));
    if (lpns_.size() == medium_.layout().pages_per_superblock()) medium_.close(block);
  }

 private:
  // The pages keep their slots.
  void stay(const Stretch& part) {
    for (std::uint32_t slot = 0; slot < part.slots; ++slot) append(kNoLpn, Version{0});
    const std::span<const CountedPages::Page> pages = pages_.of(part);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      constexpr std::size_t kAhead = 32;
      if (i + kAhead < pages.size()) store_.pages().map().prefetch(pages[i + kAhead].lpn);
      const CountedPages::Page& page = pages[i];
      const std::uint32_t position = medium_.layout().position(store_.pages().map().find(page.lpn));
      lpns_[position] = page.lpn;
      versions_[position] = page.version;
    }
  }

  // The pages keep their order but get random slots.
  void lay(const Stretch& part) {
    const bool written = part.origin == Stretch::kWritten;
    const std::span<const CountedPages::Page> kept = written ? std::span<const CountedPages::Page>() : pages_.of(part);
    std::uint32_t laid = 0;
    for (std::uint32_t slot = 0; slot < part.slots; ++slot) {
      const bool all = part.slots - slot == part.current - laid;
      const bool current = all || random_.below(part.slots - slot) < part.current - laid;
      if (!current)
        append(kNoLpn, Version{0});
      else if (written)
        append(pages_.next_written(), Version{++newest_});
      else
        append(kept[laid].lpn, kept[laid].version);
      laid += current;
    }
  }

  // Parity follows the last data slot of its row.
  void append(Lpn lpn, Version version) {
    lpns_.push_back(lpn);
    versions_.push_back(version);
    if (!medium_.layout().has_parity() || --left_in_row_ > 0) return;
    left_in_row_ = row_;
    lpns_.resize(lpns_.size() + medium_.layout().pages_per_stripe(), kNoLpn);
    versions_.resize(lpns_.size());
  }

  void erase(SuperblockId block) {
    if (medium_.superblocks().programmed(block) > 0) medium_.erase(block);
    medium_.set_initial_erases(block, counted_.erases()[number(block)]);
  }

  const PageStore& store_;
  Medium& medium_;
  const CountedStore& counted_;
  CountedPages& pages_;
  RandomStream& random_;
  std::uint32_t newest_;  // version
  std::uint32_t row_ = (medium_.layout().dies_per_superblock() - 1) * medium_.layout().pages_per_stripe();  // data slots
  std::uint32_t left_in_row_ = 0;
  std::vector<Lpn> lpns_;
  std::vector<Version> versions_;
};

// Closed superblocks in order of closing, then the others.
std::vector<SuperblockId> order_of_printing(const Blocks& blocks) {
  std::vector<SuperblockId> closed, others;
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    const BlockState state = blocks.state(SuperblockId{b});
    if (state == BlockState::collecting) closed.push_back(SuperblockId{b});
    if (state == BlockState::free || state == BlockState::open) others.push_back(SuperblockId{b});
  }
  for (SuperblockId b = blocks.closed().oldest(0); b != kNoBlock; b = blocks.closed().next_younger(b)) closed.push_back(b);
  std::stable_sort(closed.begin(), closed.end(), [&blocks](SuperblockId a, SuperblockId b) {
    return blocks.columns().closed_at[number(a)] < blocks.columns().closed_at[number(b)];
  });
  closed.insert(closed.end(), others.begin(), others.end());
  return closed;
}

// After a restart the layer's clock, the pages appended, also counts the parity so far.
Column<std::uint64_t> closing_times(const CountedStore& counted, const PageStore& before) {
  Column<std::uint64_t> times = counted.blocks().columns().closed_at;
  const std::uint64_t parity = counted.parity_pages() + before.counts().parity_pages;
  for (std::uint32_t b = 0; b < times.size(); ++b) times[b] += parity;
  return times;
}

}  // namespace

std::string counted_aging_problem(const Drive& drive) {
  const FtlConfig& ftl = drive.config().ftl;
  const BackEnd& flash = drive.flash();
  if (ftl.gc.own || !gc_policy_kinds()[ftl.gc.policy].by_counts)
    return "chooses victims by more than the numbers of their current pages and when they were closed";
  const std::pair<bool, const char*> unseen[] = {
      {ftl.mapping.scheme != MappingConfig::Scheme::page,
       "finds data by more than a map of pages in RAM (ftl.mapping.scheme)"},
      {ftl.placement.scheme != PlacementConfig::Scheme::none || ftl.placement.own,
       "keeps kinds of data apart (ftl.placement)"},
      {ftl.slc.superblocks > 0, "has a cache of one bit a cell (ftl.slc_cache)"},
      {ftl.pslc_mode.on(), "writes one bit a cell at first (ftl.pslc_mode)"},
      {ftl.compression.on(), "compresses (ftl.compression)"},
      {flash.deduplication.has_value(), "deduplicates (ftl.deduplication)"},
      {ftl.buffer.coalesce, "keeps whole pages in RAM to be overwritten there (ftl.write_buffer.coalesce)"},
      {ftl.wear.static_spread > 0, "moves data at rest to level wear (ftl.wear.static_spread_erases)"},
      {flash.health.has_value(), "has flash that wears out (endurance)"},
      {flash.errors.has_value(), "has flash that errs (cells)"},
  };
  for (const auto& [is_so, what] : unseen) {
    if (is_so) return what + std::string(", which counting does not see");
  }
  if (number(drive.ftl().pages().newest_version()) + drive.config().logical_pages() > ftl.most_versions)
    return "has been written so often that its versions must be renumbered, which counting does not do";
  return {};
}

void Lifecycle::age_by_counting(const CountedPlan& plan, std::uint64_t seed) {
  FTLAB_CHECK(counted_aging_problem(drive_).empty(), "the drive " + counted_aging_problem(drive_));
  FTLAB_CHECK(drive_.commands_.at_rest(), "aged with requests outstanding");
  const std::uint64_t page = parts_.config.ftl.mapping_bytes, written = plan.write_bytes == 0 ? page : plan.write_bytes;
  FTLAB_CHECK(written <= page && page % written == 0, "counted writes that are no part of a mapping page");
  drive_.idle_from();
  parts_.set_date();
  parts_.layer->begin_idle_time();  // executes waiting trims
  save_ram();
  drive_.idle_time_.set_since(parts_.agenda.now());
  Counters& past = drive_.past_;
  past = count_layer(parts_, past);

  CountedWrites counted(parts_.config.ftl, parts_.layer->store(), seed);
  write_rounds(counted, plan, page);
  print(counted, seed);
  parts_.host.host_write_bytes += counted.host_pages() * written;
  parts_.host.host_write_commands += counted.host_pages();
  past.media_host_bytes += counted.host_pages() * written;
  past.media_fill_bytes += counted.host_pages() * (page - written);
  past.read_modify_writes += written < page ? counted.host_pages() : 0;
  past.media_relocation_bytes += counted.relocated_pages() * page;
  past.media_padding_bytes += counted.store().pages_padded() * page;
  past.media_parity_bytes += counted.store().parity_pages() * page;
  past.relocated_pages += counted.relocated_pages();
  past.collected_superblocks += counted.collected();
  const Column<std::uint64_t> closed_at = closing_times(counted.store(), parts_.layer->store());
  drive_.restart_layer();
  parts_.layer->set_closing_times(closed_at.view());
}

void Lifecycle::print(const CountedWrites& counted, std::uint64_t seed) {
  const PageStore& store = parts_.layer->store();
  Medium& medium = parts_.back.medium;
  std::uint64_t programmed =
      medium.pages().programmed() + counted.media_pages();
  for (const Stage& stage : store.stages()) programmed += stage.slots_in_ram();
  RandomStream random(seed, "counted aging");
  CountedPages contents(store, counted.store(), random);
  Printer printer(store, medium, counted.store(), contents, parts_.layer->pages().newest_version(), random);
  for (const SuperblockId block : order_of_printing(counted.store().blocks())) printer.print(block);
  FTLAB_CHECK(contents.all_taken(), "pages were written that lie in no superblock");
  medium.set_initial_programs(programmed);
}

}  // namespace ftlab
