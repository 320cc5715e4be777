// Frontiers of the reference FTL, and superblocks whose erase waits for staged pages.
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
    std::uint32_t superblock = kNone, used = 0, staged = 0, staged_by_host = 0;
    std::uint64_t stage = 0;
    std::set<std::uint32_t> replaces;  // superblocks with pages that the staged ones replace
  };

  explicit ReferenceFrontiers(const ReferenceRules& rules);

  std::span<Frontier> all() { return frontiers_; }
  Frontier& of_stream(std::uint32_t stream) { return frontiers_[stream < rules_.host_frontiers ? stream : 0]; }
  // Frontier for pages relocated from a superblock that `frontier` filled.
  Frontier& of_relocation(std::uint32_t frontier);
  std::size_t pages() const { return positions_.size(); }  // data pages per superblock

  std::size_t room(const Frontier& frontier) const;
  bool takes_relocated(const Frontier& frontier) const;
  bool may_mix(const Frontier& a, const Frontier& b) const;
  std::size_t room_for_relocated() const;

  // Stages a page. Returns its position.
  std::uint32_t stage(Frontier& frontier, bool from_host);
  void programmed(Frontier& frontier);
  bool is_staged(const ReferencePlace& place) const;

  // Delays the erase until all pages staged now are programmed.
  void postpone_erase(std::uint32_t superblock) { pending_.push_back({superblock, newest_stage_}); }
  std::size_t postponed() const { return pending_.size(); }
  // Removes and returns the superblocks that can be erased now.
  std::vector<std::uint32_t> take_erasable();
  // The frontier with the oldest staged pages that an erase waits for.
  Frontier& oldest_staged();

 private:
  struct PendingErase {
    std::uint32_t superblock;
    std::uint64_t stage;
  };
  bool holds_up(const Frontier& frontier, const PendingErase& pending) const;

  const ReferenceRules& rules_;
  std::vector<std::uint32_t> positions_;  // data positions in a superblock, ascending
  std::vector<Frontier> frontiers_;       // host frontiers, then relocation frontiers
  std::vector<PendingErase> pending_;
  std::uint64_t newest_stage_ = 0;
};

}  // namespace ftlab::testing
