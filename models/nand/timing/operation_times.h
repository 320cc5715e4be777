// Array and bus time of each operation, without any waiting, by kind of page, block and size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/array/layout.h"
#include "models/nand/timing/block_speed.h"
#include "models/nand/timing/timing.h"
#include "sim/core/check.h"
#include "sim/core/divisor.h"

namespace ftlab {

class OperationTimes {
 public:
  OperationTimes(const Geometry& geometry, const NandTiming& timing, BlockSpeed speed);

  // --- the array ---
  Nanoseconds read(Die die, const FlashPage& page) const {
    return looks_at_pages_ ? speed_.read(read_of(page), die, page) : read_;
  }
  // REQUIRES: !reads_depend_on_page().
  Nanoseconds read() const {
    FTLAB_DCHECK(!reads_depend_on_page(), "the time of a read without its page, on which it depends");
    return read_;
  }
  Nanoseconds program(Die die, std::uint32_t nand_page, SuperblockId block, bool slc) const {
    FTLAB_DCHECK(slc || nand_page < program_by_page_.size(), "a program behind the end of its block");
    return speed_.program(slc ? program_slc_ : program_by_page_[nand_page], die, block);
  }
  Nanoseconds erase(Die die, SuperblockId block) const { return speed_.erase(erase_, die, block); }

  // --- the bus: command, whole codewords or pages, and their share of spare bytes ---
  Nanoseconds read_transfer(std::uint32_t bytes) const {
    FTLAB_DCHECK(codewords_of(bytes) < read_transfer_.size(), "a read brings more than the die holds");
    return read_transfer_[codewords_of(bytes)];
  }
  Nanoseconds program_transfer(std::uint32_t planes) const {
    FTLAB_DCHECK(planes < program_transfer_.size(), "a program takes more planes than the die has");
    return program_transfer_[planes];
  }

  std::uint32_t codewords_of(std::uint32_t bytes) const { return (bytes + codeword_bytes_.value() - 1) / codeword_bytes_; }
  std::uint32_t codeword_bytes() const { return codeword_bytes_.value(); }
  // True if the time of a read depends on its page.
  bool reads_depend_on_page() const { return looks_at_pages_; }
  // Sets the erase count of one superblock, or of all.
  void set_erases(SuperblockId block, std::uint32_t erases) { speed_.set_erases(block, erases); }
  void set_erases(std::span<const std::uint32_t> by_superblock) { speed_.set_erases(by_superblock); }

 private:
  Nanoseconds read_of(const FlashPage& page) const {
    if (page.block == kNoBlock) return read_;
    FTLAB_DCHECK(page.slc || page.nand_page < read_by_page_.size(), "a read behind the end of its block");
    return page.slc ? read_slc_ : read_by_page_[page.nand_page];
  }

  BlockSpeed speed_;
  Divisor codeword_bytes_;
  Nanoseconds read_, read_slc_, program_slc_, erase_;
  bool looks_at_pages_;
  std::vector<Nanoseconds> read_by_page_;  // by NAND page of a block
  std::vector<Nanoseconds> program_by_page_;
  std::vector<Nanoseconds> read_transfer_;     // by codewords
  std::vector<Nanoseconds> program_transfer_;  // by planes
};

}  // namespace ftlab
