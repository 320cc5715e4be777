// Chooses the frontier that a relocated page goes to, and makes room there.
#pragma once

#include <cstdint>
#include <span>

#include "ftl/blocks/placement.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class Relocation;

class Destinations {
 public:
  // REQUIRES: store and placement outlive it.
  Destinations(const FtlConfig& config, std::uint32_t pool, PageStore& store, const Placement& placement);

  // Pages are folded into the pool of `other`, which makes the room.
  void fold_into(Relocation& other) { other_ = &other; }
  bool folds() const { return other_ != nullptr; }
  // Pages that may be folded to a frontier that find() returned, before it must be called again; at least 1.
  std::uint32_t pages_to_fold(const Frontier& frontier) const;

  // Call before moving the pages of a victim. True if it holds translation pages, which have their own frontier.
  bool begin(SuperblockId victim);
  // Frontier of one of the victim's pages.
  std::uint32_t class_of(SuperblockId victim, std::uint32_t position) const {
    return has_one_class(victim) ? fixed_class_ : class_of_page(victim, position);
  }
  // End of the run of pages, starting at index `first`, that go to frontier `wanted`.
  std::uint32_t end_of_class(SuperblockId victim, std::span<const std::uint32_t> pages, std::uint32_t first,
                             std::uint32_t wanted) const;
  // A frontier for relocated pages with room for `slots` slots. May use the reserve. Null if neither this pool nor the pool
  // that it folds into has room.
  const Frontier* find(std::uint32_t wanted, std::uint32_t slots) {
    const Frontier& own = store_.frontiers()[wanted];
    return own.room() >= slots && !folds() && !store_.supply().worn_out() ? &own : make_room(own, slots);
  }

  template <class A>
  void archive(A& archive) {
    archive.value(fixed_class_);
  }

 private:
  bool has_one_class(SuperblockId victim) const {
    return placement_.by_superblock() || store_.medium().superblocks().frontier(victim) == translation_frontier_;
  }
  std::uint32_t class_of_page(SuperblockId victim, std::uint32_t position) const;
  const Frontier* make_room(const Frontier& own, std::uint32_t slots);
  bool may_take(const Frontier& frontier, std::uint32_t wanted, std::uint32_t slots) const {
    return frontier.plan().pool == pool_ && frontier.room() >= slots && placement_.may_mix(wanted, frontier.number());
  }

  PageStore& store_;
  const Placement& placement_;
  Relocation* other_ = nullptr;
  std::uint32_t pool_;
  std::uint32_t translation_frontier_;
  std::uint32_t host_lpns_;        // LPNs from here on are translation pages
  std::uint32_t fixed_class_ = 0;  // frontier of all pages of the victim, if it is chosen per superblock
};

}  // namespace ftlab
