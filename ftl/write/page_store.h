// Where data live: mapping, blocks, frontiers and medium as one consistent whole. Everything that moves a page, host write
// or relocation, goes through these few calls; they know nothing of policies or of requests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/blocks/blocks.h"
#include "ftl/blocks/valid_bits.h"
#include "ftl/config.h"
#include "ftl/mapping/page_map.h"
#include "ftl/read/page_reader.h"
#include "ftl/write/frontier.h"
#include "ftl/write/page_run.h"
#include "models/nand/array/medium.h"
#include "models/nand/reliability/media_errors.h"
#include "models/nand/schedule/work_list.h"
#include "sim/core/rule.h"

namespace ftlab {

class Deduplication;

class PageStore {
 public:
  // Takes up the state that `medium` holds (power-on scan, see recover.cpp); an erased medium makes an empty store.
  // The mapping scheme's own pages have the logical numbers after the host's `host_lpns`.
  // `health`: of a flash that wears out and fails; null: it does neither. `errors`: of a flash whose pages have bit errors;
  // null: they have none. `shared`: of a drive that deduplicates, which copy of each content is the current one; null: the
  // newest is. REQUIRES: medium, work, health and errors outlive the store.
  PageStore(const FtlConfig& config, std::uint32_t host_lpns, Medium& medium, WorkList& work, BadBlockTable* health,
            MediaErrors* errors, const Deduplication* shared);

  // --- pages ---
  // The content of `lpn` is gone: overwritten or trimmed. Nothing happens when it is unmapped.
  void invalidate(Lpn lpn);
  void unmap(Lpn lpn);
  // The medium notes that the page was trimmed, so that none of its copies comes back. REQUIRES: it is mapped.
  void record_trim(Lpn lpn, Version version) {
    FTLAB_DCHECK(map_.find(lpn) != kNoPpn, "page " + std::to_string(number(lpn)) + " is trimmed, but not mapped");
    medium_.trim(lpn, version);
  }
  // Appends content behind the frontier, in as many slots, one behind the other; on a drive that does not compress in one.
  // REQUIRES: so much room behind the frontier; the old slot of `lpn` is invalidated already.
  void append(const Frontier& frontier, Lpn lpn, Version version, std::uint32_t slots, bool from_host,
              Signal data = kNoSignal);
  // invalidate() and append() of a page of the host, of one slot, with one look at the map. REQUIRES: the drive does not
  // compress.
  void overwrite(const Frontier& frontier, Lpn lpn, Version version);
  // Moves current pages of a superblock that is being collected, at `positions`, behind the frontier. Stops at the end of
  // the frontier's stripe; returns how many were moved. REQUIRES: frontier.has_room(). `internal`: by copyback, the data did
  // not leave the die.
  std::uint32_t relocate(SuperblockId from, std::span<const std::uint32_t> positions, const Frontier& frontier,
                         const ReadData& data, bool internal = false);
  // The same of the pages of a run from the one numbered `first` to before `end`, with the same result as relocate() for all
  // that the frontier has room for, where feed(i, j, program) says that the pages i to before j go into that program and
  // those after it, a stripe into each, in order. Several times as fast, because what is the same for all is done once. The
  // map entries of `next`, which will be moved after these, are brought nearer to the CPU meanwhile. REQUIRES: moves_runs(),
  // frontier.has_room(); the run has all current pages between its first and its last.
  template <class Feed>
  std::uint32_t relocate_run(SuperblockId from, const PageRun& run, std::uint32_t first, std::uint32_t end,
                             const Frontier& frontier, std::span<const Lpn> next, Feed&& feed);
  // Whether relocate_run() may be called: blocks do not fail, superblocks have no parity, pages are not compressed.
  bool moves_runs() const { return health_ == nullptr && largest_page_ == 1 && !layout_.has_parity(); }
  // The same of the one page whose last slot is `ppn`, of a drive that compresses. REQUIRES: room for all of it.
  void relocate_packed(Ppn ppn, const Frontier& frontier, Signal data);
  // Programs an incomplete stripe, filled up with padding.
  void pad(const Frontier& frontier);
  // A slot is passed over. REQUIRES: frontier.has_room().
  void pad_one(const Frontier& frontier);

  // --- superblocks ---
  // The frontier's reclaim unit has a superblock left, or its pool has a free one.
  bool can_open(const Frontier& frontier) const {
    return !frontier.set_aside().empty() || blocks_.free().count(frontier.plan().pool) > 0;
  }
  // A new reclaim unit is smaller than configured when fewer superblocks are free. REQUIRES: can_open(); no room behind the
  // frontier, nothing staged.
  void open(const Frontier& frontier, bool pslc);
  // Nothing is programmed in the frontier's superblock before all that was handed over for programming so far is done.
  void hold(const Frontier& frontier) { work_.hold(frontier.block(), frontier.number()); }
  // Takes no more pages into the frontier's superblock, though there is room: programs what waits, and closes it. When that
  // fails, the frontier goes on in another superblock, or not at all. REQUIRES: it holds a page.
  void close_early(const Frontier& frontier);
  // The pages of a closed superblock will be moved from now on.
  void start_collecting(SuperblockId block) { blocks_.start_collecting(block); }
  // Erases a superblock whose data have been relocated, as soon as everything that replaces its pages is programmed:
  // the relocated copies, and host data still in RAM whose old content it holds.
  void reclaim(SuperblockId block);

  // As Blocks::set_closing_times().
  void set_closing_times(std::span<const std::uint64_t> times) { blocks_.set_closing_times(times); }

  // --- at the end of life ---
  // A pool has fewer superblocks than it needs, or data in RAM find no superblock that takes them: nothing is to be moved
  // any more. What is current stays readable.
  bool worn_out() const { return worn_out_; }
  // Something has failed so far, or a power cut has torn pages or left superblocks partly used: room that was counted on may
  // be missing.
  bool may_lack_room() const;
  const BadBlockTable* health() const { return health_; }
  // A frontier that takes one more page of so many slots, of whatever pool; null: there is none. REQUIRES: nothing is
  // relocated any more.
  const Frontier* last_room(std::uint32_t slots);

  // As Medium::renumber(), also of what is staged.
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    medium_.renumber(number_of);
    for (Frontier& frontier : frontiers_) frontier.renumber(number_of);
    newest_version_ = number_of(Lpn{0}, newest_version_);
  }

  // --- pages whose bits are wrong ---
  bool can_err() const { return errors_ != nullptr; }
  const MediaErrors* errors() const { return errors_; }
  // The content of this copy is lost: reads of it fail until its page is written anew.
  bool lost(Ppn ppn) const { return errors_ != nullptr && errors_->lost().has(ppn); }
  // What has just been put there was made of a lost copy.
  void mark_lost(Ppn ppn) {
    FTLAB_DCHECK(errors_ != nullptr && ppn != kNoPpn, "a page is lost of a flash that does not err, or of none");
    errors_->mark(ppn);
  }

  // --- looking ---
  // In RAM still, not in the flash: a read is served without the die.
  bool staged(Ppn ppn) const { return layout_.position(ppn) >= medium_.superblocks().programmed(layout_.block_of(ppn)); }
  Lpn lpn_at(Ppn ppn) const;
  Version version_at(Ppn ppn) const;
  // Places that the page takes whose last one is `ppn`, staged or in the flash.
  std::uint32_t slots_at(Ppn ppn) const;
  // Places that a mapping page takes at most: 1, but on a drive that compresses.
  std::uint32_t largest_page() const { return largest_page_; }
  // So many slots of a superblock are sure to hold data; the others may be left at its end because no page fits in.
  std::uint32_t guaranteed_slots() const { return layout_.data_pages() - (largest_page_ - 1); }
  const Frontier& frontier(std::uint32_t number) const {
    FTLAB_DCHECK(number < frontiers_.size(),
                 "frontier " + std::to_string(number) + " of " + std::to_string(frontiers_.size()));
    return frontiers_[number];
  }
  const std::vector<Frontier>& frontiers() const { return frontiers_; }
  // Of the stages that data of this pool may wait in, where the one is that came first; nullptr: nothing is staged there.
  const Frontier* oldest_staged(std::uint32_t pool) const;
  // Frontiers of a pool that take relocated pages; so many superblocks are its reserve.
  std::uint32_t reserve(std::uint32_t pool) const {
    FTLAB_DCHECK(pool < reserve_.size(), "pool " + std::to_string(pool) + " of " + std::to_string(reserve_.size()));
    return reserve_[pool];
  }
  const PageMap& map() const { return map_; }
  const Blocks& blocks() const { return blocks_; }
  const ValidBits& current() const { return current_; }
  const Medium& medium() const { return medium_; }
  const Layout& layout() const { return layout_; }

  struct Counts {                      // slots, but for the last
    std::uint64_t pages_appended = 0;  // by host and relocation; must agree with the medium
    std::uint64_t host_pages_appended = 0;
    std::uint64_t pages_padded = 0;
    std::uint64_t parity_pages = 0;
    std::uint64_t failed_pages = 0;  // of stripes that failed, and the beginnings of pages that ended there; put elsewhere
    std::uint64_t superblocks_erased = 0;
  };
  const Counts& counts() const { return counts_; }
  // Relocated superblocks of a pool that will be free as soon as they may be erased.
  std::uint32_t waiting_for_erase(std::uint32_t pool) const { return waiting_[pool]; }
  std::uint32_t mapped_pages() const { return mapped_pages_; }
  Version newest_version() const { return newest_version_; }  // of the host, in the flash or staged

  template <class A>
  void archive(A& archive);

 private:
  // A superblock is erased after the pages that replace its own are programmed. It waits for every stage up to `stage`. With
  // placement handles, where an idle handle can leave its stage incomplete, it waits only for stages that replace its pages.
  struct PendingErase {
    std::uint64_t block;  // number of a SuperblockId
    std::uint64_t stage;
  };

  // Between a pSLC cache and the rest wear is levelled: erases of the cache are many, so it takes the least worn free
  // superblock, and the others the most worn one, which rests there.
  FreeOrder free_order(std::uint32_t pool) const {
    return levels_cache_ ? pool == kSlcPool ? FreeOrder::least_worn : FreeOrder::most_worn : free_order_;
  }
  void stage_page(Frontier& frontier, Lpn lpn, Version version, std::uint32_t slots, bool from_host, Signal data);
  void program_run(std::span<const Lpn> lpns, Ppn source, std::span<const std::uint32_t> positions, Frontier& frontier);
  // The page that is staged next comes with these.
  void feed(const Frontier& frontier, const ReadData& data);
  void wait(const Frontier& frontier, Signal data) {
    work_.wait(frontier.number(), work_.next_program(frontier.number()), layout_.stripes_per_page(), data);
  }
  const Frontier& staging(Ppn ppn) const;
  // The one that a caller means.
  Frontier& own(const Frontier& frontier) {
    FTLAB_DCHECK(&frontier == &frontiers_[frontier.number()], "a frontier of another store");
    return frontiers_[frontier.number()];
  }
  void set_valid(SuperblockId block, std::uint32_t position) {
    current_.set(block, position);
    blocks_.gain_page(block);
  }
  void set_invalid(SuperblockId block, std::uint32_t position) {
    current_.clear(block, position);
    blocks_.lose_page(block);
  }
  void begin_stage(Frontier& frontier) {
    if (frontier.staged_count() == 0) frontier.begin_stage(++newest_stage_);
  }
  void program_stage(Frontier& frontier);
  void program_parity(Frontier& frontier);
  void program_stripes(const Frontier& frontier, std::uint32_t position, std::uint8_t flags, std::uint32_t host_pages);
  void close_if_full(Frontier& frontier);
  void erase_pending();
  bool holds_up(const Frontier& frontier, const PendingErase& pending) const;
  void note_replaced(Frontier& frontier, Ppn old);
  friend struct LoadedStates;
  static std::span<const Rule<PageStore>> rules();
  bool waits_are_sound() const;
  void erase(SuperblockId block);
  SuperblockId take_free(Frontier& frontier, bool pslc);
  void note_program(const Frontier& frontier, std::uint32_t position);
  void note_parity(const Frontier& frontier, bool failed);
  void carry_marks(SuperblockId from, std::span<const std::uint32_t> positions, SuperblockId to, std::uint32_t first);
  // --- page_store_failures.cpp ---
  bool program_fails(const Frontier& frontier, std::uint32_t position);
  // What is staged anew: one slot of it.
  struct Moved {
    Lpn lpn;
    Version version;
    std::uint32_t slots;
    bool current;
    bool lost;
  };
  bool outlive_failed_programs(Frontier& frontier);
  std::vector<Moved> take_up_stage(const Frontier& frontier);
  void move_failed_stage(Frontier& frontier);
  void stage_anew(Frontier& frontier, std::span<const Moved> pages);
  void release_or_retire(SuperblockId block);
  void set_needs(const FtlConfig& config);
  void retire_at_start();
  std::uint32_t richest_pool() const;
  void recover(const Deduplication* shared);
  void recover_pages(SuperblockId block, const Deduplication* shared);
  bool is_copy(SuperblockId block, SuperblockId other) const;
  bool is_torn(Ppn ppn) const;
  void choose_open(std::span<const SuperblockId> written);
  void reopen(SuperblockId block);

  Layout layout_;
  Medium& medium_;
  WorkList& work_;
  BadBlockTable* health_;
  MediaErrors* errors_;
  PageMap map_;
  std::vector<Frontier> frontiers_;
  Blocks blocks_;
  ValidBits current_;                   // counted by superblock in blocks_
  std::vector<std::uint32_t> reserve_;  // by pool
  std::vector<std::uint32_t> waiting_;  // by pool
  std::uint64_t newest_stage_ = 0;
  std::vector<PendingErase> pending_erases_;  // few: relocated, but not to be erased yet
  Counts counts_;
  std::uint32_t mapped_pages_ = 0;
  Version newest_version_{0};
  std::uint32_t host_lpns_;
  std::uint32_t largest_page_;
  FreeOrder free_order_;
  bool levels_cache_;
  PlacementConfig::Scheme scheme_;     // pools: no page ever goes from one to another
  std::vector<std::uint64_t> needed_;  // with health: superblocks, by pool
  bool worn_out_ = false;
  bool room_lost_ = false;  // by a power cut
  bool reopens_;            // partly programmed superblocks after a power cut
};

inline void PageStore::overwrite(const Frontier& behind, Lpn lpn, Version version) {
  FTLAB_DCHECK(largest_page_ == 1, "a compressed page is overwritten as if it took one slot");
  Frontier& frontier = own(behind);
  FTLAB_CHECK(frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is full");
  const Ppn old = map_.find(lpn);
  if (old == kNoPpn)
    ++mapped_pages_;
  else
    set_invalid(layout_.block_of(old), layout_.position(old));
  begin_stage(frontier);
  note_replaced(frontier, old);
  const std::uint32_t position = frontier.stage(lpn, version, true);
  map_.set(lpn, Ppn{number(layout_.first_page(frontier.block())) + position});
  set_valid(frontier.block(), position);
  ++counts_.pages_appended;
  ++counts_.host_pages_appended;
  if (number(version) > number(newest_version_)) newest_version_ = version;
  if (frontier.stripe_complete()) program_stage(frontier);
}

inline void PageStore::note_replaced(Frontier& frontier, Ppn old) {
  if (scheme_ == PlacementConfig::Scheme::streams && old != kNoPpn) frontier.note_replaced(layout_.block_of(old));
}

inline void PageStore::feed(const Frontier& frontier, const ReadData& data) {
  const std::uint32_t program = work_.next_program(frontier.number());
  for (std::uint32_t i = 0; i < data.reads; ++i)
    (data.first + i).feed(frontier.number(), program, layout_.stripes_per_page());
  wait(frontier, data.signal);
}

inline std::uint32_t PageStore::relocate(SuperblockId from, std::span<const std::uint32_t> positions, const Frontier& behind,
                                         const ReadData& data, bool internal) {
  Frontier& frontier = own(behind);
  FTLAB_CHECK(frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is full");
  begin_stage(frontier);
  const auto count = std::min({static_cast<std::uint32_t>(positions.size()), frontier.stripe_room(), frontier.room()});
  const std::uint32_t source = number(layout_.first_page(from));
  const std::uint32_t target = number(layout_.first_page(frontier.block()));
  const std::uint32_t first = frontier.next();
  feed(frontier, data);
  note_replaced(frontier, Ppn{source});
  for (std::uint32_t i = 0; i < count; ++i) {
    const Ppn ppn{source + positions[i]};
    const Lpn lpn = medium_.pages().lpn(ppn);
    FTLAB_CHECK(map_.find(lpn) == ppn, "relocated page is not the current one");
    map_.set(lpn, Ppn{target + frontier.stage(lpn, medium_.pages().version(ppn), false)});
  }
  for (const std::uint32_t position : positions.first(count)) current_.clear(from, position);
  current_.set_run(frontier.block(), first, count);
  blocks_.move_pages(from, frontier.block(), count);
  if (errors_ != nullptr && errors_->lost().count() > 0) [[unlikely]]
    carry_marks(from, positions.first(count), frontier.block(), first);
  counts_.pages_appended += count;
  if (internal) frontier.count_internal(count);
  if (frontier.stripe_complete()) program_stage(frontier);
  return count;
}

template <class Feed>
std::uint32_t PageStore::relocate_run(SuperblockId from, const PageRun& run, std::uint32_t first, std::uint32_t end,
                                      const Frontier& behind, std::span<const Lpn> next, Feed&& feed) {
  Frontier& frontier = own(behind);
  FTLAB_CHECK(frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is full");
  const std::uint32_t count = std::min(end - first, frontier.room());
  const std::uint32_t stripe = layout_.pages_per_stripe();
  const Ppn source = layout_.first_page(from);
  const std::span<const std::uint32_t> positions = std::span(run.pages).subspan(first, count);
  const std::span<const Lpn> lpns = std::span(run.lpns).subspan(first, count);
  map_.move(lpns, source, positions, Ppn{number(layout_.first_page(frontier.block())) + frontier.next()}, next);
  current_.clear_between(from, positions[0], positions[count - 1], count);
  current_.set_run(frontier.block(), frontier.next(), count);
  blocks_.move_pages(from, frontier.block(), count);
  counts_.pages_appended += count;
  std::uint32_t moved = 0;
  while (moved < count) {
    // Whole stripes need not be staged, but the rest of one that was begun before, and the beginning of the last one.
    if (frontier.staged_count() == 0 && count - moved >= stripe) {
      const std::uint32_t pages = (count - moved) / stripe * stripe;
      feed(first + moved, first + moved + pages, work_.next_program(frontier.number()));
      program_run(lpns.subspan(moved, pages), source, positions.subspan(moved, pages), frontier);
      moved += pages;
    } else {
      begin_stage(frontier);
      const Version version = medium_.pages().version(Ppn{number(source) + positions[moved]});
      feed(first + moved, first + moved + 1, work_.next_program(frontier.number()));
      note_replaced(frontier, source);
      frontier.stage(lpns[moved], version, false);
      ++moved;
      if (frontier.stripe_complete()) program_stage(frontier);
    }
  }
  return count;
}

// Mapping pages larger than a stripe are programmed as several stripes, one die after the other.
inline void PageStore::program_stripes(const Frontier& frontier, std::uint32_t position, std::uint8_t flags,
                                       std::uint32_t host_pages) {
  const std::uint32_t stripes = layout_.stripes_per_page();
  const bool internal = frontier.staged_internally();
  if (work_.count_programs(stripes, stripes * layout_.planes(), internal)) return;
  const std::uint32_t first = layout_.stripe_of(position);
  const std::uint32_t moved = frontier.staged_count() - std::min(frontier.staged_count(), host_pages);
  WorkList::Program program{};
  program.block = frontier.block();
  program.frontier = frontier.number();
  program.slc = frontier.pslc();
  program.flags = static_cast<std::uint8_t>(flags | (internal ? WorkRecord::kInRegister : 0) |
                                            (host_pages > 0 ? WorkRecord::kHostData : 0));
  for (std::uint32_t stripe = first; stripe < first + stripes; ++stripe) {
    const bool last = stripe + 1 == first + stripes;
    program.die = layout_.die_of(frontier.block(), stripe);
    program.nand_page = layout_.nand_page_of(stripe);
    program.host_pages = static_cast<std::uint16_t>(last ? host_pages : 0);
    program.moved_pages = static_cast<std::uint16_t>(last ? moved : 0);
    work_.program(program, layout_.planes());
    if ((flags & WorkRecord::kAfterPrevious) != 0)
      program.flags = static_cast<std::uint8_t>((program.flags & ~WorkRecord::kAfterPrevious) | WorkRecord::kWithPrevious);
  }
}

// As program_stage() of one stripe after the other.

template <class A>
void PageStore::archive(A& archive) {
  archive.section("page store");
  map_.archive(archive);
  blocks_.archive(archive);
  current_.archive(archive);
  for (Frontier& frontier : frontiers_) {
    frontier.archive(archive, layout_.pages_per_superblock());
    if (health_ != nullptr && largest_page_ > 1) frontier.archive_waiting(archive, layout_.pages_per_superblock());
  }
  archive.exact(waiting_);
  archive.value(newest_stage_);
  archive.list(pending_erases_, blocks_.count());
  archive.require(rules(), *this);
  archive.value(counts_);
  archive.value(worn_out_);
  archive.value(room_lost_);
  archive.value(mapped_pages_);
  archive.value(newest_version_);
}

}  // namespace ftlab
