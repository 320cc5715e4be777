// Garbage collection in all pools, and the choice of a frontier for each host page, which pays for its share of collection.
// Empty with hybrid mapping, which merges log blocks instead.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "ftl/blocks/placement.h"
#include "ftl/gc/cell_scan.h"
#include "ftl/gc/reclaim_groups.h"
#include "ftl/gc/relocate.h"
#include "sim/core/check.h"

namespace ftlab {

// Background work while the host is idle, step by step: in each pool, except for the map.
enum class IdleWork : std::uint8_t { collection, refresh, mapping };

class Collection {
 public:
  // REQUIRES: all outlive it.
  Collection(const FtlConfig& config, std::uint32_t logical_pages, PageStore& store, PageReader& reader, Refresh& refresh,
             WorkList& work, std::uint64_t seed);

  // --- room ---
  // Frontier for a host page, with room for its slots; null if no room can be made: that of the pSLC cache while the cache
  // takes pages, else the one that placement chooses. `old()` returns the page's PPN; it is called after the cache's share
  // of folding, which may move the page. `in_order`: null, or the number of pages that the host writes in order, with this
  // one; becomes the number of those that may be appended to the frontier together.
  template <class Old>
  const Frontier* frontier_for(Lpn lpn, std::uint8_t stream, Old&& old, Version version, std::uint32_t slots,
                               std::uint32_t* in_order = nullptr) {
    FTLAB_DCHECK(slots > 0, "room for a page without slots");
    if (slc_.superblocks > 0 && slc_takes(slots)) return make_room(slc(), slots) ? &slc() : nullptr;
    Version replaced{0};
    if (placement_.needs_replaced_version()) {
      const Ppn ppn = old();
      if (ppn != kNoPpn) replaced = store_.pages().at(ppn).version;
    }
    const Frontier& named = store_.frontiers()[placement_.of_host(lpn, stream, replaced, version)];
    const Frontier& frontier = groups_.choose(named, slots);
    if (!prepare_host_write(frontier, slots)) return nullptr;
    if (in_order != nullptr) *in_order = &frontier == &named ? std::min(*in_order, pages_alike(frontier, stream)) : 1;
    return &frontier;
  }
  // Pages of one slot each that the host may append for this stream, at least 1, of which only the last one completes a stage
  // or makes frontier_for() do more than name the frontier.
  std::uint32_t pages_to_next_work(std::uint8_t stream) const {
    if (groups_.several() || !placement_.treats_alike(stream)) return 1;
    const Frontier& frontier = store_.frontiers()[placement_.of_stream(stream)];
    return std::max(std::min(pages_alike(frontier, stream), store_.stages()[frontier.number()].room()), 1u);
  }
  // Before a host page is appended to `frontier`: runs its share of collection, then Relocation::make_room().
  bool prepare_host_write(const Frontier& frontier, std::uint32_t slots) {
    FTLAB_DCHECK(frontier.plan().pool < pools(), "the host writes into a pool that is not collected");
    Relocation& relocation = relocations_[frontier.plan().pool];
    relocation.step();
    return relocation.make_room(frontier, slots);
  }
  // Like Relocation::make_room() and Relocation::prepare_padding().
  bool make_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most = ~std::uint64_t{0}) {
    return relocations_[frontier.plan().pool].make_room(frontier, slots, most);
  }
  void prepare_padding(const Frontier& frontier) {
    if (frontier.plan().pool < pools()) relocations_[frontier.plan().pool].prepare_padding(frontier);
  }
  // In all pools; see Relocation::record_moves().
  void record_moves(std::vector<Lpn>* log) {
    for (Relocation& relocation : relocations_) relocation.record_moves(log);
  }

  // --- background work; like the functions of Relocation ---
  Relocation::Step idle_step(IdleWork work, std::uint32_t pool) {
    FTLAB_DCHECK(work != IdleWork::mapping, "collection has no map to bring up to date");
    return work == IdleWork::collection ? relocations_[pool].idle_step() : relocations_[pool].refresh_step();
  }
  void refresh_some() {
    for (Relocation& relocation : relocations_) relocation.refresh_some(refresh_.config().pages_per_request);
  }
  // Queues superblocks with too many bit errors for refresh, as of the date of the error model.
  void scan_cells() { scan_.run(); }
  bool scan_would_find() const { return scan_.would_find(); }  // true if that would queue a new one
  bool waits_for_refresh(std::uint32_t pool) const { return refresh_.waits(pool); }
  std::uint32_t pools() const { return static_cast<std::uint32_t>(relocations_.size()); }

  // From now on all versions are smaller by `passed`.
  void versions_reduced_by(std::uint64_t passed) { placement_.versions_reduced_by(passed); }

  // --- totals ---
  struct Relocated {
    std::uint64_t pages = 0, slots = 0;
  };
  Relocated relocated(RelocationCause cause) const;
  std::uint64_t copyback_pages() const;
  std::uint64_t collected() const;
  std::uint64_t collected(std::uint32_t pool) const { return relocations_[pool].collected(); }
  bool needs_replaced_version() const { return placement_.needs_replaced_version(); }
  // Pages of the host that went elsewhere than it named.
  struct Elsewhere {
    std::uint64_t unknown_handle, other_group;
  };
  Elsewhere pages_elsewhere() const { return {placement_.unknown_handles(), groups_.pages_elsewhere()}; }

  template <class A>
  void archive(A& archive) {
    if (refresh_.config().on()) refresh_.archive(archive);
    placement_.archive(archive);
    groups_.archive(archive);
    for (Relocation& relocation : relocations_) relocation.archive(archive);
  }

 private:
  const Frontier& slc() const { return store_.frontiers()[slc_frontier_]; }
  bool slc_takes(std::uint32_t slots);
  // At least 1. A failing program, or a superblock lost by its erase, would take the room of the pages that follow.
  std::uint32_t pages_alike(const Frontier& frontier, std::uint8_t stream) const {
    if (store_.supply().programs_fail() || store_.erases().one_may_fail() || !placement_.treats_alike(stream)) return 1;
    return std::max(relocations_[frontier.plan().pool].pages_without_work(frontier), 1u);
  }

  SlcConfig slc_;
  std::uint32_t slc_frontier_;
  PageStore& store_;
  Refresh& refresh_;
  CellScan scan_;
  Placement placement_;
  ReclaimGroups groups_;
  std::deque<Relocation> relocations_;  // by pool
};

}  // namespace ftlab
