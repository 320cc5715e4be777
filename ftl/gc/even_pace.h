// Even pace of collection: free space stays at the low watermark, and collection is spread over all host writes instead of
// alternating with pauses. A victim of `slots` page slots, of which `kept` are moved, frees slots - kept; while it is being
// collected, the share of that which belongs to the pages moved so far counts as free. So after each page of the host
// kept / (slots - kept) pages are due: write amplification minus one.
#pragma once

#include <cstdint>

#include "sim/core/check.h"

namespace ftlab {

class EvenPace {
 public:
  // `slots`: of a superblock; at most 2^24. `start_free`: low watermark, in superblocks. `frontiers`: superblocks that are
  // being written beside them; on average they are half full.
  EvenPace(std::uint32_t slots, std::uint32_t start_free, std::uint32_t frontiers)
      : slots_(slots), target_(slots_ * start_free + slots_ * frontiers / 2) {}

  // True if a victim should begin. `room`: free slots, those of the frontiers and of pending erases included.
  bool due(std::uint64_t room) const { return room < target_; }
  // True if a page of the victim should be moved now. `valid`: slots that it still has to move; pages that the host has
  // overwritten meanwhile need no move.
  bool due(std::uint64_t room, std::uint32_t valid) const {
    const std::uint64_t kept = moved_ + valid;
    FTLAB_DCHECK(kept <= slots_, "a victim keeps more slots than it has");
    return room < target_ && (room + moved_) * kept + (slots_ - kept) * moved_ < target_ * kept;
  }
  // due(room, valid) is true exactly if `room` is below this. REQUIRES: valid > 0.
  std::uint64_t due_below(std::uint32_t valid) const {
    FTLAB_DCHECK(valid > 0, "a pace for a victim that has no pages left");
    const std::uint64_t kept = moved_ + valid, freed = moved_ + (slots_ - kept) * moved_ / kept;
    return freed < target_ ? target_ - freed : 0;
  }
  std::uint64_t target() const { return target_; }
  void moved(std::uint32_t slots) {
    moved_ += slots;
    FTLAB_DCHECK(moved_ <= slots_, "more slots of a victim are moved than it has");
  }
  void victim_ended() { moved_ = 0; }

  template <class A>
  void archive(A& archive) {
    archive.value(moved_);
  }

 private:
  std::uint64_t slots_, target_;
  std::uint64_t moved_ = 0;  // slots of the present victim
};

}  // namespace ftlab
