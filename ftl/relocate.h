// Garbage collection: takes the superblocks that the policy chooses, moves their current pages behind the relocation
// frontier and reclaims them; in bounded steps beside the host's writes, or at once when the last free superblock is
// needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "ftl/gc_policy.h"
#include "ftl/page_store.h"

namespace ftlab {

class Relocation {
 public:
  Relocation(const GcConfig& config, PageStore& store);

  // While collecting, called with every mapping page that the host writes: moves the configured number of pages, whole
  // stripes at a time.
  void step(Nanoseconds now) {
    if (active_ && config_.pages_per_host_write > 0) relocate_some(now);
  }

  // Makes sure that the host may put one page behind `frontier`: opens a superblock when it is full; while only the
  // reserve is left, first collects to the end of victims.
  void make_room(Frontier& frontier, Nanoseconds now) {
    while (!host_may_write(frontier)) make_some_room(frontier, now);
  }

  // To be called before `frontier` of the host is filled up with padding: with one frontier for both, the padding must not
  // take the room that the victim's remaining pages need.
  void prepare_padding(const Frontier& frontier, Nanoseconds now);

  std::uint64_t relocated_pages() const { return relocated_pages_; }
  std::uint64_t collected() const { return collected_; }

 private:
  static constexpr std::uint32_t kLookahead = 64;  // pages whose map entries are on their way into the cache

  bool host_may_write(Frontier& frontier) const;
  void make_some_room(Frontier& frontier, Nanoseconds now);
  void watch_free_space();
  bool choose_victim();
  void relocate_some(Nanoseconds now);
  void end_victim(Nanoseconds now);
  std::uint32_t advance(Nanoseconds now);  // moves a stripe or ends the victim; returns the number of pages moved
  void look_ahead();
  bool scan_next(std::uint32_t& position);
  std::uint32_t move_stripe(Nanoseconds now);
  Nanoseconds read_stripe(std::uint32_t stripe, std::uint32_t pages, Nanoseconds now);
  Frontier& destination();
  void finish_victim();

  GcConfig config_;
  PageStore& store_;
  std::unique_ptr<GcPolicy> policy_;
  std::uint32_t stripe_bytes_;  // of a mapping page that lie in one stripe
  bool active_ = false;
  BlockId victim_ = kNoBlock;
  // Current pages of the victim, found ahead: positions in a ring, and where the scan of the valid bits stands.
  std::array<std::uint32_t, kLookahead> ahead_{};
  std::uint32_t ahead_first_ = 0;
  std::uint32_t ahead_count_ = 0;
  std::uint32_t scan_word_ = 0;
  std::uint64_t scan_bits_ = 0;
  std::uint64_t relocated_pages_ = 0;
  std::uint64_t collected_ = 0;
};

}  // namespace ftlab
