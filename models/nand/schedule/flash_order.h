// Order of programs, erases and flushes: an erase or barrier waits for all programs before it, a program for the erases and
// barriers of its superblock before it, a flush for all programs of host data before it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/nand/schedule/operation_table.h"
#include "models/nand/schedule/program_order.h"
#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

class FlashOrder {
 public:
  // Adds `count` programs. Returns their sections (program_order.h) among all programs and among those of host data.
  struct Sections {
    std::uint32_t all, host;
  };
  Sections add_programs(std::uint32_t count, bool host_data) {
    return {programs_.add(count), host_data ? host_programs_.add(count) : 0};
  }
  bool is_gated(std::uint32_t superblock) const {  // an erase or barrier is pending
    return superblock < erasing_.size() && erasing_[superblock].asked > 0;
  }
  // The program waits until open() is called for it. REQUIRES: is_gated().
  void gate(std::uint32_t superblock, std::uint32_t frontier, std::uint32_t number) {
    FTLAB_DCHECK(is_gated(superblock), "a program waits for an erase that was not asked for");
    Erasing& erasing = erasing_[superblock];
    gated_.push_back({superblock, frontier, number, erasing.asked});
    if (erasing.opens_at == 0) erasing.opens_at = erasing.asked;  // later programs wait for at least as many
  }
  // Returns true if the erase is ready at once. `after_previous`: it waits only for the erase that was added last.
  bool add_erase(std::uint32_t id, std::uint32_t superblock, bool after_previous) {
    ask_erase(superblock);
    const std::uint32_t before = std::exchange(last_erase_, id);
    const bool ready = after_previous ? before == OperationTable::kNone : programs_.all_ended();
    if (ready) return true;
    if (after_previous) {
      after_erase_.push_back({before, id});
    } else {
      ordered_.push({programs_.end_section(), id, superblock});
    }
    return false;
  }
  void add_barrier(std::uint32_t superblock) {
    if (programs_.all_ended()) return;
    ask_erase(superblock);
    ordered_.push({programs_.end_section(), OperationTable::kNone, superblock});
  }
  // Returns true if the flush is done at once.
  bool add_flush(std::uint32_t tag) {
    if (host_programs_.all_ended()) return true;
    flushes_.push({host_programs_.end_section(), tag});
    return false;
  }

  // A program or an erase has ended. Calls ready(id) for erases and open(frontier, number) for programs that waited for it.
  template <class Ready, class Open>
  void end_program(std::uint32_t section, Ready&& ready, Open&& open) {
    if (!programs_.end(section) || ordered_.empty()) [[likely]]
      return;
    while (!ordered_.empty() && programs_.ended(ordered_.front().section)) {
      const Ordered ordered = ordered_.pop();
      ordered.operation == OperationTable::kNone ? end_erase_of(ordered.superblock, open) : ready(ordered.operation);
    }
  }
  template <class Ready, class Open>
  void end_erase(std::uint32_t id, std::uint32_t superblock, Ready&& ready, Open&& open) {
    if (last_erase_ == id) last_erase_ = OperationTable::kNone;
    std::uint32_t behind = OperationTable::kNone;
    std::erase_if(after_erase_, [&](const AfterErase& pair) {
      if (pair.first == id) behind = pair.second;
      return pair.first == id;
    });
    if (behind != OperationTable::kNone) ready(behind);
    end_erase_of(superblock, open);
  }
  // A program of host data has ended. Calls reached(tag) for flushes that waited for it.
  template <class Reached>
  void end_host_program(std::uint32_t section, Reached&& reached) {
    if (!host_programs_.end(section)) return;
    while (!flushes_.empty() && host_programs_.ended(flushes_.front().section)) reached(flushes_.pop().tag);
  }
  void clear();

  template <class A>
  void archive(A& archive) {
    programs_.archive(archive);
    host_programs_.archive(archive);
    ordered_.archive(archive, OperationTable::kMostSaved);
    flushes_.archive(archive, OperationTable::kMostSaved);
    archive.list(gated_, OperationTable::kMostSaved);
    archive.list(erasing_, OperationTable::kMostSaved);
    archive.value(last_erase_);
    archive.list(after_erase_, OperationTable::kMostSaved);
  }

 private:
  struct Ordered {
    std::uint32_t section;    // all programs up to this section must end first
    std::uint32_t operation;  // kNone: barrier
    std::uint32_t superblock;
  };
  struct Gated {
    std::uint32_t superblock, frontier, number;
    std::uint32_t asked;  // erases and barriers requested before it
  };
  struct Erasing {  // erases and barriers of a superblock since none was pending
    std::uint32_t asked = 0, ended = 0;
    std::uint32_t opens_at = 0;  // value of `ended` that opens its first waiting program; 0: none waits
  };
  struct AfterErase {  // `second`, of a spare block, waits for `first`
    std::uint32_t first, second;
  };
  struct Flush {
    std::uint32_t section;  // all programs of host data up to this section must end first
    std::uint32_t tag;
  };

  void ask_erase(std::uint32_t superblock) {
    FTLAB_DCHECK(superblock != number(kNoBlock), "an erase of no superblock");
    if (superblock >= erasing_.size()) erasing_.resize(superblock + 1);
    ++erasing_[superblock].asked;
  }
  template <class Open>
  void end_erase_of(std::uint32_t superblock, Open&& open) {
    for (const Gated& gated : take_opened(superblock)) open(gated.frontier, gated.number);
  }
  std::vector<Gated> take_opened(std::uint32_t superblock);

  ProgramOrder programs_, host_programs_;
  RingBuffer<Ordered> ordered_;
  RingBuffer<Flush> flushes_;
  std::vector<Gated> gated_;
  std::vector<Erasing> erasing_;  // by superblock; grows
  std::uint32_t last_erase_ = OperationTable::kNone;
  std::vector<AfterErase> after_erase_;
};

}  // namespace ftlab
