// Ages a drive without executing each write: counted_writes.h counts the valid pages of each superblock, the pages are drawn
// here and programmed into the medium, and a new layer recovers them as after a power cut.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "ftl/counting/counted_writes.h"
#include "ftl/counting/random_order.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/policies/gc_policy.h"
#include "sim/core/column.h"

namespace ftlab {
namespace {

// Positions of the pages when counting began, and which of them are still valid.
class CountedPages {
 public:
  struct Page {
    Lpn lpn;
    Version version;
  };

  CountedPages(const PageStore& store, const CountedStore& counted, std::uint32_t host_lpns, RandomStream& random)
      : random_(random), order_(host_lpns, random), stays_((host_lpns + 63) / 64) {
    keep(store, parts_of(counted));
    keep_unmapped(store.pages().map(), counted.unmapped_pages());
  }

  // Pages of a stretch that have not been overwritten, in order.
  std::span<const Page> of(const Stretch& part) const {
    const auto found = std::ranges::lower_bound(kept_, std::pair(part.origin, part.first), {},
                                                [](const Kept& kept) { return std::pair(kept.origin, kept.first); });
    FTLAB_DCHECK(found != kept_.end() && found->origin == part.origin, "pages of an unknown stretch are asked for");
    return std::span(pages_).subspan(found->at, part.current);
  }
  // Next page that has been overwritten, in random order; each is returned once. REQUIRES: !all_taken().
  Lpn next_written() {
    if (next_ == written_.size()) find_written();
    ++taken_;
    return written_[next_++];
  }
  bool all_taken() const { return taken_ == order_.count() - staying_; }

 private:
  // Where the pages of a stretch stand in the list.
  struct Kept {
    std::uint32_t origin, first;
    std::size_t at;
  };

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

  // Draws the valid pages of each stretch.
  void keep(const PageStore& store, const std::vector<Stretch>& parts) {
    std::vector<Page> pages;
    std::uint32_t listed = number(kNoBlock);
    for (const Stretch& part : parts) {
      kept_.push_back({part.origin, part.first, pages_.size()});
      if (part.current == 0) continue;
      if (std::exchange(listed, part.origin) != part.origin) list(store, SuperblockId{part.origin}, pages);
      std::uint32_t wanted = part.current;
      for (std::size_t next = part.first; next < part.end; ++next) {
        if (random_.below(part.end - next) >= wanted) continue;
        --wanted;
        stay(pages[next].lpn);
        pages_.push_back(pages[next]);
      }
    }
  }

  static void list(const PageStore& store, SuperblockId block, std::vector<Page>& pages) {
    pages.clear();
    const std::uint32_t first = number(store.medium().layout().first_page(block));
    store.pages().current().each(block, [&](std::uint32_t position) {
      const StagedPage page = store.pages().at(Ppn{first + position});
      pages.push_back({page.lpn, page.version});
    });
  }

  void keep_unmapped(const PageMap& map, std::uint32_t still) {
    if (still == 0) return;
    std::uint32_t left = 0;
    for (std::uint32_t l = 0; l < order_.count(); ++l) left += map.find(Lpn{l}) == kNoPpn;
    for (std::uint32_t l = 0; still > 0; ++l) {
      if (map.find(Lpn{l}) != kNoPpn || random_.below(left--) >= still) continue;
      --still;
      stay(Lpn{l});
    }
  }

  void stay(Lpn lpn) {
    stays_[number(lpn) / 64] |= std::uint64_t{1} << number(lpn) % 64;
    ++staying_;
  }

  // Many at a time, so that the CPU fetches their bits together.
  void find_written() {
    constexpr std::size_t kMany = 64;
    std::array<std::uint32_t, kMany> drawn;
    written_.clear();
    next_ = 0;
    while (written_.empty()) {
      FTLAB_CHECK(!order_.ended(), "more pages are written than the drive has");
      std::size_t count = 0;
      while (count < kMany && !order_.ended()) {
        drawn[count] = order_.next();
        if (drawn[count] >= order_.count()) continue;
        __builtin_prefetch(&stays_[drawn[count++] / 64]);
      }
      for (std::size_t i = 0; i < count; ++i)
        if ((stays_[drawn[i] / 64] >> drawn[i] % 64 & 1) == 0) written_.push_back(Lpn{drawn[i]});
    }
  }

  RandomStream& random_;
  RandomOrder order_;
  Column<std::uint64_t> stays_;  // a bit for each logical page: it is not written
  std::uint32_t staying_ = 0, taken_ = 0;
  std::vector<Page> pages_;  // that stay, by superblock and position
  std::vector<Kept> kept_;
  std::vector<Lpn> written_;  // found last
  std::size_t next_ = 0;
};

// A map on demand and a pSLC cache may stand aside if there are this many: they take a small part of the drive then.
constexpr std::uint32_t kManySuperblocks = 512;

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
  // `newest`: newest version so far. `host_lpns`: pages from here on are translation pages.
  Printer(const PageStore& store, BackEnd& flash, const CountedStore& counted, CountedPages& pages, Version newest,
          std::uint32_t host_lpns, RandomStream& random)
      : store_(store),
        flash_(flash),
        medium_(flash.medium),
        counted_(counted),
        pages_(pages),
        random_(random),
        host_lpns_(host_lpns),
        newest_(number(newest)) {}

  void print(SuperblockId block) {
    lpns_.clear();
    versions_.clear();
    left_in_row_ = row_;
    const bool erased = counted_.erases()[number(block)] > medium_.superblocks().erases(block);
    for (const Stretch& part : counted_.stretches(block)) !erased&& part.origin == number(block) ? stay(part) : lay(part);
    if (erased) erase(block);
    FTLAB_DCHECK(lpns_.size() <= medium_.layout().pages_per_superblock(), "more pages are counted than a superblock has");
    if (lpns_.empty()) return;
    const std::uint32_t before = medium_.superblocks().programmed(block);
    // Without versions a power-on scan would take stale copies for current ones.
    if (!medium_.pages().keeps_versions()) medium_.undo_programs(block, 0);
    const std::uint32_t programmed = medium_.superblocks().programmed(block);
    if (programmed == 0) medium_.open(block, counted_.frontier(block));
    if (programmed == lpns_.size()) return;
    medium_.program(block, programmed, std::span(lpns_).subspan(programmed), std::span(versions_).subspan(programmed));
    if (flash_.errors) date(block, before, false);
    if (lpns_.size() == medium_.layout().pages_per_superblock()) medium_.close(block);
  }

  // For a superblock that stands aside: pages of the host in a pSLC cache are now others, drawn from all that were written.
  void print_aside(SuperblockId block) {
    const SuperblockRecords::Record was = medium_.superblocks().record(block);
    const std::uint32_t first = number(medium_.layout().first_page(block));
    const std::uint32_t programmed = medium_.superblocks().programmed(block);
    lpns_.assign(programmed, kNoLpn);
    versions_.assign(programmed, Version{0});
    store_.pages().current().each(block, [&](std::uint32_t position) {
      if (position >= programmed) return;  // a translation page in RAM, which is lost as in a power cut
      const StagedPage page = store_.pages().at(Ppn{first + position});
      const bool of_map = number(page.lpn) >= host_lpns_;
      lpns_[position] = of_map ? page.lpn : pages_.next_written();
      versions_[position] = of_map ? page.version : Version{++newest_};
    });
    medium_.undo_programs(block, 0);
    medium_.open(block, was.frontier, was.pslc != 0);
    if (programmed > 0) medium_.program(block, 0, lpns_, versions_);
    if (flash_.errors) date(block, 0, was.pslc != 0);
    if (was.closed != SuperblockRecords::kOpen) medium_.close(block);
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

  // The pages from `first` on are new.
  void date(SuperblockId block, std::uint32_t first, bool pslc) {
    const Layout& layout = medium_.layout();
    const auto end = static_cast<std::uint32_t>(lpns_.size());
    for (std::uint32_t page = first; page < end; page += layout.pages_per_stripe())
      for (std::uint32_t part = 0; part < layout.stripes_per_page(); ++part)
        flash_.errors->program(block, layout.stripe_of(page) + part, pslc);
  }

  void erase(SuperblockId block) {
    const std::uint32_t times = counted_.erases()[number(block)] - medium_.superblocks().erases(block);
    if (flash_.health) flash_.health->count_erases(block, times);
    if (flash_.errors) flash_.errors->erase(block);
    if (medium_.superblocks().programmed(block) > 0) medium_.erase(block);
    medium_.set_initial_erases(block, counted_.erases()[number(block)]);
  }

  const PageStore& store_;
  BackEnd& flash_;
  Medium& medium_;
  const CountedStore& counted_;
  CountedPages& pages_;
  RandomStream& random_;
  std::uint32_t host_lpns_;
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
  const std::uint64_t parity = counted.counts().parity_pages + before.counts().parity_pages;
  for (std::uint32_t b = 0; b < times.size(); ++b) times[b] += parity;
  return times;
}

// Array reads of a die of one superblock while its pages are relocated, at most.
std::uint32_t most_reads(const Layout& layout) { return layout.pages_per_superblock(); }

// True if all data that are in the flash now are readable without retries.
bool all_readable(const BackEnd& flash) {
  const Layout& layout = flash.medium.layout();
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
    if (flash.medium.superblocks().programmed(SuperblockId{b}) == 0) continue;
    if (!flash.errors->all_readable(flash.errors->worst(SuperblockId{b}, most_reads(layout)))) return false;
  }
  return true;
}

}  // namespace

bool counts_in_part(const FtlConfig& config) {
  return config.mapping.scheme == MappingConfig::Scheme::demand || config.slc.superblocks > 0 || config.pslc_mode.on();
}

std::string counted_aging_problem(const Drive& drive, bool in_part) {
  const FtlConfig& ftl = drive.config().ftl;
  const BackEnd& flash = drive.flash();
  if (ftl.gc.own || !gc_policy_kinds()[ftl.gc.policy].by_counts)
    return "chooses victims by more than the numbers of their current pages and when they were closed";
  const PageStore& store = drive.ftl().store();
  const bool aside = in_part && store.blocks().free().quota(0) >= kManySuperblocks;
  // But for the rest of a large write at its end. Then one bit a cell is written no more.
  const bool full = std::uint64_t{store.pages().mapped()} * 1000 >= drive.config().logical_pages() * 999;
  const std::pair<bool, const char*> unseen[] = {
      {ftl.mapping.scheme != MappingConfig::Scheme::page && !(aside && ftl.mapping.scheme == MappingConfig::Scheme::demand),
       "finds data by more than a map of pages in RAM (ftl.mapping.scheme)"},
      {ftl.placement.scheme != PlacementConfig::Scheme::none || ftl.placement.own,
       "keeps kinds of data apart (ftl.placement)"},
      {ftl.slc.superblocks > 0 && !aside, "has a cache of one bit a cell (ftl.slc_cache)"},
      {ftl.pslc_mode.on() && !(in_part && full), "writes one bit a cell at first (ftl.pslc_mode)"},
      {ftl.compression.on(), "compresses (ftl.compression)"},
      {flash.deduplication.has_value(), "deduplicates (ftl.deduplication)"},
      {ftl.buffer.coalesce, "keeps whole pages in RAM to be overwritten there (ftl.write_buffer.coalesce)"},
      {ftl.wear.static_spread > 0, "moves data at rest to level wear (ftl.wear.static_spread_erases)"},
      {drive.config().endurance.fails_early(), "has flash that fails before its limit (endurance)"},
      {flash.errors && !all_readable(flash), "has data that need retries to be read (cells)"},
  };
  for (const auto& [is_so, what] : unseen) {
    if (is_so) return what + std::string(", which counting does not see");
  }
  if (drive.ftl().read_only()) return "is read-only";
  if (number(drive.ftl().pages().newest_version()) + drive.config().logical_pages() > ftl.most_versions)
    return "has been written so often that its versions must be renumbered, which counting does not do";
  return {};
}

bool Lifecycle::age_by_counting(const CountedPlan& plan, std::uint64_t seed) {
  FTLAB_CHECK(counted_aging_problem(drive_, true).empty(), "the drive " + counted_aging_problem(drive_, true));
  FTLAB_CHECK(drive_.commands_.at_rest(), "aged with requests outstanding");
  const std::uint64_t page = parts_.config.ftl.mapping_bytes, written = plan.write_bytes == 0 ? page : plan.write_bytes;
  FTLAB_CHECK(written <= page && page % written == 0, "counted writes that are no part of a mapping page");
  drive_.idle_from();
  parts_.set_date();
  parts_.layer->begin_idle_time();  // executes waiting trims
  save_ram();
  drive_.idle_time_.set_since(parts_.agenda.now());

  CountedWrites counted(parts_.config.ftl, parts_.layer->store(),
                        static_cast<std::uint32_t>(parts_.config.logical_pages()), seed);
  write_rounds(counted, plan, page);
  if (!flash_serves(counted)) return false;
  Counters& past = drive_.past_;
  past = count_layer(parts_, past);
  print(counted, seed);
  parts_.host.host_write_bytes += counted.host_pages() * written;
  parts_.host.host_write_commands += counted.host_pages();
  past.media_host_bytes += counted.host_pages() * written;
  past.media_fill_bytes += counted.host_pages() * (page - written);
  past.read_modify_writes += written < page ? counted.host_pages() : 0;
  past.media_relocation_bytes += counted.relocated_pages() * page;
  past.media_padding_bytes += counted.store().counts().pages_padded * page;
  past.media_parity_bytes += counted.store().counts().parity_pages * page;
  past.relocated_pages += counted.relocated_pages();
  past.collected_superblocks += counted.collected();
  const Column<std::uint64_t> closed_at = closing_times(counted.store(), parts_.layer->store());
  drive_.restart_layer();
  parts_.layer->set_past(closed_at.view(), 0, 0);
  return true;
}

void Lifecycle::add_unseen(std::uint64_t mapping_pages, std::uint64_t folded_pages) {
  Medium& medium = parts_.back.medium;
  const std::uint64_t page = parts_.config.ftl.mapping_bytes, superblocks = medium.layout().superblocks();
  Counters& past = drive_.past_;
  past.media_mapping_bytes += mapping_pages * page;
  past.media_fold_bytes += folded_pages * page;
  medium.set_initial_programs(medium.pages().programmed() + mapping_pages + folded_pages);
  const std::uint64_t slots_of_cache = folded_pages * parts_.config.ftl.slc.cells_per_bit;  // as many as they would fill
  const std::uint64_t erases = (mapping_pages + slots_of_cache) / medium.layout().data_pages();
  const Column<std::uint64_t> closed_at = parts_.layer->store().blocks().columns().closed_at;
  parts_.layer->set_past(closed_at.view(), mapping_pages + folded_pages, erases);
  for (std::uint32_t b = 0; b < superblocks; ++b) {
    const auto times = static_cast<std::uint32_t>(erases * (b + 1) / superblocks - erases * b / superblocks);
    if (parts_.back.health) parts_.back.health->count_erases(SuperblockId{b}, times);
    medium.set_initial_erases(SuperblockId{b}, medium.superblocks().erases(SuperblockId{b}) + times);
  }
}

bool Lifecycle::flash_serves(const CountedWrites& counted) const {
  const BackEnd& flash = parts_.back;
  const SuperblockRecords& now = flash.medium.superblocks();
  const std::span<const std::uint32_t> erases = counted.store().erases().view();
  for (std::uint32_t b = 0; b < erases.size(); ++b) {
    const SuperblockId block{b};
    const std::uint32_t times = erases[b] - now.erases(block);
    if (times == 0) continue;
    if (flash.health && !flash.health->survives(block, times)) return false;
    const MediaErrors* const errors = flash.errors ? &*flash.errors : nullptr;
    if (errors != nullptr && !errors->all_readable(errors->worst(block, most_reads(flash.medium.layout()), times)))
      return false;
  }
  return true;
}

void Lifecycle::print(const CountedWrites& counted, std::uint64_t seed) {
  const PageStore& store = parts_.layer->store();
  Medium& medium = parts_.back.medium;
  std::uint64_t programmed = medium.pages().programmed() + counted.media_pages();
  for (const Stage& stage : store.stages()) programmed += stage.slots_in_ram();
  RandomStream random(seed, "counted aging");
  const auto host_lpns = static_cast<std::uint32_t>(parts_.config.logical_pages());
  CountedPages contents(store, counted.store(), host_lpns, random);
  Printer printer(store, parts_.back, counted.store(), contents, parts_.layer->pages().newest_version(), host_lpns, random);
  for (const SuperblockId block : order_of_printing(counted.store().blocks()))
    counted.store().aside().has(block) ? printer.print_aside(block) : printer.print(block);
  FTLAB_CHECK(contents.all_taken(), "pages were written that lie in no superblock");
  medium.set_initial_programs(programmed);
}

}  // namespace ftlab
