// Breaks each invariant of ftl/README.md alone, in an otherwise sound drive: inspect() must report it.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/schemes/demand_map.h"
#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

// Changes a drive, `it`.
#define AS(...) [](auto& it) { __VA_ARGS__; }

namespace ftlab {
namespace {

constexpr char kTable[] = "I17: the table of fingerprints contradicts itself";

struct Break {
  const char* design;
  std::string reported;  // how one of the reported sentences begins
  void (*make)(Drive& it);
};

// A used drive without data in RAM.
std::unique_ptr<Drive> used(const char* design) {
  auto made = std::make_unique<Drive>(read_drive(document(design)), Clock::untimed, 3);
  Drive& drive = *made;
  RandomStream random(7, "invariants");
  const std::uint64_t pages = drive.config().user_bytes / 4096;
  for (int i = 0; i <= 3'000; ++i) {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::trim};
    Request request{0, i == 3'000 ? Op::flush : kOps[random.below(6)], random.below(pages - 4) * 4096,
                    (1 + random.below(4)) * 4096, drive.latest()};
    request.content = {1 + random.below(50), 600};
    drive.submit({&request, 1});
    Completion done;
    drive.wait(kNever, {&done, 1});
  }
  return made;
}

}  // namespace

// Friend of each class that a test breaks.
struct BrokenDrive {
  static PageStore& store(Drive& it) { return it.parts_.layer->store_; }
  static Blocks& blocks(Drive& it) { return store(it).blocks_; }
  static PageTable& pages_of(Drive& it) { return store(it).pages_; }
  static PageMap& map(Drive& it) { return pages_of(it).map_; }
  static Layout layout(const Drive& it) { return it.medium().layout(); }

  // The n-th superblock in this state.
  static SuperblockId in_state(Drive& it, BlockState state, std::uint32_t n = 0) {
    for (std::uint32_t b = 0; b < blocks(it).count(); ++b)
      if (blocks(it).state(SuperblockId{b}) == state && n-- == 0) return SuperblockId{b};
    throw CheckFailed("no superblock is in that state");
  }
  static std::uint32_t closed(Drive& it) { return number(in_state(it, BlockState::closed)); }
  static std::uint32_t free(Drive& it) { return number(in_state(it, BlockState::free)); }
  // The n-th programmed page; with `least`, only pages at this position or later in their superblock.
  static std::uint32_t page_in_flash(Drive& it, std::uint32_t n = 0, std::uint32_t least = 0) {
    for (std::uint32_t l = 0; l < map(it).lpns(); ++l) {
      const Ppn ppn = map(it).find(Lpn{l});
      if (ppn != kNoPpn && !pages_of(it).staged(ppn) && layout(it).position(ppn) >= least && n-- == 0) return l;
    }
    throw CheckFailed("no page is in the flash");
  }
  static Fingerprints& table(Drive& it) { return it.parts_.back.deduplication->fingerprints_; }
  static std::size_t slot_of_entry(Drive& it) {
    std::size_t slot = 0;
    while (table(it).slots_[slot] == Fingerprints::kNone) ++slot;
    return slot;
  }
  static std::size_t free_slot(Drive& it) {
    std::size_t slot = 0;
    while (table(it).slots_[slot] != Fingerprints::kNone) ++slot;
    return slot;
  }
  static std::uint32_t unknown_place(Drive& it) {  // a mapped content that the table does not have
    std::uint32_t place = 0;
    while (table(it).knows(Lpn{place}) || map(it).find(Lpn{place}) == kNoPpn) ++place;
    return place;
  }
  static Ppn place(Drive& it, std::uint32_t page) { return map(it).find(Lpn{page}); }
  static std::uint32_t unmapped_page(Drive& it) {
    for (std::uint32_t l = 0; l < map(it).lpns(); ++l)
      if (map(it).find(Lpn{l}) == kNoPpn) return l;
    throw CheckFailed("all pages are mapped");
  }
  static Frontier& open_frontier(Drive& it) {
    for (Frontier& frontier : store(it).frontiers_)
      if (frontier.has_room() && frontier.next() > store(it).stages_[frontier.number()].count()) return frontier;
    throw CheckFailed("no superblock is being written");
  }
  static std::uint32_t member_of_bins(Drive& it) {
    for (std::uint32_t b = 0; b < blocks(it).count(); ++b)
      if (blocks(it).closed().binned(SuperblockId{b})) return b;
    throw CheckFailed("the bins are empty");
  }
  static std::uint32_t shared_page(Drive& it) {
    for (std::uint32_t l = 0; l < it.parts_.back.deduplication->pages(); ++l)
      if (it.parts_.back.deduplication->content_of(Lpn{l}) != kNoLpn) return l;
    throw CheckFailed("no page has a content");
  }
  static std::uint32_t unused_content(Drive& it) {
    for (std::uint32_t c = 0; c < it.parts_.back.deduplication->pages(); ++c)
      if (it.parts_.back.deduplication->references(Lpn{c}) == 0) return c;
    throw CheckFailed("all contents are in use");
  }
  static std::uint32_t pages(Drive& it) { return layout(it).pages_per_superblock(); }

  static std::vector<Break> breaks() {
    const char* const stands = "I6: frontier ";
    const char* const window = "I6: the window of pool 0 is not its oldest superblocks";
    return {
        // Pages and their slots.
        {"page", "I1: logical page ", AS(map(it).map_[page_in_flash(it)] = place(it, page_in_flash(it, 1)))},
        {"page", "I2: physical page ", AS(map(it).map_[page_in_flash(it)] = place(it, page_in_flash(it, 1)))},
        {"page", "I1: logical page 9 points outside the flash", AS(map(it).map_[9] = Ppn{48 * 64})},
        {"page", "I2: physical page ",
         AS(it.parts_.back.medium.pages_.lpn_[number(place(it, page_in_flash(it)))] = Lpn{1791})},
        {"page", "I2: logical page ",
         AS(const Ppn ppn = place(it, page_in_flash(it));
            pages_of(it).lose(layout(it).block_of(ppn), layout(it).position(ppn)))},
        {"packed", "I2: logical page ", AS(it.parts_.back.medium.pages_.slots_[number(place(it, page_in_flash(it)))] = 0)},
        {"packed", "I1: logical page ",
         AS(const Ppn ppn = place(it, page_in_flash(it, 0, 64)); it.parts_.back.medium.pages_.slots_[number(ppn)] = 40)},
        {"packed", "I2: logical page ",
         AS(const Ppn ppn = place(it, page_in_flash(it));
            it.parts_.back.medium.pages_.slots_[number(ppn)] = static_cast<std::uint8_t>(layout(it).position(ppn) + 2))},
        // Page counts.
        {"page", "I3: ", AS(++pages_of(it).mapped_)},
        {"page", "I3: ", AS(--pages_of(it).mapped_)},
        {"page", "I3: superblock ", AS(++blocks(it).columns_.valid[closed(it)])},
        {"page", "I3: superblock ", AS(pages_of(it).current_.words(in_state(it, BlockState::free))[0] = 1)},
        // States of superblocks.
        {"page", "I6: state of superblock ", AS(blocks(it).columns_.state[closed(it)] = BlockState::free)},
        {"page", "I6: state of superblock ", AS(blocks(it).columns_.state[closed(it)] = BlockState::open)},
        {"page", "I6: state of superblock ", AS(blocks(it).columns_.state[free(it)] = BlockState::closed)},
        {"page", "I6: state of superblock ", AS(blocks(it).columns_.state[free(it)] = BlockState::pending_erase)},
        {"page", "I6: ", AS(--blocks(it).free_.count_)},
        {"page", "I6: ", AS(blocks(it).columns_.state[free(it)] = BlockState::open)},
        // Frontiers.
        {"page", stands, AS(open_frontier(it).block_ = in_state(it, BlockState::closed))},
        {"page", stands, AS(blocks(it).columns_.state[number(open_frontier(it).block())] = BlockState::closed)},
        {"page", stands,
         AS(auto& of = it.parts_.back.medium.superblocks_.frontier_[number(open_frontier(it).block())]; of = 1 - of)},
        {"page", stands, AS(it.parts_.back.medium.superblocks_.pslc_[number(open_frontier(it).block())] = 1)},
        {"page", stands, AS(it.parts_.back.medium.superblocks_.programmed_[number(open_frontier(it).block())] += 2)},
        {"page", stands, AS(++open_frontier(it).used_)},
        {"pools", stands, AS(auto& pool = blocks(it).columns_.pool[number(open_frontier(it).block())]; pool = 1 - pool)},
        // Closed superblocks by age, and the bins.
        {"page", "I6: pool 0 counts ", AS(++blocks(it).closed_.pools_[0].count)},
        {"page", "I6: pool 0 counts ",
         AS(blocks(it).closed_.older_[number(blocks(it).closed_.pools_[0].youngest)] = kNoBlock)},
        {"page", "I6: pool 0 counts ", AS(blocks(it).closed_.pools_[0].youngest = blocks(it).closed_.pools_[0].oldest)},
        {"page", "I6: pool 0 counts ",
         AS(blocks(it).columns_.state[number(blocks(it).closed_.pools_[0].oldest)] = BlockState::collecting)},
        {"pools", "I6: pool 0 counts ", AS(blocks(it).columns_.pool[number(blocks(it).closed_.pools_[0].oldest)] = 1)},
        {"frequency", window, AS(++blocks(it).closed_.pools_[0].in_window)},
        {"frequency", window, AS(blocks(it).closed_.pools_[0].oldest_outside_window = blocks(it).closed_.pools_[0].oldest)},
        {"frequency", window, AS(blocks(it).closed_.pools_[0].oldest_outside_window = kNoBlock)},
        {"frequency", window, AS(blocks(it).closed_.binned_[number(blocks(it).closed_.pools_[0].oldest)] = 0)},
        {"frequency", window, AS(blocks(it).closed_.binned_[number(blocks(it).closed_.pools_[0].youngest)] = 1)},
        {"page", "I6: superblock ", AS(blocks(it).columns_.valid[member_of_bins(it)] ^= 1)},
        {"page", "I6: superblock ", AS(blocks(it).closed_.binned_[member_of_bins(it)] = 0)},
        {"page", "I6: pool 0 has ", AS(blocks(it).closed_.binned_[member_of_bins(it)] = 0)},
        {"page", "I6: pool 0 has ", AS(++blocks(it).closed_.pools_[0].bins.count_)},
        // Values counted twice.
        {"extent", "I14: region 3 has ", AS(++map(it).extents_[3])},
        {"extent", "I14: the map has ", AS(++map(it).extent_count_)},
        {"page", "I14: ", AS(++store(it).counts_.pages_appended)},
        {"page", "I14: ", AS(++store(it).counts_.pages_padded)},
        {"page", "I14: ", AS(++store(it).counts_.parity_pages)},
        {"page", "I14: ", AS(++store(it).counts_.failed_pages)},
        {"page", "I14: ", AS(++it.parts_.back.medium.pages_.programmed_)},
        {"page", "I14: ", AS(++it.parts_.back.medium.superblocks_.erased_)},
        // Health.
        {"mortal", "I15: superblock ", AS(blocks(it).columns_.state[free(it)] = BlockState::retired)},
        {"mortal", "I15: ", AS(it.parts_.back.health->erase(in_state(it, BlockState::closed)))},
        {"mortal", "I15: ", AS(++store(it).counts_.superblocks_erased)},
        // Lost pages.
        {"cells", "I16: ", AS(++it.parts_.back.errors->lost_.count_)},
        {"cells", "I16: physical page ",
         AS(it.parts_.back.errors->mark(layout(it).first_page(in_state(it, BlockState::free))))},
        // The first and last elements.
        {"page", "I1: logical page 0 points outside the flash", AS(map(it).map_[0] = Ppn{48 * 64})},
        {"page", "I1: logical page 1791 points outside the flash", AS(map(it).map_[1791] = Ppn{48 * 64})},
        {"page", "I3: superblock 0 ", AS(++blocks(it).columns_.valid[0])},
        {"page", "I3: superblock 47 ", AS(++blocks(it).columns_.valid[47])},
        {"page", "I3: superblock 0 ", AS(pages_of(it).current_.bits_[0] ^= 1)},
        {"page", "I3: superblock 47 ", AS(pages_of(it).current_.bits_[47] ^= std::uint64_t{1} << 63)},
        {"page", "I6: state of superblock 0 ",
         AS(blocks(it).columns_.state[0] =
                it.parts_.back.medium.superblocks_.programmed_[0] > 0 ? BlockState::free : BlockState::closed)},
        {"page", "I6: state of superblock 47 ",
         AS(blocks(it).columns_.state[47] =
                it.parts_.back.medium.superblocks_.programmed_[47] > 0 ? BlockState::free : BlockState::closed)},
        {"extent", "I14: region 0 has ", AS(++map(it).extents_[0])},
        {"extent", "I14: region 13 has ", AS(++map(it).extents_[13])},
        {"mortal", "I15: superblock 0 ", AS(blocks(it).columns_.state[0] = BlockState::retired)},
        {"mortal", "I15: superblock 63 ",
         AS(auto& state = blocks(it).columns_.state[63];
            state = state == BlockState::retired ? BlockState::free : BlockState::retired)},
        {"cells", "I16: 2 pages marked as lost, 1 counted",
         AS(it.parts_.back.errors->mark(place(it, page_in_flash(it))); it.parts_.back.errors->mark(Ppn{48 * 64 - 1});
            it.parts_.back.errors->lost_.count_ = 1)},
        {"cells", "I16: 2 pages marked as lost, 1 counted",
         AS(it.parts_.back.errors->mark(place(it, page_in_flash(it))); it.parts_.back.errors->mark(Ppn{0});
            it.parts_.back.errors->lost_.count_ = 1)},
        {"sharing", "I17: ", AS(++it.parts_.back.deduplication->references_[0])},
        {"sharing", "I17: ", AS(++it.parts_.back.deduplication->references_[1791])},
        // Shared contents.
        {"sharing", "I17: content ", AS(it.parts_.back.deduplication->content_[shared_page(it)] = unused_content(it))},
        {"sharing",
         "I17: ", AS(++it.parts_.back.deduplication->references_[it.parts_.back.deduplication->content_[shared_page(it)]])},
        {"sharing", "I17: content ",
         AS(map(it).map_[number(it.parts_.back.deduplication->content_of(Lpn{shared_page(it)}))] = kNoPpn)},
        {"sharing", "I17: ", AS(++it.parts_.back.deduplication->mapped_pages_)},
        {"sharing", "I17: ", AS(--it.parts_.back.deduplication->free_count_)},
        {"sharing", "I17: the number of a content is free ",
         AS(it.parts_.back.deduplication->free_[0] =
                number(it.parts_.back.deduplication->content_of(Lpn{shared_page(it)})))},
        {"sharing", "I17: the number of a content is free ",
         AS(it.parts_.back.deduplication->free_[0] = it.parts_.back.deduplication->free_[1])},
        {"sharing", kTable, AS(++it.parts_.back.deduplication->fingerprints_.count_)},
        {"sharing", kTable, AS(--it.parts_.back.deduplication->fingerprints_.count_)},
        {"sharing", kTable, AS(table(it).entries_[table(it).youngest_].younger = table(it).oldest_)},
        {"sharing", kTable, AS(table(it).entries_[table(it).oldest_].older = table(it).youngest_)},
        {"sharing", kTable, AS(auto& oldest = table(it).oldest_; oldest = table(it).entries_[oldest].younger)},
        {"sharing", kTable, AS(auto& youngest = table(it).youngest_; youngest = table(it).entries_[youngest].older)},
        {"sharing", kTable, AS(table(it).entries_[table(it).youngest_].older = Fingerprints::kNone)},
        {"sharing", kTable, AS(table(it).capacity_ = table(it).count_ - 1)},
        {"sharing", kTable, AS(table(it).slots_[slot_of_entry(it)] = Fingerprints::kNone)},
        {"sharing", kTable, AS(table(it).slots_[free_slot(it)] = table(it).oldest_)},
        {"sharing", kTable, AS(table(it).entries_[unknown_place(it)].fingerprint = {})},
        {"sharing", kTable,
         AS(auto& all = table(it); all.youngest_ = all.oldest_; all.entries_[all.oldest_].younger = all.kNone)},
        {"sharing", "I17: the table knows content ",
         AS(const std::uint32_t known = it.parts_.back.deduplication->fingerprints_.oldest_; map(it).map_[known] = kNoPpn)},
    };
  }

  // Components that detect errors themselves, by a failed check.
  static MapCache& cache(Drive& it) { return static_cast<DemandMap&>(*it.parts_.layer->scheme_).cache_; }
  static Defects& defects(Drive& it) { return const_cast<Defects&>(it.parts_.back.health->defects()); }
  static EvictionOrder& order(Drive& it) { return cache(it).order_; }
  static std::uint32_t oldest(Drive& it) { return order(it).nodes_[order(it).end(0)].newer; }  // on probation
  static DirtyUnits::Node& dirty(Drive& it, bool is) {
    for (std::uint32_t s = 0; s < cache(it).capacity_; ++s)
      if (cache(it).unit_[s] != MapCache::kNone && cache(it).dirty_.has(s) == is) return cache(it).dirty_.nodes_[s];
    throw CheckFailed("no such unit is in the cache");
  }
  static void lose(Drive& it) {  // a unit that is in no list
    const EvictionOrder::Node node = order(it).nodes_[oldest(it)];
    order(it).nodes_[node.newer].older = node.older;
    order(it).nodes_[node.older].newer = node.newer;
  }
  // The n-th group and lane with at least `spares` spare blocks.
  static std::uint32_t lane_with_spares(Drive& it, std::uint32_t spares, std::uint32_t n = 0) {
    for (std::uint32_t of = 0; of < defects(it).spares_.size(); ++of)
      if (defects(it).spares_[of] >= spares && n-- == 0) return of;
    throw CheckFailed("no lane has so many spare blocks");
  }
  static std::uint32_t serving(Drive& it, std::uint32_t n = 0) {  // the first lane of a superblock in use
    for (std::uint32_t s = 0; s < defects(it).superblocks(); ++s)
      if (!defects(it).retired(SuperblockId{s}) && n-- == 0) return s * defects(it).lanes_;
    throw CheckFailed("no superblock is in use");
  }

  static std::vector<Break> breaks_of_components() {
    const char* const lost = "a list of the map cache has lost units";
    const char* const unknown = "the index of the map cache knows units that are not there";
    return {
        {"demand pages", lost, AS(lose(it))},
        {"demand entries", lost, AS(lose(it))},
        {"demand entries", "a list of the map cache holds more than its units", AS(--order(it).length_[0])},
        {"demand entries", "a list of the map cache is torn", AS(order(it).nodes_[oldest(it)].older = oldest(it))},
        {"demand entries", "a unit stands in the wrong list of the map cache", AS(order(it).nodes_[oldest(it)].list = 1)},
        {"demand entries", "a unit of the map cache is not found in its slot", AS(cache(it).unit_[oldest(it)] ^= 1)},
        {"demand entries", "the map cache protects more than half of its budget",
         AS(order(it).length_[1] = cache(it).capacity_ / 2 + 1)},
        {"demand entries", "a dirty unit belongs to no translation page", AS(++cache(it).dirty_.count_)},
        {"demand pages", "a dirty unit belongs to no translation page", AS(++cache(it).dirty_.count_)},
        {"demand entries", "a dirty unit is not listed", AS(dirty(it, false).before = DirtyUnits::kNone)},
        {"demand entries", "more dirty units are listed than were made dirty", AS(dirty(it, true) = {})},
        {"demand entries", "more dirty units are listed than were made dirty", AS(--cache(it).dirty_.count_)},
        {"demand entries", "a list of dirty units is torn", AS(dirty(it, true).before = 7)},
        {"demand entries", "a dirty unit is listed under another translation page",
         AS(std::swap(cache(it).dirty_.first_[0], cache(it).dirty_.first_[1]))},
        {"demand entries", unknown,
         AS(auto& slots = cache(it).slot_; std::uint32_t unit = 0; while (slots[unit] != MapCache::kNone)++ unit;
            slots[unit] = 0)},
        {"demand pages", unknown,
         AS(auto& slots = cache(it).slot_; std::uint32_t unit = 0; while (slots[unit] != MapCache::kNone)++ unit;
            slots[unit] = 0)},
        {"mortal", "bad blocks were miscounted", AS(++defects(it).grown_bad_)},
        {"mortal", "bad blocks were miscounted", AS(++defects(it).factory_bad_)},
        {"mortal", "blocks serve that belong to no superblock", AS(++defects(it).retired_)},
        {"mortal", "blocks serve that belong to no superblock",
         AS(defects(it).use_[defects(it).first_spare_[lane_with_spares(it, 1)]] = BlockUse::serving)},
        {"mortal", "spare blocks were miscounted", AS(++defects(it).spares_[0])},
        {"mortal", "spare blocks have been lost", AS(defects(it).first_spare_[lane_with_spares(it, 1)] = Defects::kNone)},
        {"mortal", "a list of spares holds what is none",
         AS(const std::uint32_t of = lane_with_spares(it, 1);
            defects(it).next_spare_[defects(it).first_spare_[of]] = defects(it).serving_[serving(it)])},
        {"mortal", "is a spare of another lane",
         AS(std::swap(defects(it).first_spare_[lane_with_spares(it, 1)],
                      defects(it).first_spare_[lane_with_spares(it, 1, 1)]))},
        {"mortal", "serves on another lane",
         AS(std::swap(defects(it).serving_[serving(it)], defects(it).serving_[serving(it) + 1]))},
        {"mortal", "serves without right, or twice",
         AS(defects(it).serving_[serving(it)] = defects(it).serving_[serving(it, 1)])},
        {"mortal", "is neither complete nor retired", AS(defects(it).serving_[serving(it) + 1] = Defects::kNone)},
        {"mortal", "has lost a superblock without need",
         AS(defects(it).dissolve(SuperblockId{serving(it) / defects(it).lanes_}))},
    };
  }
  static void look_through(Drive& drive) {
    inspect(drive.ftl());
    if (drive.config().ftl.mapping.translation_pages > 0) cache(drive).inspect();
  }
  static void check_components() {
    std::size_t number = 0;
    for (const Break& one : breaks_of_components()) {
      CAPTURE(number++, one.design, one.reported);
      const std::unique_ptr<Drive> made = used(one.design);
      Drive& drive = *made;
      REQUIRE_NOTHROW(look_through(drive));
      one.make(drive);
      std::string said;
      try {
        look_through(drive);
      } catch (const CheckFailed& failed) {
        said = failed.what();
      }
      CAPTURE(said);
      CHECK(said.find(one.reported) != std::string::npos);
    }
  }

  static void check() {
    std::size_t number = 0;
    for (const Break& one : breaks()) {
      CAPTURE(number++, one.design, one.reported);
      const std::unique_ptr<Drive> made = used(one.design);
      Drive& drive = *made;
      REQUIRE(inspect(drive.ftl()).empty());
      one.make(drive);
      const std::vector<std::string> sentences = inspect(drive.ftl());
      CAPTURE(sentences);
      CHECK(std::any_of(sentences.begin(), sentences.end(),
                        [&](const std::string& sentence) { return sentence.starts_with(one.reported); }));
    }
  }
};

TEST_CASE("each invariant broken alone is reported") { BrokenDrive::check(); }

TEST_CASE("inconsistencies in a map cache or a bad block table are reported") { BrokenDrive::check_components(); }

}  // namespace ftlab
