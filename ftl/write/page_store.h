// Data path of the FTL: keeps mapping, block state, frontiers and medium consistent. Every page movement goes through these
// few calls, which are independent of policies and requests.
#pragma once

#include "ftl/config.h"
#include "ftl/write/erase_queue.h"
#include "ftl/write/page_run.h"
#include "ftl/write/page_table.h"
#include "ftl/write/stage_retry.h"

namespace ftlab {

class Deduplication;

class PageStore {
 public:
  // Starts from the state found on `medium` (ftl/recovery/power_on_scan). The mapping scheme's own pages have LPNs from
  // `host_lpns` on. `health`, `errors`: null if the flash never fails, or has no bit errors. `shared`: deduplicating drives
  // only, decides which copy of each content is valid; null: the newest. REQUIRES: medium, work, health and errors outlive
  // the store.
  PageStore(const FtlConfig& config, std::uint32_t host_lpns, Medium& medium, WorkList& work, BadBlockTable* health,
            MediaErrors* errors, const Deduplication* shared);
  PageStore(const PageStore&) = delete;  // its members refer to each other

  // --- pages ---
  // Appends new content of the page to the frontier, in consecutive slots (one, unless the drive compresses), and makes the
  // old copy stale. `lost`: it is a copy of lost content. `pages`: of the host, several in order, one slot each, with versions
  // in order. REQUIRES: room for all slots at the frontier.
  void append(const Frontier& frontier, Lpn lpn, Version version, std::uint32_t slots, bool from_host,
              Signal data = kNoSignal, bool lost = false, std::uint32_t pages = 1);
  // Moves pages [first, end) of a run of valid pages, from a superblock that is being collected, as far as the frontier has
  // room (its stage, unless moves_runs()). Returns the number moved. Calls feed(i, j, program) in order: pages [i, j) go
  // into that program and the following ones, one stripe each. `internal`: by copyback, the data did not leave the die.
  // REQUIRES: the frontier has room.
  template <class Feed>
  std::uint32_t move(SuperblockId from, const PageRun& run, std::uint32_t first, std::uint32_t end, const Frontier& frontier,
                     bool internal, Feed&& feed);
  // Pads one slot. REQUIRES: the frontier has room, or an incomplete stage.
  void pad(const Frontier& frontier);
  // Unmaps a trimmed page. No-op if it is not mapped.
  void unmap(Lpn lpn) { pages_.unmap(lpn); }
  // Records the trim on the medium, so that no copy of the page comes back after a power cut. REQUIRES: it is mapped.
  void record_trim(Lpn lpn, Version version) {
    FTLAB_DCHECK(pages_.map().find(lpn) != kNoPpn, "page " + std::to_string(number(lpn)) + " is trimmed, but not mapped");
    medium_.trim(lpn, version);
  }

  // --- superblocks ---
  // REQUIRES: supply().can_open(); the frontier has no room and nothing staged.
  void open(const Frontier& frontier, bool pslc);
  // Closes the frontier's superblock before it is full: pads and programs what is staged. If that fails, the frontier
  // continues in another superblock, or not at all. REQUIRES: the superblock holds a page.
  void close_early(const Frontier& frontier);
  // Call before the pages of a closed superblock are moved.
  void start_collecting(SuperblockId block) { blocks_.start_collecting(block); }
  // Erases a superblock without valid pages as soon as all pages that replace its own are programmed.
  void reclaim(SuperblockId block);
  // Closing times, and what the medium counts since this store was made, but the store did not see.
  void set_past(std::span<const std::uint64_t> closed_at, std::uint64_t pages, std::uint64_t erased_superblocks);

  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    medium_.renumber(number_of);
    for (Stage& stage : stages_) stage.renumber(number_of);
    pages_.renumber(number_of);
  }

  const PageTable& pages() const { return pages_; }
  const Blocks& blocks() const { return blocks_; }
  const Medium& medium() const { return medium_; }
  const std::vector<Frontier>& frontiers() const { return frontiers_; }
  const std::vector<Stage>& stages() const { return stages_; }  // by frontier
  const SuperblockSupply& supply() const { return supply_; }
  const EraseQueue& erases() const { return erases_; }
  const StoreCounts& counts() const { return counts_; }

  template <class A>
  void archive(A& archive);

 private:
  friend struct BrokenDrive;
  // The mutable frontier for one that frontiers() returned.
  Frontier& own(const Frontier& frontier) {
    FTLAB_DCHECK(&frontier == &frontiers_[frontier.number()], "a frontier of another store");
    return frontiers_[frontier.number()];
  }
  void begin_stage(Stage& stage) {
    if (stage.count() == 0) stage.begin(++newest_stage_);
  }
  void note_replaced(const Frontier& frontier, Ppn old) {
    if (erases_.by_replaced() && old != kNoPpn) erases_.note_replaced(frontier, layout_.block_of(old));
  }
  void stage_slots(Frontier& frontier, Lpn lpn, Version version, std::uint32_t slots, bool from_host, Signal data);
  void append_in_order(Frontier& frontier, Lpn first, Version first_version, std::uint32_t pages);
  void program_stage(Frontier& frontier);
  void pass(Frontier& frontier, std::span<const Lpn> lpns, Ppn source, std::span<const std::uint32_t> positions);
  void close_if_full(Frontier& frontier);
  void erase_ready();

  Medium& medium_;
  Layout layout_;
  Blocks blocks_;
  std::vector<Frontier> frontiers_;
  std::vector<Stage> stages_;
  PageTable pages_;
  SuperblockSupply supply_;
  StripeWriter writer_;
  EraseQueue erases_;
  StoreCounts counts_;
  StageRetry retry_;
  std::uint64_t newest_stage_ = 0;
  bool moves_runs_;
};

// True if whole stripes can be moved without looking at each page: no failing programs, no parity, no compression.
bool moves_runs(const PageStore& store);
// Pads an incomplete stage and thus programs it. A complete stage is left alone: it found no place in the flash.
void fill_stripe(PageStore& store, const Frontier& frontier);
// For the end of life, when nothing is relocated and no reserve is kept: a frontier of any pool with room for one more page
// of `slots` slots; null if none.
const Frontier* last_room(PageStore& store, std::uint32_t slots);

[[gnu::always_inline]] inline void PageStore::append(const Frontier& behind, Lpn lpn, Version version, std::uint32_t slots,
                                                     bool from_host, Signal data, bool lost, std::uint32_t pages) {
  Frontier& frontier = own(behind);
  if (pages > 1) return append_in_order(frontier, lpn, version, pages);
  FTLAB_CHECK(frontier.room() >= slots, "frontier " + std::to_string(frontier.number()) + " has too little room");
  const bool one_slot = pages_.largest_page() == 1;
  const Ppn old = pages_.replace(lpn, one_slot);
  counts_.pages_appended += slots;
  counts_.host_pages_appended += from_host;
  if (from_host) pages_.note_version(version);
  if (one_slot) [[likely]] {
    Stage& stage = stages_[frontier.number()];
    begin_stage(stage);
    note_replaced(frontier, old);
    if (data != kNoSignal) writer_.wait(frontier, data);
    const std::uint32_t position = frontier.take();
    stage.add(lpn, version, from_host);
    pages_.gain(frontier.block(), position, lpn);
    if (stage.complete()) program_stage(frontier);
  } else {
    stage_slots(frontier, lpn, version, slots, from_host, data);
  }
  if (lost) [[unlikely]]
    pages_.mark_lost(pages_.map().find(lpn));
}

template <class A>
void PageStore::archive(A& archive) {
  archive.section("page store");
  blocks_.archive(archive);
  const bool may_wait = supply_.health() != nullptr && pages_.largest_page() > 1;
  for (Frontier& frontier : frontiers_) {
    frontier.archive(archive);
    stages_[frontier.number()].archive(archive, may_wait);
  }
  pages_.archive(archive);
  supply_.archive(archive);
  archive.value(newest_stage_);
  erases_.archive(archive);
  archive.value(counts_);
}

}  // namespace ftlab
