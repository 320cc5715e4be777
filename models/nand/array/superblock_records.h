// State of each superblock: pages programmed, erase count, order of opening and closing. Columns by superblock.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

class SuperblockRecords {
 public:
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};

  explicit SuperblockRecords(std::uint32_t superblocks)
      : programmed_(superblocks),
        erases_(superblocks),
        opened_(superblocks),
        closed_(superblocks, kOpen),
        frontier_(superblocks),
        pslc_(superblocks) {}

  std::uint32_t programmed(SuperblockId block) const {  // pages, from the first on
    FTLAB_DCHECK(number(block) < programmed_.size(), "superblock " + std::to_string(number(block)) + " is not in the flash");
    return programmed_[number(block)];
  }
  std::uint32_t erases(SuperblockId block) const {
    FTLAB_DCHECK(number(block) < erases_.size(), "superblock " + std::to_string(number(block)) + " was never erased");
    return erases_[number(block)];
  }
  std::span<const std::uint32_t> erase_counts() const { return erases_.view(); }
  const Column<std::uint32_t>& erase_column() const { return erases_; }
  std::uint64_t opened(SuperblockId block) const { return opened_[number(block)]; }  // order of opening; 0: not opened
  std::uint64_t closed(SuperblockId block) const { return closed_[number(block)]; }  // order of closing; kOpen: not closed
  std::uint8_t frontier(SuperblockId block) const { return frontier_[number(block)]; }
  bool pslc(SuperblockId block) const { return pslc_[number(block)] != 0; }  // if erased: as last written
  std::uint64_t erased() const { return erased_; }                           // erases of all superblocks

  void open(SuperblockId block, std::uint8_t frontier, bool pslc) {
    opened_[number(block)] = ++openings_;
    frontier_[number(block)] = frontier;
    pslc_[number(block)] = pslc;
  }
  void program(SuperblockId block, std::uint32_t pages) {
    FTLAB_DCHECK(pages > programmed(block), "a program adds no page to its superblock");
    programmed_[number(block)] = pages;
  }
  void close(SuperblockId block) {
    FTLAB_DCHECK(opened(block) != 0, "a superblock is closed that was never opened");
    closed_[number(block)] = ++closings_;
  }
  void erase(SuperblockId block) {
    programmed_[number(block)] = 0;
    opened_[number(block)] = 0;
    closed_[number(block)] = kOpen;
    set_erases(block, erases(block) + 1);
  }
  void set_erases(SuperblockId block, std::uint32_t erases) {
    erased_ += erases - erases_[number(block)];
    erases_[number(block)] = erases;
  }

  // --- undo for power cuts ---
  struct Record {
    std::uint64_t opened, closed;
    std::uint8_t frontier, pslc;
  };
  Record record(SuperblockId block) const { return {opened(block), closed(block), frontier(block), pslc_[number(block)]}; }
  void undo_programs(SuperblockId block, std::uint32_t programmed) {
    programmed_[number(block)] = programmed;
    closed_[number(block)] = kOpen;
    if (programmed == 0) opened_[number(block)] = 0;
  }
  void undo_erase(SuperblockId block, std::uint32_t programmed, const Record& before) {
    programmed_[number(block)] = programmed;
    opened_[number(block)] = before.opened;
    closed_[number(block)] = before.closed;
    frontier_[number(block)] = before.frontier;
    pslc_[number(block)] = before.pslc;
    --erases_[number(block)];
    --erased_;
  }

  template <class A>
  void archive(A& archive) {
    for (auto* column : {&programmed_, &erases_}) archive.column(*column);
    for (auto* column : {&opened_, &closed_}) archive.column(*column);
    archive.column(frontier_);
    archive.column(pslc_);
  }
  template <class A>
  void archive_order(A& archive) {
    for (auto* count : {&openings_, &closings_}) archive.value(*count);
  }
  template <class A>
  void archive_count(A& archive) {
    archive.value(erased_);
  }

 private:
  friend struct BrokenDrive;
  Column<std::uint32_t> programmed_;
  Column<std::uint32_t> erases_;
  Column<std::uint64_t> opened_;
  Column<std::uint64_t> closed_;
  Column<std::uint8_t> frontier_;
  Column<std::uint8_t> pslc_;
  std::uint64_t openings_ = 0, closings_ = 0, erased_ = 0;
};

}  // namespace ftlab
