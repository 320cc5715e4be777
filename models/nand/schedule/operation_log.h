// Optional log of every operation as requested and as executed.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/schedule/flash_operation.h"
#include "models/nand/schedule/work_record.h"
#include "sim/core/check.h"

namespace ftlab {

class OperationLog {
 public:
  bool on() const { return log_ != nullptr; }
  // Null: off. REQUIRES: `log` outlives the logging, and nothing is removed from it while an operation is in flight.
  void write_to(std::vector<TimedOperation>* log) { log_ = log; }
  // Returns its number + 1; 0 without a log.
  std::uint32_t add(const WorkRecord& record, Nanoseconds now) { return on() ? append(record, now) : 0; }
  // kNever: not known yet.
  void note(std::uint32_t logged, Nanoseconds start, Nanoseconds done) {
    if (logged == 0) [[likely]]
      return;
    FTLAB_CHECK(on() && logged <= log_->size(), "an operation ends that the log has forgotten");
    TimedOperation& operation = (*log_)[logged - 1];
    if (start != kNever) operation.start = start;
    if (done != kNever) operation.done = done;
  }

 private:
  [[gnu::noinline]] std::uint32_t append(const WorkRecord& record, Nanoseconds now) {
    using Kind = FlashOperation::Kind;
    const Kind kind = record.kind == WorkRecord::Kind::program ? Kind::program
                      : record.kind == WorkRecord::Kind::erase ? Kind::erase
                      : record.has(WorkRecord::kKeepsData)     ? Kind::read_internally
                                                               : Kind::read;
    log_->push_back({{kind, Die{record.die}, now, record.page(), record.bytes, record.planes, record.frontier,
                      record.has(WorkRecord::kInRegister)},
                     kNever,
                     kNever});
    return static_cast<std::uint32_t>(log_->size());
  }

  std::vector<TimedOperation>* log_ = nullptr;
};

}  // namespace ftlab
