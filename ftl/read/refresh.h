// Which superblocks are to be written anew because their cells have gathered errors: those that a scan at fixed intervals
// finds, and those where a read was in need of it. Relocation moves their pages like a victim's.
//
//   errors_per_pbit   errors that writing anew would take away (retention, read disturb), in 10^15 bits. Errors of wear do
//                     not count: new data on a worn block would be due again at once.
//   retry_steps       a read took so many steps, and at least half of the errors would go away
//
// Scans look at the columns of MediaErrors, not at pages: they read nothing and cost no simulated time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/config.h"
#include "models/nand/reliability/media_errors.h"
#include "sim/core/rule.h"

namespace ftlab {

class Refresh {
 public:
  Refresh(const RefreshConfig& config, std::uint32_t superblocks, std::uint32_t pools);

  const RefreshConfig& config() const { return config_; }
  bool wants(const MediaErrors::Rate& rate, std::uint32_t steps) const {
    if (!config_.on()) return false;
    return rate.gathered >= threshold_ || (steps >= config_.retry_steps && rate.gathered >= rate.fresh);
  }

  // A closed superblock is to be written anew; said twice is once.
  void put_forward(SuperblockId block, std::uint32_t pool);
  // Its collection begins, for whatever reason.
  void forget(SuperblockId block, std::uint32_t pool);
  bool waits(SuperblockId block) const { return waits_[number(block)] != 0; }
  bool waits(std::uint32_t pool) const { return waiting_[pool] > 0; }
  // The next superblock of the pool that waits, in turn by number; it no longer does then. kNoBlock: none.
  SuperblockId take(const Blocks& blocks, std::uint32_t pool);

  template <class A>
  void archive(A& archive) {
    archive.section("refresh");
    archive.column(waits_);
    archive.exact(waiting_);
    archive.value(cursor_);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Refresh>> rules() {
    static constexpr Rule<Refresh> kRules[] = {
        {"it stands behind the last superblock.", [](const Refresh& it) { return it.cursor_ <= it.waits_.size(); }},
    };
    return kRules;
  }

  RefreshConfig config_;
  double threshold_;                    // errors for each bit
  Column<std::uint8_t> waits_;          // by superblock
  std::vector<std::uint32_t> waiting_;  // of them, by pool
  std::uint32_t cursor_ = 0;            // where the search goes on
};

}  // namespace ftlab
