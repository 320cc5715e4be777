// Programs of a frontier that are requested or already fed by a read. Numbered in order, in a growing ring that begins at
// the oldest that has not ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/nand/schedule/operation_table.h"
#include "models/nand/schedule/work_record.h"
#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

struct FlashProgram {
  enum : std::uint8_t {
    kSlc = WorkRecord::kSlc,
    kInRegister = WorkRecord::kInRegister,
    kHostData = WorkRecord::kHostData,
    kFeedsNext = 8,
    kEndsNext = 16,
    kKnown = 32
  };
  Nanoseconds ready{0};          // when its data are in the controller
  std::uint32_t order = 0;       // section among all programs (program_order.h)
  std::uint32_t host_order = 0;  // section among programs of host data
  std::uint32_t logged = 0;      // number in the log + 1
  std::uint32_t waits = 0;       // open dependencies: reads, signals, erases and earlier programs
  std::uint32_t unread = 0;      // those of `waits` that supply data
  std::uint32_t next = 0;        // next program of the frontier on this die: number + 1
  OperationList reads;           // reads of its page that wait for it
  std::uint32_t superblock = 0;
  std::uint32_t nand_page = 0;
  std::uint16_t die = 0;
  std::uint16_t host_pages = 0;
  std::uint16_t moved_pages = 0;
  std::uint8_t planes = 0;
  std::uint8_t flags = 0;

  // Copies page, die and flags from the record.
  void describe(const WorkRecord& record) {
    superblock = record.superblock;
    nand_page = record.nand_page;
    die = record.die;
    host_pages = record.host_pages;
    moved_pages = record.moved_pages;
    planes = record.planes;
    flags |= kKnown | (record.flags & (kSlc | kInRegister | kHostData));
  }
  // By value: with references the compiler emits a branch.
  void wait_until(Nanoseconds at) { ready = ready < at ? at : ready; }
  // True if it is requested and has no open dependencies.
  bool can_be_loaded() const { return (waits | (~std::uint32_t{flags} & kKnown)) == 0; }
};

class FrontierPrograms {
 public:
  // REQUIRES: reach() was called for the number.
  FlashProgram& at(std::uint32_t number) {
    FTLAB_DCHECK(open(number), "program " + std::to_string(number) + " has ended, or nothing asked for it");
    return ring_[number & mask_];
  }
  const FlashProgram& at(std::uint32_t number) const {
    FTLAB_DCHECK(open(number), "program " + std::to_string(number) + " is not known any more, or not yet");
    return ring_[number & mask_];
  }
  // Makes room for all programs before `end`, which may be requested later.
  void reach(std::uint32_t end) {
    if (end - oldest_ > mask_ + 1) [[unlikely]]
      make_room(end);
  }
  // One more read or signal brings data for `span` programs from `number` on.
  void add_reads(std::uint32_t number, std::uint32_t span) {
    FTLAB_DCHECK(span > 0, "a read brings data for no program");
    if (span > 2) [[unlikely]]
      return add_to_many(number, span);
    reach(number + 2);
    FlashProgram &first = at(number), &second = at(number + 1);  // a branch would be mispredicted
    ++first.waits, ++first.unread;
    second.waits += span - 1, second.unread += span - 1;
  }
  // Numbers the next `count` requested programs; returns the first number.
  std::uint32_t add(std::uint32_t count) {
    reach(known_ + count);
    known_ += count;
    return known_ - count;
  }
  // The program has ended; its entry can be reused.
  void end(std::uint32_t number) { at(number) = {}; }
  void forget_log() {
    for (FlashProgram& program : ring_) program.logged = 0;
  }
  // Removes all programs; numbers begin at 0 again.
  void restart() {
    ring_.assign(ring_.size(), {});
    oldest_ = known_ = 0;
  }

  template <class A>
  void archive(A& archive) {
    archive.list(ring_, std::uint64_t{1} << 24);
    for (auto* value : {&oldest_, &known_}) archive.value(*value);
    mask_ = static_cast<std::uint32_t>(ring_.size()) - 1;
  }
  bool open(std::uint32_t number) const { return number - oldest_ < ring_.size(); }

 private:
  void add_to_many(std::uint32_t number, std::uint32_t span) {
    reach(number + span);
    for (std::uint32_t n = number; n < number + span; ++n) ++at(n).waits, ++at(n).unread;
  }
  // First frees the entries of the oldest programs that have ended.
  [[gnu::noinline]] void make_room(std::uint32_t end) {
    while (oldest_ != known_ && (at(oldest_).flags & FlashProgram::kKnown) == 0) ++oldest_;
    while (end - oldest_ > mask_ + 1) grow(end);
  }
  void grow(std::uint32_t end) {
    FTLAB_CHECK(end - oldest_ <= (1u << 24), "program " + std::to_string(end) + " is too far ahead");
    std::vector<FlashProgram> larger(2 * ring_.size());
    for (std::uint32_t i = 0; i < ring_.size(); ++i) {
      const std::uint32_t n = oldest_ + i;
      larger[n & (larger.size() - 1)] = ring_[n & (ring_.size() - 1)];
    }
    ring_.swap(larger);
    mask_ = static_cast<std::uint32_t>(ring_.size()) - 1;
  }

  std::vector<FlashProgram> ring_ = std::vector<FlashProgram>(64);
  std::uint32_t mask_ = 63;   // ring size - 1
  std::uint32_t oldest_ = 0;  // all before it have ended; it may have ended as well
  std::uint32_t known_ = 0;   // all before it are requested
};

}  // namespace ftlab
