// The blocks that fio's sprandom writes: one pass of random writes, as large as the drive's flash, that leaves the drive in
// the state in which a long random fill ends.
//
// In that state the superblocks hold fewer valid pages the longer ago they were written. After Desnoyers (Analytic models of
// SSD write performance, ACM Transactions on Storage 8(2), 2012) the number of superblocks with validity v is proportional
// to 1/v between v0, the validity of GC victims, and 1. So a part at a fraction x of the way from the newest to the oldest
// has validity v0^x. The mean validity must equal the share of the flash that the host can fill: (1 - v0) / ln(1/v0) = 1 /
// (1 + spare).
//
// The pass is divided into parts of equal size, the oldest first. Blocks come from the lfsr, so none repeats by itself. Of a
// part with validity v, a share 1 - v of the blocks is written again with the next part.
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
  // For a region of `blocks` blocks.
  SteadyFill(const SteadyFillRules& rules, std::uint64_t blocks, std::uint64_t block_bytes);

  // Total blocks that the pass writes, as fio counts them: the region and its spare.
  static std::uint64_t writes(const SteadyFillRules& rules, std::uint64_t blocks);
  // Blocks per part.
  static std::uint64_t part_blocks(const SteadyFillRules& rules, std::uint64_t blocks);

  // The next block; Lfsr::kNone at the end.
  std::uint64_t next(Lfsr& fresh, RandomStream& random);
  void restart();

 private:
  std::uint64_t chosen(std::uint64_t block, RandomStream& random);
  void next_part();

  std::vector<std::uint32_t> rewritten_;  // share to write again, by part, in millionths
  std::uint64_t part_blocks_ = 0;
  std::uint64_t new_before_again_ = 0;  // new blocks of a part that are written before its first rewrite

  std::uint32_t part_ = 0;
  std::uint64_t written_ = 0;              // new blocks in this part
  std::vector<std::uint64_t> due_;         // blocks of the previous part, to be written again in this one
  std::size_t done_ = 0;                   // number of them already written
  std::vector<std::uint64_t> for_next_{};  // blocks of this part, to be written again in the next one
};

}  // namespace ftlab
