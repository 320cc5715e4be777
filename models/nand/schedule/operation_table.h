// Reads and erases in flight, by id from 1 on; ids are reused. Each is in at most one list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/nand/schedule/work_record.h"
#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

// No padding: archived.
struct Operation {
  Nanoseconds ready{0};      // once begun: its start
  std::uint32_t logged = 0;  // number in the log + 1
  std::uint32_t next = 0;
  std::uint32_t in_memory = 0;  // 1: a read served from the controller's memory, since the program of its page is in flight
  WorkRecord record;
};

struct OperationList {
  std::uint32_t head = 0, tail = 0;
};

class OperationTable {
 public:
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::uint64_t kMostSaved = std::uint64_t{1} << 28;

  Operation& operator[](std::uint32_t id) {
    FTLAB_DCHECK(id < operations_.size(), "operation " + std::to_string(id) + " of " + std::to_string(operations_.size()));
    return operations_[id];
  }
  std::uint64_t open() const { return open_; }

  [[gnu::always_inline]] std::uint32_t add(const WorkRecord& record, Nanoseconds now) {
    ++open_;
    std::uint32_t id = free_;
    if (id == kNone) [[unlikely]] {
      id = static_cast<std::uint32_t>(operations_.size());
      operations_.emplace_back();
    }
    Operation& operation = operations_[id];
    free_ = operation.next;
    operation.ready = now;
    operation.logged = operation.next = operation.in_memory = 0;
    operation.record = record;
    return id;
  }
  // The record stays readable until the next add().
  void end(std::uint32_t id) {
    FTLAB_DCHECK(id != kNone && open_ > 0, "an operation ends that was not asked for");
    --open_;
    operations_[id].next = free_;
    free_ = id;
  }
  // REQUIRES: the operation is in no list, and its `next` is kNone.
  void append(OperationList& list, std::uint32_t id) {
    FTLAB_DCHECK(id != kNone && operations_[id].next == kNone, "an operation joins a list that is in another, or is none");
    (list.head == kNone ? list.head : operations_[list.tail].next) = id;
    list.tail = id;
  }
  std::uint32_t take_first(OperationList& list) {
    FTLAB_DCHECK(list.head != kNone, "an operation of an empty list");
    const std::uint32_t id = list.head, next = operations_[id].next;
    list.head = next;
    list.tail = next == kNone ? kNone : list.tail;
    return id;
  }
  // Empties the list and calls take(id) in order, which may append the operation to a list.
  template <class Take>
  void take_all(OperationList& list, Take&& take) {
    std::uint32_t id = list.head;
    list = {};
    while (id != kNone) {
      const std::uint32_t taken = id;
      id = operations_[taken].next;
      operations_[taken].next = kNone;
      take(taken);
    }
  }
  void forget_log() {
    for (Operation& operation : operations_) operation.logged = 0;
  }
  void clear() {
    operations_.resize(1);
    free_ = kNone;
    open_ = 0;
  }

  template <class A>
  void archive(A& archive) {
    archive.list(operations_, kMostSaved);
    archive.value(free_);
  }
  // Archives open() as a sum with `in_flight`. REQUIRES: `in_flight` is archived before.
  template <class A>
  void archive_count(A& archive, std::uint64_t in_flight) {
    std::uint64_t together = open_ + in_flight;
    archive.value(together);
    open_ = together - in_flight;
  }

 private:
  std::vector<Operation> operations_ = std::vector<Operation>(1);
  std::uint32_t free_ = kNone;
  std::uint64_t open_ = 0;
};

}  // namespace ftlab
