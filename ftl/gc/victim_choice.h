// Which closed superblock of a pool is collected next: the policy's choice, or one that static wear levelling moves.
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

  // Static wear levelling: the least worn closed superblock, when it lags behind the most worn one by more than the limit.
  // kNoBlock: none does, or it was checked not long ago.
  SuperblockId by_wear();
  // Of the policy, `free_soon`: superblocks that are free or wait for their erase; with none of them the emptiest one is
  // taken. `folds`: the pages go to another pool. kNoBlock: nothing would be gained.
  SuperblockId by_policy(std::uint32_t free_soon, bool folds, RandomStream& random);

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
  std::uint64_t futile_ = 0;  // choices without a stale page in a row
};

}  // namespace ftlab
