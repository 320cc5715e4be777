// Consistency rules of loaded states of the FTL and of a whole drive.
#include <string>
#include <vector>

#include "ftl/gc/even_pace.h"
#include "ftl/schemes/demand_map.h"
#include "ftl/schemes/extents.h"
#include "ftl/schemes/log_blocks.h"
#include "ftl/schemes/zoned_map.h"
#include "validation/checks/reference/rule_trials.h"

// Changes a state, `it`.
#define AS(...) [](auto& it) { __VA_ARGS__; }

namespace ftlab {

using namespace testing;

namespace {

Layout small_layout() { return Layout({1, 1, 1, 2, 4, 8, 4096, 0, 512}, {1, 2}, 4096); }

}  // namespace

struct LoadedStates::LayerRules {
  static void trims() {
    const auto make = [] {
      Trims trims(100);
      trims.add(Lpn{3}, 5);
      return trims;
    };
    try_rules<Trims>(Tables(Trims::rules()), make,
                     {{"trims that are carried out are more than there are.", AS(it.first_ = 2)},
                      {kPasses, AS(it.first_ = 1)},
                      {"a trim lies outside of the drive.", AS(it.ranges_[0] = {9, 8})},
                      {"a trim lies outside of the drive.", AS(it.ranges_[0].end = 101)},
                      {kPasses, AS(it.ranges_[0] = {100, 100})}});
  }

  static void trim_records() {
    const auto make = [] {
      TrimRecords records(16, 512);
      records.add();
      return records;
    };
    try_rules<TrimRecords>(Tables(TrimRecords::rules()), make,
                           {{"records of trims are gathered that fill a slot.", AS(it.gathered_bytes_ = 512)},
                            {kPasses, AS(it.gathered_bytes_ = 511)}});
  }

  static void host_map_cache() {
    const auto make = [] {
      HostMapCache host(2, 8);
      host.put(0);
      host.put(1);
      return host;
    };
    const char* const unplaced = "a page in the host's memory has no place in the order of their coming.";
    try_rules<HostMapCache>(Tables(HostMapCache::rules()), make,
                            {{"the host's memory holds a page of the map that does not exist.", AS(it.order_[0].page = 8)},
                             {unplaced, AS(it.order_[0].page = 7)},
                             {unplaced, AS(it.stamp_[0] = 77)},
                             {"its pages in the host's memory do not add up.", AS(it.stamp_[7] = 9)},
                             {"its pages in the host's memory do not add up.", AS(it.count_ = 1)},
                             {"more pages are in the host's memory than fit into it.", AS(it.capacity_ = 3; it.put(2))},
                             {"more pages are in the host's memory than ever came there.", AS(it.newest_ = 1)}});
  }

  static void fingerprints() {
    const auto make = [] {
      Fingerprints table(24, 8);
      for (std::uint32_t i = 0; i < 3; ++i) table.enter(Lpn{i}, {10 + i, 0});
      return table;
    };
    const char* const ends = "it has an oldest or a youngest entry, and none, or none of several.";
    try_rules<Fingerprints>(
        Tables(Fingerprints::rules()), make,
        {{"the oldest or the youngest entry does not exist.", AS(it.oldest_ = 24)},
         {"the oldest or the youngest entry does not exist.", AS(it.youngest_ = 24)},
         {kPasses, AS(it.oldest_ = it.youngest_ = 23)},
         {ends, AS(it.count_ = 0; it.oldest_ = Fingerprints::kNone)},
         {ends, AS(it.count_ = 0; it.youngest_ = Fingerprints::kNone)},
         {ends, AS(it.oldest_ = Fingerprints::kNone)},
         {ends, AS(it.youngest_ = Fingerprints::kNone)},
         {kPasses, AS(it.count_ = 0; it.oldest_ = it.youngest_ = Fingerprints::kNone)},
         {"it holds more entries than fit into it.", AS(it.count_ = 9)},
         {kPasses, AS(it.count_ = 8)},
         {"an entry leads to one that does not exist.", AS(it.entries_[23].older = 24)},
         {"an entry leads to one that does not exist.", AS(it.entries_[23].younger = 24)},
         {kPasses, AS(it.entries_[0].older = it.entries_[0].younger = 23)},
         {"the table leads to an entry that does not exist.", AS(it.slots_[0] = 24)},
         {kPasses, AS(it.slots_[0] = 23)},
         {"the table is full.", AS(for (std::size_t i = 0; i < it.slots_.size(); ++i) it.slots_[i] = 0)},
         {kPasses, AS(for (std::size_t i = 1; i < it.slots_.size(); ++i) it.slots_[i] = 0; it.slots_[0] = it.kNone)}});
  }

  static void refresh() {
    const auto make = [] { return Refresh({1, 0, Nanoseconds{1'000'000'000}, 1}, 8, 1); };
    try_rules<Refresh>(Tables(Refresh::rules()), make,
                       {{"it stands behind the last superblock.", AS(it.cursor_ = 9)}, {kPasses, AS(it.cursor_ = 8)}});
  }

  static void defects() {
    const auto make = [] { return Defects(6, 2, 4); };
    try_rules<Defects>(Tables(Defects::rules()), make,
                       {{"a superblock is made of a block that does not exist.", AS(it.serving_[23] = 24)},
                        {kPasses, AS(it.serving_[0] = 23; it.serving_[1] = Defects::kNone)},
                        {"a block is of no use.", AS(it.use_[23] = static_cast<BlockUse>(4))},
                        {kPasses, AS(it.use_[23] = BlockUse::grown_bad)},
                        {"a spare block does not exist.", AS(it.next_spare_[23] = 24)},
                        {"a spare block does not exist.", AS(it.first_spare_[7] = 24)},
                        {kPasses, AS(it.next_spare_[23] = it.first_spare_[7] = 23)},
                        {"there are more spare blocks than blocks.", AS(it.spares_[7] = 25)},
                        {kPasses, AS(it.spares_[7] = 24)}});
  }

  static Bins bins_of(Bins::Keeping keeping) {
    Bins bins(keeping, 8, 4);
    bins.enter(SuperblockId{3}, 2);
    bins.enter(SuperblockId{5}, 2);
    bins.enter(SuperblockId{1}, 4);
    return bins;
  }
  static void bins() {
    const char* const unknown = "it names a superblock that does not exist.";
    const char* const torn = "its members contradict each other.";
    const Tables tables(Bins::rules());
    Tables lists = tables, sorted = tables;
    lists.sentences = {unknown, torn, "it holds more than there is.", "its lowest bin does not exist."};
    try_rules<Bins>(lists, [] { return bins_of(Bins::Keeping::fifo); },
                    {{unknown, AS(it.next_[7] = SuperblockId{8})},
                     {unknown, AS(it.previous_[7] = SuperblockId{8})},
                     {unknown, AS(it.list_first_[4] = SuperblockId{8})},
                     {unknown, AS(it.list_last_[4] = SuperblockId{8})},
                     {kPasses, AS(it.next_[0] = it.previous_[0] = SuperblockId{7})},
                     {"it holds more than there is.", AS(it.count_ = 9)},
                     {torn, AS(it.count_ = 8)},
                     {torn, AS(it.count_ = 2)},
                     {"its lowest bin does not exist.", AS(it.lowest_ = 6)},
                     {kPasses, AS(it.lowest_ = 5)},
                     {torn, AS(it.previous_[5] = kNoBlock)},
                     {torn, AS(it.list_last_[2] = SuperblockId{3})},
                     {torn, AS(it.list_last_[0] = SuperblockId{3})},
                     {torn, AS(it.list_first_[4] = SuperblockId{0})}});
    sorted.sentences.erase("it holds more than there is.");
    sorted.sentences.erase("its lowest bin does not exist.");
    try_rules<Bins>(sorted, [] { return bins_of(Bins::Keeping::sorted); },
                    {{unknown, AS(it.order_[7] = SuperblockId{8})},
                     {"a superblock has no place in it.", AS(it.place_[0] = 8)},
                     {kPasses, AS(it.place_[0] = 7)},
                     {"a bin begins outside of it.", AS(it.first_[5] = 9)},
                     {torn, AS(it.first_[5] = 8)},
                     {torn, AS(it.first_[5] = 2)},
                     {torn, AS(it.first_[0] = it.first_[1] = it.first_[2] = 1)},
                     {torn, AS(it.order_[0] = kNoBlock)},
                     {torn, AS(it.first_[2] = 3; it.first_[3] = 2)},
                     {torn, AS(it.order_[2] = kNoBlock)},
                     {torn, AS(it.place_[1] = 0)},
                     {kPasses, AS(it.first_[2] = it.first_[1] = 2)}});
    Tables none = tables;
    none.sentences = {"its lowest bin does not exist."};
    try_rules<Bins>(none, [] { return bins_of(Bins::Keeping::none); },
                    {{kPasses, AS(it.count_ = 99)}, {"its lowest bin does not exist.", AS(it.lowest_ = 6)}});
  }

  static void coalescing_buffer() {
    struct Saved {
      std::vector<CoalescedPage> pages{{Lpn{9}, Version{1}, 4095, 4096, 0, 0, 1000, {}},
                                       {Lpn{0}, Version{2}, 0, 1, 0, 0, 0, {}}};
      void archive(Archive& file) {
        CoalescingBuffer buffer(2);
        if (file.loading()) return buffer.archive(file, 10, 4096);
        file.section("held pages");
        file.list(pages, 9);
      }
    };
    const auto make = [] { return Saved(); };
    try_rules<Saved>(Tables(CoalescingBuffer::rules()), make,
                     {{"a page is kept that does not exist.", AS(it.pages[0].lpn = Lpn{10})},
                      {"a buffered range lies outside of its page.", AS(it.pages[1].end_byte = 0)},
                      {"a buffered range lies outside of its page.", AS(it.pages[0].end_byte = 4097)},
                      {"a buffered range would compress to more than a page.", AS(it.pages[0].stored = 1001)},
                      {"a page is kept twice.", AS(it.pages[1].lpn = Lpn{9})},
                      {kPasses, AS(it.pages.push_back(it.pages[0]); it.pages[2].lpn = Lpn{1})},
                      {"a list has 4 entries where at most 3 can be.", AS(it.pages.resize(4))}});
  }

  static void frontier() {
    struct Part : Frontier {
      Part() : Frontier(small_layout(), 0, {0, false, 2, false}) {
        open(SuperblockId{1}, false);
        take();
      }
      void archive(Archive& file) { Frontier::archive(file, 16, 8); }
    };
    const auto make = [] { return Part(); };
    REQUIRE(make().full_capacity_ == 16);
    REQUIRE(make().pslc_capacity_ == 8);
    try_rules<Part>(Tables(Frontier::rules()), make,
                    {{"a frontier lies in a superblock that does not exist.", AS(it.block_ = SuperblockId{8})},
                     {kPasses, AS(it.block_ = SuperblockId{7})},
                     {"it holds as much as no superblock does.", AS(it.capacity_ = 9)},
                     {kPasses, AS(it.capacity_ = 8)},
                     {"it stands where no superblock has a page.", AS(it.used_ = 17)},
                     {"it stands where no superblock has a page.", AS(it.next_ = 17)},
                     {kPasses, AS(it.used_ = it.next_ = 16)}});
  }
  static void stage() {
    struct Part : Stage {
      Part() : Stage(2) { add(Lpn{4}, Version{1}, true); }
      std::uint32_t next = 1;
      void archive(Archive& file) { Stage::archive(file, next, 16, true); }
    };
    const auto make = [] { return Part(); };
    const char* const more = "more staged pages are marked as host or copyback pages than are staged.";
    try_rules<Part>(
        Tables(Stage::rules()), make,
        {{"more pages are staged than a stripe has.", AS(it.count_ = 3)},
         {"more pages are staged than it took.", AS(it.count_ = 2)},
         {more, AS(it.host_pages_ = 2)},
         {more, AS(it.internal_pages_ = 2)},
         {kPasses, AS(it.internal_pages_ = 1)},
         {"a list is shorter than this drive has it.", AS(it.lpns_.pop_back())},
         {"a page waits for a slot outside of its superblock.", AS(it.waiting_ = {{{Lpn{1}, Version{1}, 1}, 16}})},
         {kPasses, AS(it.waiting_.resize(4, {{Lpn{1}, Version{1}, 1}, 15}))}});
  }

  static void map_cache() {
    // Single entries have logical page numbers.
    for (const bool whole : {true, false}) {
      const auto make = [whole] {
        MapCache cache({whole, 4 * 64, 64, 64, 16, MapCacheConfig::Eviction::segmented_lru, 8, true, 0}, 16 * 10 - 5);
        std::vector<std::uint32_t> write_back;
        for (std::uint32_t i = 0; i < 4; ++i) cache.access(16 * i, i == 1, write_back);
        return cache;
      };
      const char* const nowhere = "an entry leads to one that does not exist.";
      const char* const dirty_nowhere = "a dirty entry leads to one that does not exist.";
      const char* const sum = "its units and its free slots are not as many as its slots.";
      try_rules<MapCache>(
          Tables(MapCache::rules(), EvictionOrder::rules(), DirtyUnits::rules()), make,
          {{nowhere, AS(it.order_.nodes_[6].newer = 7)},
           {nowhere, AS(it.order_.nodes_[0].older = 7)},
           {nowhere, AS(it.order_.nodes_[0].list = 3)},
           {kPasses, AS(it.order_.nodes_[0].older = 6)},
           {sum, AS(++it.order_.length_[0])},
           {sum, AS(it.order_.length_ = {})},
           {dirty_nowhere, AS(it.dirty_.nodes_[0].before = 4)},
           {dirty_nowhere, AS(it.dirty_.nodes_[0].after = 4)},
           {kPasses, AS(it.dirty_.nodes_[0] = {3, 3})},
           {"a list of dirty entries begins with one that does not exist.", AS(it.dirty_.first_[9] = 4)},
           {kPasses, AS(it.dirty_.first_[9] = 3)},
           {"an entry is of a page that does not exist.", AS(it.unit_[0] = static_cast<std::uint32_t>(it.slot_.size()))},
           {kPasses, AS(it.unit_[0] = static_cast<std::uint32_t>(it.slot_.size()) - 1)},
           {"the index leads to an entry that does not exist.", AS(it.slot_[0] = 4)}});
    }
  }

  // --- whole drives ---
  static PageStore& store(Drive& drive) { return drive.parts_.layer->store_; }
  static Relocation& relocation(Drive& drive) { return drive.parts_.layer->collection_.relocations_[0]; }

  static void deduplication() {
    const char* const more = "it counts more pages than there are.";
    try_drive(
        Tables(Deduplication::rules()), document("sharing"),
        {{"a page has a content that does not exist.",
          AS(auto& d = *it.parts_.back.deduplication; d.content_[0] = d.pages())},
         {kPasses, AS(auto& d = *it.parts_.back.deduplication; d.content_[0] = d.pages() - 1)},
         {"a content that is free does not exist.", AS(auto& d = *it.parts_.back.deduplication; d.free_[0] = d.pages())},
         {kPasses, AS(auto& d = *it.parts_.back.deduplication; d.free_[0] = d.pages() - 1)},
         {more, AS(auto& d = *it.parts_.back.deduplication; d.free_count_ = d.pages() + 1)},
         {more, AS(auto& d = *it.parts_.back.deduplication; d.mapped_pages_ = d.pages() + 1)},
         {kPasses, AS(auto& d = *it.parts_.back.deduplication; d.free_count_ = d.mapped_pages_ = d.pages())}});
  }

  static void rewrites(Drive& drive, std::uint32_t behind_end) {
    Extents& extents = static_cast<Extents&>(*drive.parts_.layer->scheme_);
    extents.region_ = 1;
    extents.next_ = extents.region_end() + behind_end;
  }
  static void extents() {
    const char* const outside = "it continues outside of the region that is rewritten.";
    try_drive(
        Tables(Extents::rules()), document("extent"),
        {{"the region that is rewritten does not exist.", AS(auto& e = static_cast<Extents&>(*it.parts_.layer->scheme_);
                                                             e.region_ = static_cast<std::uint32_t>(e.least_.size()))},
         {kPasses, AS(auto& e = static_cast<Extents&>(*it.parts_.layer->scheme_);
                      e.region_ = static_cast<std::uint32_t>(e.least_.size()) - 1; e.next_ = e.region_begin())},
         {outside,
          AS(auto& e = static_cast<Extents&>(*it.parts_.layer->scheme_); e.region_ = 1; e.next_ = e.region_begin() - 1)},
         {outside, AS(rewrites(it, 1))},
         {kPasses, AS(rewrites(it, 0))}});
  }

  static void log_blocks() {
    const Tables tables(LogBlocks::rules());
    const char* const block = "a log block does not exist.";
    const char* const owner = "a log block has no owner.";
    const char* const home = "a logical superblock lies outside of the flash.";
    try_drive(tables, document("bast"),
              {{home, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).home_[0] = 48)},
               {kPasses, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).home_[0] = 47)},
               {block, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).logs_[3] = {48, 0, 0})},
               {owner, AS(auto& l = static_cast<LogBlocks&>(*it.parts_.layer->scheme_);
                          l.logs_[3] = {47, static_cast<std::uint32_t>(l.home_.size()), 0})},
               {kPasses, AS(auto& l = static_cast<LogBlocks&>(*it.parts_.layer->scheme_);
                            l.logs_[3] = {47, static_cast<std::uint32_t>(l.home_.size()) - 1, 0})},
               {kPasses, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).logs_[3] = {})}});
    try_drive(tables, document("fast"),
              {{home, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).home_[0] = 48)},
               {block, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).logs_[1] = {48, 0, 0})},
               {owner, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).logs_[0] = {47, LogBlocks::kNone, 0})},
               {kPasses, AS(static_cast<LogBlocks&>(*it.parts_.layer->scheme_).logs_[1] = {47, LogBlocks::kNone, 0})}});
  }

  static void zones() {
    const char* const pointer = "a write pointer contradicts the state of its zone.";
    const char* const more = "more zones are open or active than may be.";
    const char* const place = "a zone lies outside of the flash.";
    const char* const owner = "a frontier writes a zone that does not exist.";
    using enum ZoneState;
    try_drive(
        Tables(ZonedMap::rules(), ZoneTable::rules()), document("zoned"),
        {{place, AS(static_cast<ZonedMap&>(*it.parts_.layer->scheme_).blocks_[0] = 48)},
         {owner, AS(static_cast<ZonedMap&>(*it.parts_.layer->scheme_).owners_[2] = 14)},
         {"a zone is in a state that does not exist.", AS(it.parts_.zones.zones_[13].state = static_cast<ZoneState>(5))},
         {pointer, AS(it.parts_.zones.zones_[13] = {empty, 4096})},
         {pointer, AS(it.parts_.zones.zones_[13] = {full, 4096})},
         {pointer, AS(it.parts_.zones.zones_[13] = {closed, 524288})},
         {pointer, AS(it.parts_.zones.zones_[13] = {closed, 2048})},
         {kPasses, AS(for (int i = 0; i < 2; ++i) it.parts_.zones.zones_[i] = {implicitly_open, 0})},
         {more, AS(for (int i = 0; i < 3; ++i) it.parts_.zones.zones_[i] = {implicitly_open, 0})},
         {more, AS(for (int i = 0; i < 4; ++i) it.parts_.zones.zones_[i] = {closed, 0})}});
    Drive drive(read_drive(document("zoned")), Clock::timed), other(read_drive(document("zoned")), Clock::timed);
    drive.parts_.zones.zones_[13] = {closed, 4096};
    CHECK_THROWS_WITH(other.load(drive.save()), "the saved state contradicts itself: a zone ends elsewhere than its data");
  }

  static void demand_map() {
    try_drive(Tables(DemandMap::rules()), document("demand pages"),
              {{"a translation page does not exist.", AS(auto& d = static_cast<DemandMap&>(*it.parts_.layer->scheme_);
                                                         d.outdated_ = {static_cast<std::uint32_t>(d.is_outdated_.size())})},
               {kPasses, AS(auto& d = static_cast<DemandMap&>(*it.parts_.layer->scheme_);
                            d.outdated_ = {static_cast<std::uint32_t>(d.is_outdated_.size()) - 1})}});
  }

  static void page_map() {
    try_drive(Tables(PageMap::rules()), document("page"),
              {{"a logical page lies outside of the flash.", AS(store(it).pages_.map_.map_[0] = Ppn{48 * 64})},
               {kPasses, AS(store(it).pages_.map_.map_[0] = Ppn{48 * 64 - 1})}});
  }

  static void blocks() {
    const char* const follows = "a superblock follows one that does not exist.";
    const char* const begins = "a pool begins with a superblock that does not exist.";
    const char* const owned = "a superblock is in a pool that may not take it.";
    Tables tables(Blocks::rules(), FreeBlocks::rules(), ClosedBlocks::rules(), ClosedBlocks::rules_of_pools());
    tables.sentences.erase(owned);
    try_drive(tables, document("frequency"),
              {{"a superblock is in no state.", AS(store(it).blocks_.columns_.state[47] = static_cast<BlockState>(6))},
               {kPasses, AS(store(it).blocks_.columns_.state[47] = BlockState::retired)},
               {"a superblock is in no pool.", AS(store(it).blocks_.columns_.pool[47] = 1)},
               {follows, AS(store(it).blocks_.closed_.older_[47] = SuperblockId{48})},
               {follows, AS(store(it).blocks_.closed_.younger_[47] = SuperblockId{48})},
               {kPasses, AS(store(it).blocks_.closed_.older_[0] = store(it).blocks_.closed_.younger_[0] = SuperblockId{47})},
               {"a free superblock does not exist.", AS(store(it).blocks_.free_.ring_[47] = SuperblockId{48})},
               {"a superblock has too many pages.", AS(store(it).blocks_.columns_.valid[47] = 65)},
               {kPasses, AS(store(it).blocks_.columns_.valid[47] = 64)},
               {"its free superblocks are too many.", AS(store(it).blocks_.free_.count_ = 49)},
               {kPasses, AS(store(it).blocks_.free_.count_ = 48)},
               {"its free superblocks begin outside of their ring.", AS(store(it).blocks_.free_.first_ = 48)},
               {kPasses, AS(store(it).blocks_.free_.first_ = 47)},
               {begins, AS(store(it).blocks_.closed_.pools_[0].oldest = SuperblockId{48})},
               {begins, AS(store(it).blocks_.closed_.pools_[0].youngest = SuperblockId{48})},
               {begins, AS(store(it).blocks_.closed_.pools_[0].oldest_outside_window = SuperblockId{48})},
               {kPasses, AS(store(it).blocks_.closed_.pools_[0].oldest_outside_window = SuperblockId{47})}});
    tables.sentences = {owned};
    try_drive(tables, document("grouped"), {{owned, AS(store(it).blocks_.columns_.pool[94] = 1)}});
  }

  static void reclaim_groups() {
    try_drive(Tables(ReclaimGroups::rules()), document("grouped"),
              {{"pages of a reclaim group go to a frontier that does not exist.",
                AS(it.parts_.layer->collection_.groups_.instead_[3] = 4)},
               {kPasses, AS(it.parts_.layer->collection_.groups_.instead_[3] = 2)}});
  }

  // Puts a page in RAM, stage 5, at the first frontier; superblock `block` is erased once `stage` is programmed.
  static void waits(Drive& drive, std::uint32_t block, std::uint64_t stage) {
    PageStore& it = store(drive);
    for (Stage& one : it.stages_) one.count_ = one.host_pages_ = one.internal_pages_ = 0;
    it.stages_[0].count_ = 1;
    it.frontiers_[0].next_ = std::max(it.frontiers_[0].next_, 1u);
    it.stages_[0].id_ = 5;
    it.blocks_.columns_.state[block] = BlockState::pending_erase;
    EraseQueue& erases = it.erases_;
    erases.pending_ = {{block, stage}};
    erases.waiting_.assign(erases.waiting_.size(), 0);
    ++erases.waiting_[it.blocks_.columns_.pool[block]];
  }
  static void supply() {
    try_drive(Tables(SuperblockSupply::rules()), document("page"),
              {{"a reclaim unit has a superblock that does not exist.",
                AS(store(it).supply_.set_aside_[1] = {SuperblockId{48}})}});
  }
  static void erase_queue() {
    const char* const vain = "a superblock waits for its erase, but for nothing that is staged.";
    try_drive(Tables(EraseQueue::rules()), document("page"),
              {{"a superblock to be erased does not exist.", AS(store(it).erases_.pending_ = {{48, 0}})},
               {kPasses, AS(waits(it, 47, 5))},
               {vain, AS(waits(it, 47, 4))},
               {vain, AS(waits(it, 47, 5); store(it).stages_[0].count_ = store(it).stages_[0].host_pages_ = 0)},
               {vain, AS(waits(it, 47, 5); store(it).blocks_.columns_.state[47] = BlockState::closed)},
               {vain, AS(waits(it, 47, 5); ++store(it).erases_.waiting_[0])},
               {vain, AS(waits(it, 47, 5); store(it).erases_.pending_.clear())}});
    Tables only_waits(EraseQueue::rules());
    only_waits.sentences = {vain};
    try_drive(only_waits, document("pools"),
              {{kPasses, AS(store(it).blocks_.columns_.pool[47] = 0; waits(it, 47, 5))},
               {vain, AS(store(it).blocks_.columns_.pool[47] = 1; waits(it, 47, 5))}});
    try_drive(only_waits, document("streams"),
              {{kPasses, AS(waits(it, 47, 4); store(it).erases_.replaced_[0] = {SuperblockId{47}})},
               {vain, AS(waits(it, 47, 5))}});
  }

  static Victim& victim(Drive& drive) { return relocation(drive).victim_; }
  static void collects(Drive& drive, std::uint32_t block) {
    victim(drive).block_ = SuperblockId{block};
    store(drive).blocks_.columns_.state[block] = BlockState::collecting;
  }
  static void even_pace() {
    try_rules<EvenPace>(
        Tables(EvenPace::rules()), [] { return EvenPace(8, 1, 1); },
        {{"more pages of its victim were moved than a superblock has.", AS(it.moved_ = 9)}, {kPasses, AS(it.moved_ = 8)}});
  }

  static void relocation() {
    const char* const collected = "its victim is not being collected, or not in its pool.";
    const char* const no_page = "its position is not a page.";
    const char* const no_word = "it scans beyond the superblock.";
    const char* const behind = "it has found a page behind the last one.";
    const char* const runs = "it moves runs of pages, which this drive does not.";
    const Tables all(Victim::rules(), Destinations::rules(), PageMover::rules());
    Tables tables = all;
    tables.sentences = {runs, collected};
    try_drive(tables, document("packed"),
              {{runs, AS(relocation(it).mover_.by_runs_ = true)},
               {kPasses, AS(relocation(it).mover_.by_runs_ = false)},
               {collected, AS(collects(it, 35); store(it).blocks_.columns_.state[35] = BlockState::closed)}});
    tables.sentences = {collected, no_word};
    try_drive(tables, document("pools"),  // 64 pages
              {{kPasses, AS(relocation(it).mover_.by_runs_ = true)},
               {kPasses, AS(store(it).blocks_.columns_.pool[47] = 0; collects(it, 47))},
               {collected, AS(store(it).blocks_.columns_.pool[47] = 1; collects(it, 47))},
               {kPasses, AS(victim(it).block_ = kNoBlock)},
               {no_word, AS(victim(it).word_ = 1; victim(it).bits_ = 0)}});
    tables = all;
    tables.sentences.erase(runs);
    Node design = document("page");
    for (const char* const part : {"geometry.pages_per_block=65", "ftl.superblock.dies=1", "ftl.superblock.planes=1"})
      set_by_path(design, part);
    try_drive(tables, design,
              {{"its victim does not exist.", AS(victim(it).block_ = SuperblockId{384})},
               {collected, AS(victim(it).block_ = SuperblockId{383})},
               {"it relocates without a cause.", AS(victim(it).cause_ = static_cast<RelocationCause>(5))},
               {kPasses, AS(victim(it).cause_ = RelocationCause::refresh)},
               {"its pages go to a frontier that does not exist.", AS(relocation(it).destinations_.fixed_class_ = 2)},
               {kPasses, AS(relocation(it).destinations_.fixed_class_ = 1)},
               {kPasses, AS(victim(it).ahead_.resize(64))},
               {no_page, AS(victim(it).ahead_ = {65})},
               {no_page, AS(victim(it).shuffled_ = {65})},
               {kPasses, AS(victim(it).ahead_ = victim(it).shuffled_ = {64})},
               {no_word, AS(victim(it).word_ = 2; victim(it).bits_ = 0)},
               {behind, AS(victim(it).word_ = 1; victim(it).bits_ = 2)},
               {kPasses, AS(victim(it).word_ = 1; victim(it).bits_ = 1)},
               {kPasses, AS(victim(it).word_ = 0; victim(it).bits_ = ~std::uint64_t{0})}});
  }
  // A piece that waits for `pages` pages of read-ahead, of which two are in flight.
  static void ahead(Drive& it, std::uint32_t pages) {
    Pieces& pieces = it.reads_.pieces_;
    Fetches& fetches = it.reads_.fetches_;
    pieces.pieces_.resize(2);
    pieces.free_.clear();
    fetches.pieces_.push(1);
    fetches.pieces_.push(1);
    fetches.first_ = pieces.pieces_[1].fetch = 7;
    pieces.pieces_[1].fetches = pages;
  }
  static void pieces(Drive& it, std::size_t count, std::vector<std::uint32_t> free) {
    it.reads_.pieces_.pieces_.resize(count);
    it.reads_.pieces_.free_ = std::move(free);
  }
  // Requests a program from the layer only: with a record the list passes no program to the engine.
  static void ask_for_program(Drive& it, std::uint8_t frontier) {
    WorkList& work = it.parts_.back.work;
    work.erase(Die{0}, SuperblockId{0}, 1, 1);
    work.program({Die{0}, 0, SuperblockId{0}, frontier, false, 0, 0, 0}, 1);
    work.clear();
  }
  static void drive() {
    const char* const twice = "a piece of a read is free twice.";
    const char* const alone = "a piece of a read is of no read ahead.";
    try_drive(Tables(Drive::rules(), Pieces::rules(), ReadPath::rules()), document("queued"),
              {{"its pieces of reads are not counted from 1.", AS(pieces(it, 0, {}))},
               {"a piece of a read is not there.", AS(pieces(it, 3, {1, 3}))},
               {kPasses, AS(pieces(it, 3, {1, 2}))},
               {twice, AS(pieces(it, 3, {1, 1}))},
               {twice, AS(pieces(it, 2, {0, 1}))},
               {alone, AS(pieces(it, 2, {}))},
               {alone, AS(ahead(it, 2); it.reads_.fetches_.pieces_.front() = 0)},
               {alone, AS(ahead(it, 3))},
               {kPasses, AS(ahead(it, 2))},
               {"its layer has asked for other programs than its flash.", AS(ask_for_program(it, 0))},
               {"its layer has asked for other programs than its flash.", AS(ask_for_program(it, 1))}});
  }
};

TEST_CASE("each rule of a loaded FTL state refuses only its own violations") {
  const std::size_t before = Tables::all().size();
  LoadedStates::LayerRules::trims();
  LoadedStates::LayerRules::trim_records();
  LoadedStates::LayerRules::host_map_cache();
  LoadedStates::LayerRules::fingerprints();
  LoadedStates::LayerRules::refresh();
  LoadedStates::LayerRules::defects();
  LoadedStates::LayerRules::bins();
  LoadedStates::LayerRules::coalescing_buffer();
  LoadedStates::LayerRules::frontier();
  LoadedStates::LayerRules::stage();
  LoadedStates::LayerRules::map_cache();
  LoadedStates::LayerRules::deduplication();
  LoadedStates::LayerRules::extents();
  LoadedStates::LayerRules::log_blocks();
  LoadedStates::LayerRules::zones();
  LoadedStates::LayerRules::demand_map();
  LoadedStates::LayerRules::page_map();
  LoadedStates::LayerRules::blocks();
  LoadedStates::LayerRules::supply();
  LoadedStates::LayerRules::reclaim_groups();
  LoadedStates::LayerRules::erase_queue();
  LoadedStates::LayerRules::even_pace();
  LoadedStates::LayerRules::relocation();
  LoadedStates::LayerRules::drive();
  CHECK(Tables::all().size() - before == tables_in_sources({"ftl"}));
}

}  // namespace ftlab
