// Decides which reclaim group takes a page of the host: the one that the host names, as long as it has room for more current
// data; else the one with most room. The specification (NVM Express TP4146) does not say what a drive does with a group that
// is full.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/config.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class ReclaimGroups {
 public:
  // REQUIRES: store outlives it.
  ReclaimGroups(const FtlConfig& config, const PageStore& store);

  // The frontier that takes a page of the host, of `slots` slots, meant for `frontier`: that one, or one of the same handle
  // in another group.
  const Frontier& choose(const Frontier& frontier, std::uint32_t slots) {
    return several() ? choose_group(frontier, slots) : frontier;
  }
  bool several() const { return limits_.size() > 1; }
  // Pages that went to another group than the host named.
  std::uint64_t pages_elsewhere() const { return pages_elsewhere_; }

  template <class A>
  void archive(A& archive) {
    if (!several()) return;
    archive.exact(instead_);
    archive.exact(admitted_);
    archive.value(pages_elsewhere_);
  }

 private:
  const Frontier& choose_group(const Frontier& frontier, std::uint32_t slots);
  std::uint32_t group_with_room(const Frontier& frontier, std::uint32_t slots) const;
  std::int64_t room_left(const Frontier& frontier, std::uint32_t slots) const;

  const PageStore& store_;
  std::uint32_t identifiers_;
  std::vector<std::int64_t> limits_;    // slots of current data by group; one group has no limit
  std::vector<std::uint32_t> instead_;   // by identifier: the frontier that takes its pages now
  std::vector<SuperblockId> admitted_;   // by frontier: the open superblock whose group had room for it
  std::uint64_t pages_elsewhere_ = 0;
};

}  // namespace ftlab
