// Which superblocks need refresh because their cells have gathered errors: those that a scan at fixed intervals finds, and
// those where a read found too many. Relocation moves their pages like those of a victim.
//
//   errors_per_pbit   errors that a rewrite would remove (retention, read disturb), per 10^15 bits. Errors of wear do
//                     not count: new data on a worn block would be due again at once.
//   retry_steps       a read took this many steps, and a rewrite would remove at least half of the errors
//
// Scans look at the columns of MediaErrors, not at pages: they read nothing and take no simulated time.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/config.h"
#include "models/nand/reliability/media_errors.h"
#include "sim/core/check.h"

namespace ftlab {

class Refresh {
 public:
  Refresh(const RefreshConfig& config, std::uint32_t superblocks, std::uint32_t pools);

  const RefreshConfig& config() const { return config_; }
  bool wants(const MediaErrors::Rate& rate, std::uint32_t steps) const {
    if (!config_.on()) return false;
    return rate.gathered >= threshold_ || (steps >= config_.retry_steps && rate.gathered >= rate.fresh);
  }

  // Queues a closed superblock for refresh; no effect if it is queued already.
  void enqueue_refresh(SuperblockId block, std::uint32_t pool);
  // Removes it from the queue when its collection begins, for whatever reason.
  void forget(SuperblockId block, std::uint32_t pool);
  bool waits(SuperblockId block) const {
    FTLAB_DCHECK(number(block) < waits_.size(), "a superblock waits on a drive that refreshes none, or beyond its end");
    return waits_[number(block)] != 0;
  }
  bool waits(std::uint32_t pool) const {
    FTLAB_DCHECK(pool < waiting_.size(), "pool " + std::to_string(pool) + " of " + std::to_string(waiting_.size()));
    return waiting_[pool] > 0;
  }
  // Removes and returns the next waiting superblock of the pool, in cyclic order of numbers. kNoBlock if none waits.
  SuperblockId take(const Blocks& blocks, std::uint32_t pool);

  template <class A>
  void archive(A& archive) {
    archive.section("refresh");
    archive.column(waits_);
    archive.exact(waiting_);
    archive.value(cursor_);
  }

 private:
  RefreshConfig config_;
  double threshold_;                    // errors per bit
  Column<std::uint8_t> waits_;          // by superblock
  std::vector<std::uint32_t> waiting_;  // number of waiting superblocks, by pool
  std::uint32_t cursor_ = 0;            // start of the next search
};

}  // namespace ftlab
