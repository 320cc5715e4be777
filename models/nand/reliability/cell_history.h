// History of the cells: when each row of pages was written, and how often each block was read since its erase. Memory: 4
// bytes per row of pages, 8 bytes per block row of each die.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "models/nand/array/layout.h"
#include "sim/core/column.h"
#include "sim/core/divisor.h"
#include "sim/core/types.h"

namespace ftlab {

class CellHistory {
 public:
  // `rows`: per superblock, i.e. NAND pages per block.
  CellHistory(const Layout& layout, std::uint32_t rows)
      : rows_(rows),
        dies_(layout.dies_per_superblock()),
        written_s_(std::size_t{layout.superblocks()} * rows),
        reads_(std::size_t{layout.superblocks()} * layout.dies_per_superblock()),
        slc_(layout.superblocks()) {}

  // Sets the simulated time of the following calls.
  void set_date(Nanoseconds date) {
    date_s_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(date.count() / 1'000'000'000, 0xffff'ffff));  // 136 years
  }
  // A row is dated by its first stripe, the oldest.
  void program(SuperblockId block, std::uint32_t stripe, bool slc) {
    FTLAB_DCHECK(number(block) < slc_.size() && stripe / dies_ < rows_, "programs a stripe beyond the superblock");
    if (stripe % dies_ == 0) written_s_[row(block, stripe / dies_)] = date_s_;
    slc_[number(block)] = slc;
  }
  void erase(SuperblockId block) { std::fill_n(&reads_[number(block) * dies_.value()], dies_.value(), 0); }
  // Counts array reads of the superblock's blocks on a die.
  void disturb(SuperblockId block, Die die, std::uint32_t reads) { reads_[lane(block, die)] += reads; }

  std::uint32_t seconds_since_program(SuperblockId block, std::uint32_t nand_page) const {
    FTLAB_DCHECK(number(block) < slc_.size(),
                 "superblock " + std::to_string(number(block)) + " of " + std::to_string(slc_.size()));
    const std::uint32_t written_s = written_s_[row(block, nand_page)];
    return date_s_ > written_s ? date_s_ - written_s : 0;
  }
  std::uint64_t reads(SuperblockId block, Die die) const { return reads_[lane(block, die)]; }
  std::uint64_t most_reads(SuperblockId block) const {  // maximum over its dies
    const std::uint64_t* const reads = &reads_[number(block) * dies_.value()];
    return *std::max_element(reads, reads + dies_.value());
  }
  bool is_slc(SuperblockId block) const { return slc_[number(block)] != 0; }  // one bit per cell

  template <class A>
  void archive(A& archive) {
    archive.column(written_s_);
    archive.column(reads_);
    archive.column(slc_);
  }

 private:
  std::uint32_t lane(SuperblockId block, Die die) const { return number(block) * dies_.value() + number(die) % dies_; }
  std::uint32_t row(SuperblockId block, std::uint32_t nand_page) const { return number(block) * rows_ + nand_page; }

  std::uint32_t date_s_ = 0;  // not saved; the caller sets it after loading
  std::uint32_t rows_;
  Divisor dies_;                     // per superblock
  Column<std::uint32_t> written_s_;  // by row: time of its first program
  Column<std::uint64_t> reads_;      // by superblock and die, since the erase
  Column<std::uint8_t> slc_;         // by superblock
};

}  // namespace ftlab
