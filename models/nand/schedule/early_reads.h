// Reads of a page whose program has not ended wait with the program. Host reads get the data from the controller's memory as
// soon as they are there; other reads wait for the end of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/schedule/operation_table.h"
#include "models/nand/schedule/programs.h"

namespace ftlab {

class EarlyReads {
 public:
  using Frontiers = std::vector<FrontierPrograms>;
  // A program of a frontier; number + 1.
  struct Programmed {
    std::uint32_t frontier = 0, number = 0;
  };

  // --- programs of each superblock ---
  void add_programs(const WorkRecord& record, std::uint32_t number, std::uint32_t count) {
    if (record.superblock >= programs_of_.size()) [[unlikely]]
      programs_of_.resize(record.superblock + 1);
    OfSuperblock& of = programs_of_[record.superblock];
    if (of.end == of.first || of.frontier != record.frontier) of = {record.frontier, number, number, 0};
    of.end = number + count;
    of.open += count;
  }
  void end_program(std::uint32_t superblock, std::uint32_t frontier, std::uint32_t number) {
    FTLAB_CHECK(superblock < programs_of_.size(), "a program ends of a superblock that was not programmed");
    OfSuperblock& of = programs_of_[superblock];
    const bool counted = of.frontier == frontier && number - of.first < of.end - of.first;
    FTLAB_DCHECK(!counted || of.open > 0, "more programs of a superblock end than began");
    of.open -= counted ? 1 : 0;
  }
  void add_erase(std::uint32_t superblock) {
    if (superblock < programs_of_.size()) programs_of_[superblock] = {};
  }
  bool has_programs(std::uint32_t superblock) const {  // in flight
    return superblock < programs_of_.size() && programs_of_[superblock].open > 0;
  }
  // The program of the page if it is in flight, else number 0. REQUIRES: has_programs() of its superblock.
  Programmed program_of(const WorkRecord& read, const Frontiers& frontiers) const;

  // --- reads ---
  void add_arriving(const Programmed& program) { arriving_.push_back(program); }
  bool any_arriving() const { return !arriving_.empty(); }
  // Removes and returns the die's programs whose data host reads wait for.
  std::vector<Programmed> take_arriving(std::uint32_t die, const Frontiers& frontiers);
  void clear() {
    programs_of_.clear();
    arriving_.clear();
  }

  template <class A>
  void archive(A& archive) {
    archive.list(programs_of_, OperationTable::kMostSaved);
    archive.list(arriving_, OperationTable::kMostSaved);
  }

 private:
  // Programs since the last requested erase: a range of numbers of one frontier.
  struct OfSuperblock {
    std::uint32_t frontier = 0;
    std::uint32_t first = 0, end = 0;  // range of numbers
    std::uint32_t open = 0;            // in flight
  };

  std::vector<OfSuperblock> programs_of_;  // by superblock; grows
  std::vector<Programmed> arriving_;       // data on their way that host reads wait for
};

}  // namespace ftlab
