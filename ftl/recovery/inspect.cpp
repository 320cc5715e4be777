// Checks the invariants of a translation layer, numbered as in ftl/README.md.
#include <bit>
#include <functional>
#include <numeric>

#include "ftl/layer/ftl.h"
#include "models/nand/array/data_slots.h"
#include "sim/core/uint128.h"

namespace ftlab {
namespace {

using Report = std::function<void(const std::string&)>;

std::string text(std::uint64_t value) { return std::to_string(value); }

// Marks all slots of one page as taken; returns their number.
std::uint32_t inspect_places(const PageStore& store, Lpn lpn, Ppn last, std::vector<bool>& taken, const Report& report) {
  const Layout& layout = store.medium().layout();
  const std::uint32_t slots = store.pages().at(last).slots;
  std::uint32_t position = layout.position(last);
  for (std::uint32_t i = 0; i < slots; ++i) {
    if (i > 0 && position == 0) {
      report("I2: logical page " + text(number(lpn)) + " begins before its superblock");
      return i;
    }
    if (i > 0) position = DataSlots(layout).before(position);
    const std::uint32_t ppn = number(layout.first_page(layout.block_of(last))) + position;
    if (taken[ppn]) report("I1: logical page " + text(number(lpn)) + " shares physical page " + text(ppn));
    taken[ppn] = true;
    if (!store.pages().current().test(layout.block_of(last), position))
      report("I2: logical page " + text(number(lpn)) + " points to a page marked stale");
  }
  if (slots == 0) report("I2: logical page " + text(number(lpn)) + " takes no slot");
  return slots;
}

// The flash order of pages differs from the map order, so pages that are checked soon are prefetched.
void prefetch_slot(const PageStore& store, std::uint32_t lpn) {
  const Ppn ppn = lpn < store.pages().map().lpns() ? store.pages().map().find(Lpn{lpn}) : kNoPpn;
  if (number(ppn) >= store.medium().layout().page_count()) return;
  store.medium().pages().prefetch(ppn);
  store.pages().current().prefetch(store.medium().layout().block_of(ppn), store.medium().layout().position(ppn));
}

bool in_ram(const PageStore& store, SuperblockId block, std::uint32_t position) {
  return std::ranges::any_of(store.frontiers(), [&](const Frontier& frontier) {
    const std::uint32_t staged = store.stages()[frontier.number()].count();
    return frontier.block() == block && position < frontier.next() && position + staged >= frontier.next();
  });
}

// Pairs of a logical and a physical page become numbers without a pattern: the two halves of a product of 128 bits, folded
// (as in wyhash). The constants are those of splitmix64.
std::uint64_t mixed(Lpn lpn, Ppn ppn) {
  const std::uint64_t pair = std::uint64_t{number(lpn)} << 32 | number(ppn);
  const Uint128 product = static_cast<Uint128>(pair ^ 0xbf58476d1ce4e5b9) * 0x94d049bb133111eb;
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

// I1 to I3 without random accesses: true if the slots marked current are those that the map points to. Two different sets of
// pairs have the same sum with a probability of 2^-64. inspect_map() names what is wrong. REQUIRES: pages of one slot.
bool marks_fit_map(const PageStore& store) {
  const PageTable& pages = store.pages();
  const Layout& layout = store.medium().layout();
  std::uint64_t marked = 0, mapped = 0, sum = 0;
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
    const std::uint32_t first = number(layout.first_page(SuperblockId{b}));
    const std::uint32_t programmed = store.medium().superblocks().programmed(SuperblockId{b});
    bool there = true;
    pages.current().each(SuperblockId{b}, [&](std::uint32_t position) {
      const Ppn ppn{first + position};
      there = there && (position < programmed || in_ram(store, SuperblockId{b}, position));
      if (!there) return;
      sum += mixed(position < programmed ? store.medium().pages().lpn(ppn) : pages.at(ppn).lpn, ppn);
      ++marked;
    });
    if (!there) return false;
  }
  for (std::uint32_t l = 0; l < pages.map().lpns(); ++l) {
    const Ppn ppn = pages.map().find(Lpn{l});
    if (ppn == kNoPpn) continue;
    sum -= mixed(Lpn{l}, ppn);
    ++mapped;
  }
  return sum == 0 && mapped == marked && mapped == pages.mapped();
}

// I1, I2: every mapped logical page points to a slot that holds it, and no two point to the same.
void inspect_map(const PageStore& store, const Report& report) {
  std::vector<bool> taken(store.medium().layout().page_count());
  std::uint64_t mapped = 0, slots = 0;
  constexpr std::uint32_t kAhead = 32;
  for (std::uint32_t l = 0; l < store.pages().map().lpns(); ++l) {
    prefetch_slot(store, l + kAhead);
    const Ppn ppn = store.pages().map().find(Lpn{l});
    if (ppn == kNoPpn) continue;
    ++mapped;
    if (number(ppn) >= store.medium().layout().page_count()) {
      report("I1: logical page " + text(l) + " points outside the flash");
      continue;
    }
    slots += inspect_places(store, Lpn{l}, ppn, taken, report);
    if (store.pages().at(ppn).lpn != Lpn{l}) {
      report("I2: physical page " + text(number(ppn)) + " holds another page than logical page " + text(l));
    }
  }
  if (mapped != store.pages().mapped())
    report("I3: " + text(mapped) + " pages mapped, " + text(store.pages().mapped()) + " counted");
  const std::span<const std::uint32_t> counts = store.blocks().columns().valid.view();
  const std::uint64_t current = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (slots != current) report("I3: " + text(slots) + " slots mapped, " + text(current) + " current");
}

std::uint32_t count_valid_bits(const PageStore& store, SuperblockId block) {
  std::uint32_t valid = 0;
  for (std::uint32_t w = 0; w < store.pages().current().words_per_block(); ++w)
    valid += static_cast<std::uint32_t>(std::popcount(store.pages().current().words(block)[w]));
  return valid;
}

bool state_fits_medium(const PageStore& store, SuperblockId block) {
  const std::uint32_t programmed = store.medium().superblocks().programmed(block);
  switch (store.blocks().state(block)) {
    case BlockState::free: return programmed == 0;
    case BlockState::open: return programmed < store.medium().layout().pages_per_superblock();
    case BlockState::retired: return true;
    default: return programmed > 0;
  }
}

// I3, I6: valid counts, and the states of the superblocks compared with the medium.
void inspect_blocks(const PageStore& store, const Report& report) {
  std::uint32_t free = 0;
  for (std::uint32_t b = 0; b < store.blocks().count(); ++b) {
    const SuperblockId block{b};
    free += store.blocks().state(block) == BlockState::free;
    if (count_valid_bits(store, block) != store.blocks().valid(block)) {
      report("I3: superblock " + text(b) + " counts " + text(store.blocks().valid(block)) + " current pages, has " +
             text(count_valid_bits(store, block)));
    }
    if (!state_fits_medium(store, block)) report("I6: state of superblock " + text(b) + " does not fit its pages");
  }
  if (free != store.blocks().free().count())
    report("I6: " + text(free) + " superblocks free, " + text(store.blocks().free().count()) + " counted");
}

// I6: a frontier that takes pages or has some in RAM is positioned at the end of its superblock's programmed pages.
void inspect_frontiers(const PageStore& store, const Report& report) {
  const Layout& layout = store.medium().layout();
  for (const Frontier& frontier : store.frontiers()) {
    const SuperblockId block = frontier.block();
    const Stage& stage = store.stages()[frontier.number()];
    const std::uint32_t first = frontier.next() - stage.count();
    if (!frontier.has_room() && stage.count() == 0) continue;
    const bool its_own = block != kNoBlock && store.blocks().state(block) == BlockState::open &&
                         store.blocks().columns().pool[number(block)] == frontier.plan().pool &&
                         store.medium().superblocks().frontier(block) == frontier.number() &&
                         store.medium().superblocks().pslc(block) == frontier.pslc();
    const bool in_place =
        its_own && store.medium().superblocks().programmed(block) == first && first % layout.pages_per_stripe() == 0;
    const bool room = frontier.used() == DataSlots(layout).count_before(first) + stage.slots_in_ram() && !stage.complete();
    if (!in_place || (frontier.has_room() && !room))
      report("I6: frontier " + text(frontier.number()) + " does not stand where its superblock ends");
  }
}

// True if exactly the `binned` oldest superblocks of a pool are binned, and oldest_outside_window() is the next one.
bool window_ends(const Blocks& blocks, std::uint32_t pool, std::uint32_t binned) {
  SuperblockId block = blocks.closed().oldest(pool);
  for (std::uint32_t i = 0; i < binned && block != kNoBlock; ++i, block = blocks.closed().next_younger(block))
    if (!blocks.closed().binned(block)) return false;
  return block == blocks.closed().oldest_outside_window(pool) && (block == kNoBlock || !blocks.closed().binned(block)) &&
         binned == blocks.closed().in_window(pool);
}

// The bins hold the closed superblocks of their pool, sorted by their number of valid pages.
void inspect_bins(const PageStore& store, const Report& report) {
  const Blocks& blocks = store.blocks();
  for (std::uint32_t pool = 0; pool < blocks.free().pools(); ++pool) {
    std::uint32_t closed = 0;
    SuperblockId before = kNoBlock;
    bool linked = true;
    for (SuperblockId b = blocks.closed().oldest(pool); b != kNoBlock && closed <= blocks.count();
         b = blocks.closed().next_younger(b)) {
      linked = linked && blocks.closed().next_older(b) == before && blocks.columns().pool[number(b)] == pool &&
               blocks.state(b) == BlockState::closed;
      before = b;
      ++closed;
    }
    if (closed != blocks.closed().count(pool) || !linked || before != blocks.closed().youngest(pool)) {
      report("I6: pool " + text(pool) + " counts " + text(blocks.closed().count(pool)) + " closed superblocks, lists " +
             text(closed) + (linked ? "" : ", and not in both directions"));
    }
    const Bins& bins = blocks.closed().bins(pool);
    std::uint32_t binned = 0, members = 0;
    for (std::uint32_t b = 0; b < blocks.count(); ++b)
      binned += blocks.columns().pool[b] == pool && blocks.closed().binned(SuperblockId{b});
    if (!window_ends(blocks, pool, binned))
      report("I6: the window of pool " + text(pool) + " is not its oldest superblocks");
    if (!bins.kept()) continue;
    bins.each([&](SuperblockId block, std::uint32_t valid) {
      ++members;
      if (blocks.valid(block) != valid || !blocks.closed().binned(block) || blocks.columns().pool[number(block)] != pool)
        report("I6: superblock " + text(number(block)) + " is in the bin of " + text(valid) + " of pool " + text(pool));
    });
    if (binned != members || members != bins.count())
      report("I6: pool " + text(pool) + " has " + text(members) + " superblocks in its bins, marked are " + text(binned));
  }
}

// I14: the extents of an extent map, in total and by region.
void inspect_extents(const PageMap& map, const Report& report) {
  std::uint64_t extents = 0;
  for (std::uint32_t region = 0, lpn = 0; region < map.regions(); ++region) {
    std::uint32_t begun = 0;
    for (std::uint32_t left = map.region_pages(); left > 0 && lpn < map.lpns(); --left) begun += map.begins_extent(lpn++);
    if (begun != map.extents_of(region)) {
      report("I14: region " + text(region) + " has " + text(begun) + " extents, " + text(map.extents_of(region)) +
             " are counted");
    }
    extents += begun;
  }
  if (extents != map.extents())
    report("I14: the map has " + text(extents) + " extents, " + text(map.extents()) + " are counted");
}

// I14: counts of the layer compared with those of the medium.
void inspect_counters(const Ftl& ftl, const Report& report) {
  const PageStore& store = ftl.store();
  std::uint64_t staged = 0;
  for (const Stage& stage : store.stages()) staged += stage.slots_in_ram();
  const std::uint64_t put = store.counts().pages_appended + store.counts().pages_padded + store.counts().parity_pages +
                            store.counts().failed_pages;
  if (put != store.medium().pages().programmed() + staged) {
    report("I14: " + text(put) + " pages put, " + text(store.medium().pages().programmed()) + " programmed and " +
           text(staged) + " staged");
  }
  if (store.counts().superblocks_erased != store.medium().superblocks().erased()) {
    report("I14: " + text(store.counts().superblocks_erased) + " superblocks erased, the medium counts " +
           text(store.medium().superblocks().erased()));
  }
}

// I15: the layer and the flash agree on retired superblocks and on erase counts of blocks.
void inspect_health(const PageStore& store, const Report& report) {
  const BadBlockTable* const health = store.supply().health();
  if (health == nullptr) return;
  health->inspect();
  for (std::uint32_t b = 0; b < store.blocks().count(); ++b) {
    const bool retired = store.blocks().state(SuperblockId{b}) == BlockState::retired;
    if (retired != health->defects().retired(SuperblockId{b}))
      report("I15: superblock " + text(b) + " is retired on one side only");
  }
  const std::uint64_t asked =
      store.counts().superblocks_erased * store.medium().layout().blocks_per_superblock() + health->spare_erases();
  const std::uint64_t done = health->block_erases() + health->erase_failures() + health->skipped_erases();
  if (asked != done) report("I15: " + text(asked) + " blocks to be erased, " + text(done) + " erased, failed or spared");
}

// I16: the count of lost copies equals the number of marks, and only programmed or staged pages are marked.
void inspect_lost(const PageStore& store, const MediaErrors* errors, const Report& report) {
  if (errors == nullptr) return;
  std::uint64_t marked = 0;
  for (std::uint32_t p = 0; p < store.medium().layout().page_count(); ++p) {
    if (!errors->lost().has(Ppn{p})) continue;
    ++marked;
    if (store.blocks().state(store.medium().layout().block_of(Ppn{p})) == BlockState::free)
      report("I16: physical page " + text(p) + " is lost, but its superblock is free");
  }
  if (marked != errors->lost().count())
    report("I16: " + text(marked) + " pages marked as lost, " + text(errors->lost().count()) + " counted");
}

// I17: every page refers to a stored content, contents without references are not stored, and the table has only stored
// ones.
void inspect_shared(const Ftl& ftl, const Report& report) {
  const Deduplication* const shared = ftl.pages().deduplication();
  if (shared == nullptr) return;
  std::vector<std::uint32_t> references(shared->pages());
  std::uint32_t mapped = 0, contents = 0;
  for (std::uint32_t l = 0; l < shared->pages(); ++l) {
    const Lpn content = shared->content_of(Lpn{l});
    if (content == kNoLpn) continue;
    ++mapped;
    ++references[number(content)];
  }
  for (std::uint32_t c = 0; c < shared->pages(); ++c) {
    const bool stored = ftl.store().pages().map().find(Lpn{c}) != kNoPpn;
    contents += references[c] > 0;
    if (references[c] != shared->references(Lpn{c})) {
      report("I17: " + text(references[c]) + " pages have content " + text(c) + ", " + text(shared->references(Lpn{c})) +
             " are counted");
    }
    if (stored != (references[c] > 0))
      report("I17: content " + text(c) + (stored ? " is stored for no page" : " has pages, but is not stored"));
    if (shared->fingerprints().knows(Lpn{c}) && !stored)
      report("I17: the table knows content " + text(c) + ", which is gone");
  }
  if (!shared->free_are_unused()) report("I17: the number of a content is free that is in use, or free twice");
  if (mapped != shared->mapped_pages() || contents != shared->contents()) {
    report("I17: " + text(mapped) + " pages have " + text(contents) + " contents, counted are " +
           text(shared->mapped_pages()) + " and " + text(shared->contents()));
  }
  if (!shared->fingerprints().consistent()) report("I17: the table of fingerprints contradicts itself");
}

}  // namespace

std::vector<std::string> inspect(const Ftl& ftl) {
  std::vector<std::string> found;
  const Report report = [&found](const std::string& sentence) {
    if (found.size() < 20) found.push_back(sentence);
  };
  inspect_frontiers(ftl.store(), report);
  if (ftl.store().pages().largest_page() > 1 || !marks_fit_map(ftl.store())) inspect_map(ftl.store(), report);
  inspect_extents(ftl.store().pages().map(), report);
  inspect_blocks(ftl.store(), report);
  inspect_bins(ftl.store(), report);
  inspect_counters(ftl, report);
  inspect_health(ftl.store(), report);
  inspect_lost(ftl.store(), ftl.store().pages().errors(), report);
  inspect_shared(ftl, report);
  return found;
}

}  // namespace ftlab
