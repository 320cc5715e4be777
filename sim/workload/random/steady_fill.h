// The blocks that fio's sprandom writes: one pass of random writes, as large as the drive's flash, that leaves the drive in
// the state that a long random fill ends in.
//
// In that state the superblocks hold fewer valid pages the longer ago they were written. After Desnoyers (Analytic models of
// SSD write performance, ACM Transactions on Storage 8(2), 2012) the number of superblocks with validity v is proportional
// to 1/v between v0, the validity of those that collection takes, and 1. So a part x of the way from the newest to the
// oldest has the validity v0^x; and as their mean must be what the host can store of the flash, (1 - v0) / ln(1/v0) = 1 / (1
// + spare).
//
// The pass is divided into parts of equal size, the oldest first. Blocks come from the lfsr, so none repeats by itself; of
// the blocks of each part as many as its validity leaves are written again with the next part.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"
#include "sim/workload/random/lfsr.h"

namespace ftlab {

class SteadyFill {
 public:
  SteadyFill() = default;
  // Of a region of `blocks` blocks.
  SteadyFill(const SteadyFillRules& rules, std::uint64_t blocks, std::uint64_t block_bytes);

  // Blocks that the whole pass writes, as fio counts them: the region and its spare.
  static std::uint64_t writes(const SteadyFillRules& rules, std::uint64_t blocks);
  // Blocks of one part.
  static std::uint64_t part_blocks(const SteadyFillRules& rules, std::uint64_t blocks);

  // The next block; Lfsr::kNone at the end.
  std::uint64_t next(Lfsr& fresh, RandomStream& random);
  void restart();

 private:
  std::uint64_t chosen(std::uint64_t block, RandomStream& random);
  void next_part();

  std::vector<std::uint32_t> rewritten_;  // by part
  std::uint64_t part_blocks_ = 0;
  std::uint64_t new_before_again_ = 0;  // blocks of a part that come before those of the last part are written again

  std::uint32_t part_ = 0;
  std::uint64_t written_ = 0;              // new blocks in this part
  std::vector<std::uint64_t> due_;         // of the part before, to be written again in this one,
  std::size_t done_ = 0;                   // of which so many have been
  std::vector<std::uint64_t> for_next_{};  // of this part
};

}  // namespace ftlab
