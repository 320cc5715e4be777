// Chooses the next closed superblock of a pool to collect: by the GC policy, or by static wear levelling.
#pragma once

#include <cstdint>
#include <memory>

#include "ftl/policies/gc_policy.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class VictimChoice {
 public:
  // REQUIRES: the store outlives it.
  VictimChoice(const FtlConfig& config, std::uint32_t pool, const PageStore& store);

  // Static wear levelling: the least worn closed superblock if it has fewer erases than the most worn one by more than the
  // limit; kNoBlock if not, or if it was checked recently.
  SuperblockId by_wear();
  // The GC policy's choice; the emptiest superblock if `free_or_pending_erase` (superblocks free or pending erase) is 0.
  // `folds`: the pages go to another pool. kNoBlock if nothing would be gained.
  SuperblockId by_policy(std::uint32_t free_or_pending_erase, bool folds, RandomStream& random);

  template <class A>
  void archive(A& archive) {
    archive.value(erases_at_wear_check_);
    archive.value(futile_);
  }

 private:
  bool any_stale() const;

  WearConfig wear_;
  std::uint32_t pool_;
  const PageStore& store_;
  std::unique_ptr<GcPolicy> policy_;
  std::uint64_t erases_at_wear_check_ = 0;
  std::uint64_t futile_ = 0;  // choices in a row without a stale page
};

}  // namespace ftlab
