// Records the operations requested from the flash and when they ran, so that a power cut at any time can be applied to a
// medium that is ahead of the flash: a layer continues as soon as it has requested an operation.
//
// At the time of a cut each operation is done, not begun, or in flight. One in flight has one of these fates:
//   program   done; as if it had never begun; torn: its pages are used up and unreadable; torn, and in a block of several
//             bits per cell the lower pages that share its cells are destroyed as well
//   erase     done, if it has begun on every die; as if it had never begun, if it has ended on none; half erased: the dies
//             where it has begun are unreadable, and the superblock cannot be programmed until it is erased again
// A die runs its operations in sequence: nothing after an operation that did not end has begun. Superblocks are programmed
// in order, so a page that was skipped because another die was faster is used up like a torn one.
//
// By assumption (mechanism and time are not modelled) each completed flush and each erase makes the records of earlier trims
// safe, and the lower pages whose upper pages are not programmed yet. So a cut loses only trims, the last ones first, and
// lower pages since then.
//
// Cost: a copy of the superblock at each erase; nothing without a journal. Only a timed drive reports its operations.
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

// Chooses one of `count` possible fates, in the order of the list above.
using ChooseFate = std::function<std::uint32_t(std::uint32_t count)>;

class FlashJournal final : public MediumJournal {
 public:
  // `pages_per_block`: NAND pages.
  FlashJournal(const Layout& layout, const NandTiming& timing, std::uint32_t pages_per_block);
  // Records in `work` count as requested. REQUIRES: `work` outlives this.
  void watch(const WorkList* work) { work_ = work; }

  // The engine records all operations here from now on. REQUIRES: this outlives the recording.
  void record(FlashEngine& engine) { engine.record(&operations_); }
  void add(const TimedOperation& operation) { operations_.push_back(operation); }
  const std::vector<TimedOperation>& known() const { return operations_; }
  void erasing(const Medium& medium, SuperblockId block) override;
  void trimming(Lpn lpn, Version before) override {
    events_.push_back({Event::Kind::trim, position(), lpn, before, {}, {}, {}});
  }
  // A flush is requested; everything before it is safe once it is complete, see flush_ended(). Returns its number.
  std::uint64_t flush_asked() {
    events_.push_back({Event::Kind::flush, position(), {}, {}, {}, {}, kNever, ++flushes_});
    return flushes_;
  }
  void flush_ended(std::uint64_t flush, Nanoseconds at) {
    for (Event& event : events_) {  // forgotten flushes are safe already
      if (event.kind == Event::Kind::flush && event.flush == flush) event.at = at;
    }
  }

  // Forgets everything so far, which has ended and is safe.
  void forget();

  // Operations in flight at a cut, and its damage.
  struct Damage {
    std::uint32_t programs_under_way = 0, erases_under_way = 0;  // programs of a die; erases of a superblock
    std::uint32_t torn_slots = 0;                                // including skipped ones
    std::uint32_t destroyed_lower_slots = 0;
    std::uint32_t half_erased = 0;
    std::uint32_t lost_trims = 0;
    std::uint64_t undone_slots = 0;  // programmed in the view of the layer
  };
  // Turns `medium`, in which all recorded operations are done, into what a power cut at `at` leaves of it. Fails a check if
  // an erase began before all programs requested before it had ended.
  Damage cut(Medium& medium, Nanoseconds at, const ChooseFate& choose) const;

 private:
  struct Event {
    enum class Kind : std::uint8_t { erase, trim, flush };
    Kind kind;
    std::size_t position;  // operations before it
    Lpn lpn;               // trims only
    Version before;        // trims only: version of the page's previous trim
    SuperblockId block;    // erases only
    Medium::Contents contents;
    Nanoseconds at{0};        // flushes only: time of completion
    std::uint64_t flush = 0;  // number of the flush
  };
  enum class Fate : std::uint8_t { done, none, torn, torn_with_pair };
  enum class EraseFate : std::uint8_t { done, none, half };
  class Cut;

  std::size_t position() const {  // including listed records
    const auto executes = [](const WorkRecord& record) { return record.kind <= WorkRecord::Kind::erase; };
    const std::span<const WorkRecord> listed = work_ == nullptr ? std::span<const WorkRecord>() : work_->records();
    return operations_.size() + static_cast<std::size_t>(std::count_if(listed.begin(), listed.end(), executes));
  }
  // Stripe of its superblock that the program writes.
  std::uint32_t stripe_of(const FlashOperation& program) const;

  Layout layout_;
  std::vector<std::vector<std::uint32_t>> lower_pages_;  // by NAND page: the earlier pages in the same cells
  const WorkList* work_ = nullptr;
  std::vector<TimedOperation> operations_;
  std::vector<Event> events_;
  std::uint64_t flushes_ = 0;
};

}  // namespace ftlab
