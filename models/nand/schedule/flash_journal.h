// What the flash was asked to do, and when it did it: from this a power cut at any moment can be made of a medium that is
// ahead of it, since a layer goes on as soon as it has asked for an operation.
//
// At the moment of a cut each operation is done, has not begun, or is under way. One under way has one of these fates:
//   program   done; as if it had never begun; torn: its pages are used up and cannot be read; torn, and in a block of
//             several bits a cell the lower pages that share its cells are destroyed with it
//   erase     done, where it has begun on every die; as if it had never begun, where none is through; half erased: the dies
//             where it has begun cannot be read, and the superblock cannot be programmed until it is erased again
// A die does one thing after the other: what comes after an operation that did not end has not begun. Superblocks are
// programmed in order, so a page that was passed over, because another die was faster, is used up like a torn one.
//
// What a drive needs no longer when it writes on is held to be safe in some way that is not modelled, like the times of its
// records: at every completed flush and before every erase the records of trims and copies of the lower pages whose upper
// pages are still to come. So a cut takes away trims, the last ones first, and lower pages only since then.
//
// It costs an erase a copy of its superblock, and nothing when nobody keeps it. Only a timed drive tells its operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/medium.h"
#include "models/nand/schedule/flash_engine.h"
#include "models/nand/schedule/flash_operation.h"
#include "models/nand/schedule/work_list.h"
#include "models/nand/timing/timing.h"

namespace ftlab {

// Decides what has not to be as it is: one of `count` possibilities, which are in the order of the list above.
using ChooseFate = std::function<std::uint32_t(std::uint32_t count)>;

class FlashJournal final : public MediumJournal {
 public:
  // `pages_per_block`: NAND pages.
  FlashJournal(const Layout& layout, const NandTiming& timing, std::uint32_t pages_per_block);
  // What is listed there is asked for already. REQUIRES: it lives on.
  void watch(const WorkList* work) { work_ = work; }

  // The engine puts all operations down here from now on. REQUIRES: it lives on.
  void record(FlashEngine& engine) { engine.record(&operations_); }
  void add(const TimedOperation& operation) { operations_.push_back(operation); }
  const std::vector<TimedOperation>& known() const { return operations_; }
  void erasing(const Medium& medium, SuperblockId block) override;
  void trimming(Lpn lpn, Version before) override {
    events_.push_back({Event::Kind::trim, position(), lpn, before, {}, {}, {}});
  }
  // A flush is carried out; what came before is safe once it is complete, of which flush_ended() tells. Returns its number.
  std::uint64_t flush_asked() {
    events_.push_back({Event::Kind::flush, position(), {}, {}, {}, {}, kNever, ++flushes_});
    return flushes_;
  }
  void flush_ended(std::uint64_t flush, Nanoseconds at) {
    for (Event& event : events_) {  // those that were forgotten are safe anyway
      if (event.kind == Event::Kind::flush && event.flush == flush) event.at = at;
    }
  }

  // Everything so far is over and safe.
  void forget();

  // What a cut came upon and did.
  struct Damage {
    std::uint32_t programs_under_way = 0, erases_under_way = 0;  // operations of a die; superblocks
    std::uint32_t torn_slots = 0;                                // with those that were passed over
    std::uint32_t destroyed_lower_slots = 0;
    std::uint32_t half_erased = 0;
    std::uint32_t lost_trims = 0;
    std::uint64_t undone_slots = 0;  // that were programmed as the layer saw it
  };
  // Makes of `medium`, to which all of this has happened, what is left of it when the power fails at `at`. Fails a check
  // when an erase began before the programs that were asked for earlier had ended.
  Damage cut(Medium& medium, Nanoseconds at, const ChooseFate& choose) const;

 private:
  struct Event {
    enum class Kind : std::uint8_t { erase, trim, flush };
    Kind kind;
    std::size_t position;  // operations before it
    Lpn lpn;               // of a trim
    Version before;        // of a trim: what was on record
    SuperblockId block;    // of an erase
    Medium::Contents contents;
    Nanoseconds at{0};        // of a flush: when it was complete
    std::uint64_t flush = 0;  // its number
  };
  enum class Fate : std::uint8_t { done, none, torn, torn_with_pair };
  enum class EraseFate : std::uint8_t { done, none, half };
  class Cut;

  std::size_t position() const {  // with those that are listed
    const auto executes = [](const WorkRecord& record) { return record.kind <= WorkRecord::Kind::erase; };
    const std::span<const WorkRecord> listed = work_ == nullptr ? std::span<const WorkRecord>() : work_->records();
    return operations_.size() + static_cast<std::size_t>(std::count_if(listed.begin(), listed.end(), executes));
  }
  // In which stripe of its superblock a program works.
  std::uint32_t stripe_of(const FlashOperation& program) const;

  Layout layout_;
  std::vector<std::vector<std::uint32_t>> lower_pages_;  // by NAND page: the earlier pages in the same cells
  const WorkList* work_ = nullptr;
  std::vector<TimedOperation> operations_;
  std::vector<Event> events_;
  std::uint64_t flushes_ = 0;
};

}  // namespace ftlab
