// The frontiers of the naive layer, and the superblocks whose erase waits for pages that are staged in them.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>

#include "validation/checks/reference/reference_rules.h"

namespace ftlab::testing {

class ReferenceFrontiers {
 public:
  struct Frontier {
    std::uint32_t index = 0;
    std::uint32_t superblock = kNobody, used = 0, staged = 0, staged_by_host = 0;
    std::uint64_t stage = 0;
    std::set<std::uint32_t> replaces;  // superblocks with pages in whose place staged ones come
  };

  explicit ReferenceFrontiers(const ReferenceRules& rules);

  std::span<Frontier> all() { return frontiers_; }
  Frontier& of_stream(std::uint32_t stream) { return frontiers_[stream < rules_.host_frontiers ? stream : 0]; }
  // For pages relocated from a superblock that was filled by `frontier`.
  Frontier& of_relocation(std::uint32_t frontier);
  std::size_t pages() const { return positions_.size(); }  // of a superblock

  std::size_t room(const Frontier& frontier) const;
  bool takes_relocated(const Frontier& frontier) const;
  bool may_mix(const Frontier& a, const Frontier& b) const;
  std::size_t room_for_relocated() const;

  // The position of the next page.
  std::uint32_t stage(Frontier& frontier, bool from_host);
  void programmed(Frontier& frontier);
  bool is_staged(const ReferencePlace& place) const;

  // Until what is staged now is programmed.
  void postpone_erase(std::uint32_t superblock) { pending_.push_back({superblock, newest_stage_}); }
  std::size_t postponed() const { return pending_.size(); }
  // Those that wait for nothing any more.
  std::vector<std::uint32_t> take_erasable();
  // Of those that hold up an erase.
  Frontier& oldest_staged();

 private:
  struct PendingErase {
    std::uint32_t superblock;
    std::uint64_t stage;
  };
  bool holds_up(const Frontier& frontier, const PendingErase& pending) const;

  const ReferenceRules& rules_;
  std::vector<std::uint32_t> positions_;  // for data in a superblock, in order
  std::vector<Frontier> frontiers_;       // the host's, then those of relocation
  std::vector<PendingErase> pending_;
  std::uint64_t newest_stage_ = 0;
};

}  // namespace ftlab::testing
