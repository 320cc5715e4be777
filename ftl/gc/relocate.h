// Garbage collection in one pool of superblocks: takes those that the policy chooses, moves their current pages behind the
// frontiers that placement says and reclaims them; in bounded steps beside the host's writes, in idle time, or at once when
// the last free superblock is needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ftl/blocks/placement.h"
#include "ftl/gc/gc_policy.h"
#include "ftl/write/page_store.h"
#include "sim/core/rule.h"

namespace ftlab {

// Why pages were relocated.
enum class RelocationCause : std::uint8_t { collection, wear, folding, mapping, refresh };
inline constexpr std::size_t kRelocationCauses = 5;

class Relocation {
 public:
  // What it works with. REQUIRES: all outlive it.
  struct Parts {
    PageStore& store;
    PageReader& reader;
    Refresh& refresh;
    WorkList& work;
    Placement& placement;
  };
  Relocation(const FtlConfig& config, std::uint32_t pool, const Parts& parts, RandomStream random);

  // pSLC: pages of this pool are folded into another one, whose collection makes the room.
  void fold_into(Relocation& other) { other_ = &other; }

  // Appends the logical page of everything that is moved to `log` from now on.
  void record_moves(std::vector<Lpn>* log) { moves_ = log; }

  // While collecting, called with every mapping page that the host writes: moves the configured number of pages, whole
  // stripes at a time.
  void step() {
    if (at_work() && config_.pages_per_host_write > 0) relocate_some();
  }

  // Makes sure that the host may put one page of `slots` slots behind `frontier`: opens a superblock when it is full; while
  // only the reserve is left, first collects to the end of victims. False: there is no room to be had (only when superblocks
  // have been retired), or more than `most` superblocks would have to be opened or collected for it. With fewer superblocks
  // than superblocks_needed() it may gain nothing, which a check finds after a bounded number of victims.
  bool make_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most = ~std::uint64_t{0}) {
    return host_may_write(frontier, slots) || gain_room(frontier, slots, most);
  }

  // To be called before `frontier` of the host is filled up with padding: with one frontier for both, the padding must not
  // take the room that the victim's remaining pages need.
  void prepare_padding(const Frontier& frontier);

  // What came of a step: nothing is left to be done, or so many pages were moved (none when a victim ended).
  struct Step {
    bool worked;
    std::uint32_t pages;
  };
  // The host is silent: moves one stripe, while not enough superblocks are free.
  Step idle_step();

  // A superblock waits for refresh: relocates up to `pages` pages, while more than the reserve is free.
  void refresh_some(std::uint32_t pages);
  // The same in the host's silence, for all that wait, as idle_step().
  Step refresh_step();

  std::uint64_t relocated_pages(RelocationCause cause) const { return relocated_pages_[static_cast<std::size_t>(cause)]; }
  // Places that these pages took; without compression as many.
  std::uint64_t relocated_slots(RelocationCause cause) const {
    return store_.largest_page() == 1 ? relocated_pages(cause) : relocated_places_[static_cast<std::size_t>(cause)];
  }
  std::uint64_t copyback_pages() const { return copyback_pages_; }
  std::uint64_t collected() const { return collected_; }

  template <class A>
  void archive(A& archive);

 private:
  static constexpr std::uint32_t kLookahead =
      PageRun::kMostPages;  // pages whose map entries are on their way into the cache

  bool host_may_write(const Frontier& frontier, std::uint32_t slots) const;
  bool gain_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most);
  bool make_some_room(const Frontier& frontier, std::uint32_t slots);
  bool has_spare_unit() const;
  bool free_waiting();
  bool room_for_victim() const;
  // For relocated pages, in so many free superblocks and behind the frontiers.
  std::uint64_t writable_slots(std::uint32_t free) const;
  bool at_work() const { return active_ || reorganising_; }
  bool pslc_mode() const;
  std::uint64_t most_pslc() const;
  std::uint64_t pslc_count() const;
  std::uint64_t idle_goal() const;
  SuperblockId oldest_pslc() const;
  bool begin_folding();
  std::uint32_t free_soon() const;
  void watch_free_space();
  bool choose_victim();
  SuperblockId choose_by_wear();
  bool may_refresh() const;
  bool begin_refresh();
  bool any_stale() const;
  void begin(SuperblockId victim, RelocationCause cause);
  void relocate_some();
  bool end_victim();
  // Moves stripes until at least `most` pages are moved, or as many as one step takes, or ends the victim. Returns the
  // number of pages moved.
  std::uint32_t advance(std::uint32_t most);
  void look_ahead();
  bool scan_next(std::uint32_t& position);
  bool next_shuffled(std::uint32_t& position);
  void shuffle();
  std::uint32_t take_stripe(std::span<std::uint32_t> pages);
  std::uint32_t move_stripe();
  bool moves_runs() const;
  bool goes_on_in_runs();
  void take_run(std::uint32_t from, std::uint32_t most, PageRun& run) const;
  void count_reads(const PageRun& run);
  class RunReads;
  struct NoReads;
  std::uint32_t move_run(std::uint32_t most);
  template <class Reads>
  std::uint32_t move_run(const PageRun& run, const PageRun& next, Reads&& reads);
  std::uint32_t copy_back(std::span<const std::uint32_t> run, const Frontier& frontier);
  std::uint32_t move_packed(std::span<const std::uint32_t> pages);
  Signal read_packed(std::uint32_t position);
  void read_next(std::uint32_t stripe);
  std::vector<std::uint32_t> pages_with_part_in(std::uint32_t stripe) const;
  bool carries_page(std::uint32_t position) const;
  bool has_one_class() const;
  std::uint32_t end_of_class(std::span<const std::uint32_t> pages, std::uint32_t first, std::uint32_t wanted) const;
  std::uint32_t class_of(std::uint32_t position) const;
  void record(std::span<const std::uint32_t> positions);
  const Frontier* destination(std::uint32_t wanted, std::uint32_t slots);
  bool may_take(const Frontier& frontier, std::uint32_t wanted, std::uint32_t slots) const;
  const Frontier* any_with_room(std::uint32_t wanted, std::uint32_t slots);
  void finish_victim();
  friend struct LoadedStates;
  static std::span<const Rule<Relocation>> rules();

  GcConfig config_;
  WearConfig wear_;
  std::uint32_t pool_;
  PageStore& store_;
  PageReader& reader_;
  Refresh& refresh_;
  WorkList& work_;
  Placement& placement_;
  RandomStream random_;
  std::unique_ptr<GcPolicy> policy_;
  Relocation* other_ = nullptr;
  std::vector<Lpn>* moves_ = nullptr;
  std::uint32_t stripe_bytes_;                    // of a mapping page that lie in one stripe
  std::vector<WorkList::ReadCount> read_counts_;  // of so many pages of one stripe
  std::uint32_t translation_frontier_;
  std::uint32_t host_lpns_;        // translation pages have the logical numbers from here on
  std::uint32_t fixed_class_ = 0;  // of the victim's pages, where its superblock decides
  PslcModeConfig pslc_mode_;
  bool active_ = false;
  bool reorganising_ = false;  // pSLC superblocks are folded before others are collected
  bool stuck_ = false;         // there is no room for the victim's pages, here or in the pool that is folded into
  SuperblockId victim_ = kNoBlock;
  RelocationCause cause_ = RelocationCause::collection;
  // Current pages of the victim, found ahead: positions in a ring, and where the scan of the valid bits stands.
  std::array<std::uint32_t, kLookahead> ahead_{};
  std::uint32_t ahead_first_ = 0;
  std::uint32_t ahead_count_ = 0;
  std::uint32_t scan_word_ = 0;
  std::uint64_t scan_bits_ = 0;
  bool by_runs_ = false;        // the victim is moved so; its pages are found anew then, not in the ring
  std::uint32_t run_word_ = 0;  // before this word of valid bits nothing is left
  // Of these the one that is moved next, as it was when the victim had so many current pages and a step took so many; then
  // the one after it is taken in the other place. No state of the drive: it can be taken again at any time.
  std::array<PageRun, 2> runs_;
  std::uint32_t next_run_ = 0;
  std::uint32_t run_valid_ = 0, run_most_ = 0;
  std::vector<std::uint32_t> shuffled_;  // order `random`: the victim's pages still to be found
  std::uint64_t erases_at_wear_check_ = 0;
  std::array<std::uint64_t, kRelocationCauses> relocated_pages_{};
  std::array<std::uint64_t, kRelocationCauses> relocated_places_{};  // only counted with compression
  std::uint32_t read_until_ = 0;  // with compression: stripes of the victim before this one are read ...
  Signal read_last_ = kNoSignal;  // ... the last of them with this signal
  std::uint64_t copyback_pages_ = 0;
  std::uint64_t collected_ = 0;
  std::uint64_t futile_ = 0;
};

inline std::uint32_t Relocation::free_soon() const {
  return store_.blocks().free().count(pool_) + store_.waiting_for_erase(pool_);
}

// While the reserve is in use, the room that is left belongs to a victim: to the one in progress when both write behind
// one frontier, to the one that a power cut interrupted when none is.
inline bool Relocation::host_may_write(const Frontier& frontier, std::uint32_t slots) const {
  if (frontier.room() < slots) return false;
  if (free_soon() >= store_.reserve(pool_)) return true;
  if (victim_ == kNoBlock) return false;
  return !frontier.plan().relocation || frontier.room() >= store_.blocks().valid(victim_) + slots;
}

template <class A>
void Relocation::archive(A& archive) {
  archive.section("relocation");
  run_most_ = 0;
  random_.archive(archive);
  archive.value(active_);
  archive.value(reorganising_);
  archive.value(stuck_);
  archive.value(victim_);
  archive.value(cause_);
  archive.value(fixed_class_);
  archive.value(ahead_);
  for (auto* count : {&ahead_first_, &ahead_count_, &scan_word_, &run_word_}) archive.value(*count);
  archive.value(by_runs_);
  archive.list(shuffled_, store_.layout().pages_per_superblock());
  archive.value(relocated_pages_);
  archive.value(relocated_places_);
  archive.value(read_until_);
  archive.value(read_last_);
  for (auto* count : {&scan_bits_, &erases_at_wear_check_, &copyback_pages_, &collected_, &futile_}) archive.value(*count);
  archive.require(rules(), *this);
}

}  // namespace ftlab
