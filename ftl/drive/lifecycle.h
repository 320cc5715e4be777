// Operations on a whole drive between requests: power cuts, redesign, and aging without executing each write. Each makes a
// new layer from the content of the medium. REQUIRES for all: no request outstanding; versions are kept, except for aging.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ftl/drive/drive.h"

namespace ftlab {

class CountedWrites;

// Random writes that are counted instead of executed.
struct CountedPlan {
  std::uint64_t writes = 0;       // of each round
  std::uint64_t write_bytes = 0;  // of each write, a part of one mapping page; 0: a whole one
  // Asked after a round with its write amplification: true for another round. Null: one round.
  std::function<bool(double wa)> another = nullptr;
  // Called with the number of writes so far, every few million of them.
  std::function<void(std::uint64_t writes)> progress = nullptr;
};

class Lifecycle {
 public:
  // REQUIRES: `drive` outlives this object.
  explicit Lifecycle(Drive& drive) : drive_(drive), parts_(drive.parts_) {}

  // Drops everything in RAM (with power-loss protection it is programmed first) and restarts the layer from the medium.
  // Simulated time continues; the power-on scan itself takes none.
  void power_cycle();

  // Records all flash operations in `journal` from now on; null stops recording. REQUIRES: the journal outlives its use.
  void keep_journal(FlashJournal* journal);
  // Clears the statistics of buffer waits. Call at the beginning of a run.
  void forget_buffer_waits() { parts_.back.waits.clear(); }
  // Like FlashEngine::record().
  void record_flash(std::vector<TimedOperation>* log) { parts_.back.engine->record(log); }
  // Like power_cycle(), but at time `at`, while flash operations are in flight: running operations get the fates that
  // `choose` returns, queued ones never happen, and `journal` is cleared. With power-loss protection all of them complete.
  // REQUIRES: `at` is not before the last completion; the journal was kept since the flash was idle; the flash has no
  // wear-out and no bit errors.
  FlashJournal::Damage power_cycle(FlashJournal& journal, Nanoseconds at, const ChooseFate& choose);

  // Continues as another design: programs data that wait in RAM, then makes the new layer by its power-on scan. Timing may
  // differ; counters and time continue. REQUIRES: redesign_problem() is empty. Throws std::runtime_error if the medium is
  // too full for the new layer; the drive must not be used afterwards.
  void redesign(const DriveConfig& design);

  // Ages the drive by uniform random writes without executing them (counted_writes.h). Valid pages per superblock, free
  // superblocks and erases are distributed as after real writes. Pages that are not written keep their order; stale slots of
  // filled superblocks are random. Up to one stripe more is written, so that no page stays in RAM. The only media counters
  // maintained are bytes and erases. Returns false if these writes would wear out a block, or leave data that need retries to
  // be read. Then, or if a function of the plan throws, only the data in RAM were programmed. REQUIRES:
  // counted_aging_problem(drive, true) is empty.
  //
  // Superblocks of a pSLC cache and of translation pages keep their numbers of valid pages; the cache then holds other pages.
  // The programs and erases that they need are not counted: add_unseen() adds them.
  bool age_by_counting(const CountedPlan& plan, std::uint64_t seed);
  bool age_by_counting(std::uint64_t pages, std::uint64_t seed) { return age_by_counting(CountedPlan{pages}, seed); }
  // Counts pages programmed for the map and to fold the cache, and their erases, alike on all superblocks.
  void add_unseen(std::uint64_t mapping_pages, std::uint64_t folded_pages);

 private:
  // Programs everything in RAM and lets the flash finish its work.
  void save_ram();
  // Counts pages that waited in RAM: the layer has counted them, but they never reached the flash.
  void count_lost_pages();
  bool flash_serves(const CountedWrites& counted) const;         // all of these writes
  void print(const CountedWrites& counted, std::uint64_t seed);  // into the medium

  Drive& drive_;
  DriveParts& parts_;
};

// Empty, or the reason why another design cannot take over the drive's medium: other flash, another mapping page, another
// user capacity, or a layer that could not read what this one has written.
std::string redesign_problem(const Drive& drive, const DriveConfig& design);
// Empty, or the reason why the drive cannot be aged by counting. `in_part`: a pSLC cache and a map on demand may stand
// aside, if the drive has so many superblocks that they are a small part, and so may a pSLC mode that ends when it is full.
std::string counted_aging_problem(const Drive& drive, bool in_part = false);
// True if it has something that would stand aside.
bool counts_in_part(const FtlConfig& config);

}  // namespace ftlab
