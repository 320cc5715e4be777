// Operations on a whole drive between requests: power cuts, redesign, aging without executing each write. Each makes a new
// layer from the contents of the medium. REQUIRES, for all: no request outstanding,
// versions are kept.
#pragma once

#include <cstdint>
#include <string>

#include "ftl/drive/drive.h"

namespace ftlab {

class CountedWrites;

class Lifecycle {
 public:
  // REQUIRES: it outlives this.
  explicit Lifecycle(Drive& drive) : drive_(drive), parts_(drive.parts_) {}

  // Everything in RAM is lost (with power-loss protection it is programmed first), and the layer starts again from the
  // medium. Simulated time continues; the power-on scan itself takes none.
  void power_cycle();

  // All operations of the flash are recorded in `journal` from now on; null: no more. REQUIRES: it outlives that.
  void keep_journal(FlashJournal* journal);
  // As FlashEngine::record().
  void record_flash(std::vector<TimedOperation>* log) { parts_.back.engine->record(log); }
  // As power_cycle(), but at the moment `at`, while flash operations are in flight: those that run get the fates that
  // `choose` returns, those that are queued never happen, and `journal` is cleared. With power-loss protection all of them
  // end. REQUIRES: `at` is not before the last completion; the journal was kept since the flash was idle; the flash neither
  // wears out nor errs.
  FlashJournal::Damage power_cycle(FlashJournal& journal, Nanoseconds at, const ChooseFate& choose);

  // Continues as another design: data that wait in RAM are programmed, then the new layer is made by its power-on scan.
  // Timings may differ; counters and time continue. REQUIRES: redesign_problem() is empty. Throws std::runtime_error when
  // the medium is too full for the new layer; the drive must not be used any more then.
  void redesign(const DriveConfig& design);

  // Ages the drive by `pages` uniform random writes without executing them (counted_writes.h). Valid pages per superblock,
  // free superblocks and erases are distributed as after real writes. Pages that are not written keep their order; stale
  // slots of filled superblocks are drawn. Up to one stripe more is written, so that no page is left in RAM. Of the media
  // counters, bytes and erases are maintained. REQUIRES: counted_aging_problem() is empty.
  void age_by_counting(std::uint64_t pages, std::uint64_t seed);

 private:
  // All that is in RAM goes to the flash, which finishes its work.
  void save_ram();
  // Pages that waited in RAM are counted by the layer, but never reached the flash.
  void count_lost_pages();
  void print(const CountedWrites& counted, std::uint64_t seed);  // into the medium

  Drive& drive_;
  DriveParts& parts_;
};

// Empty, or why the medium of the drive cannot be taken over by another design: other flash, another mapping page, another
// user capacity, or a layer that could not read what this one has written.
std::string redesign_problem(const Drive& drive, const DriveConfig& design);
// Empty, or why the drive cannot be aged by counting.
std::string counted_aging_problem(const Drive& drive);

}  // namespace ftlab
