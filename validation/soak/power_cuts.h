// Cuts the power of a host's drive during flash operations. After each cut:
//
//   recovery        runs, is itself cut up to three times, and finds the same state in one more run on the idle drive
//   every page      holds its durable content, or one of the later writes and trims
//   inspect()       finds no errors
//
// Durable is, with power-loss protection, everything submitted (the drive's energy completes operations in flight); without,
// what was submitted before a completed flush or write through the cache; and the contents after the previous cut.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/nand/schedule/flash_journal.h"
#include "sim/core/random.h"
#include "validation/soak/counts.h"
#include "validation/soak/host.h"

namespace ftlab::soak {

// The drive takes no more writes, because torn stripes leave no room. It holds the durable contents, also after one more
// start.
struct OutOfRoom {};

class RandomCuts {
 public:
  // REQUIRES: host and counts outlive this.
  RandomCuts(const RunPlan& plan, ShadowedHost& host, Counts& counts);

  // Lets the host issue some more requests, cuts the power at one of many moments, and recovers. Throws OutOfRoom if the
  // drive has become read-only.
  void cut();
  // Requests until the next cut.
  std::uint64_t interval() { return 1 + random_.below(2 * plan_.cut_every); }

 private:
  // Where a cut is placed, in the order of `Count`.
  enum class Window : std::uint8_t {
    index,         // during one of the operations that are in flight or queued
    time,          // at a random time
    first_stripe,  // first stripe of a superblock: the frontier has just switched
    last_stripe,   // last stripe of a superblock
    erase,         // between copy and erase, or during the erase
    collection,    // during programs of relocated pages
    suspended,     // during a program or an erase that a host read has suspended
    reserve,       // when only the reserve is free
    trim,          // when there are trims that no flush covers
    recovery,      // during the flash operations of the last recovery
  };

  Window drawn_window();
  bool read_only() const { return host_.drive().ftl().read_only(); }
  bool safe() const { return plan_.drive.ftl.buffer.power_loss_protected; }
  void keep_journal(bool keep);
  bool selects(Window window, const TimedOperation& operation) const;
  std::vector<const TimedOperation*> candidates(Window window) const;
  bool reached(Window window) const;
  Nanoseconds suspended_at(const TimedOperation& operation) const;
  Nanoseconds moment(Window window);
  void cut_in(Window window);
  void count_work_at(Nanoseconds at);
  void recover_at(Nanoseconds at);
  void cut_recovery();
  void start_again();

  const RunPlan& plan_;
  ShadowedHost& host_;
  Counts& counts_;
  RandomStream random_;
  FlashJournal journal_;
  std::string where_;  // the last cut, for errors
};

}  // namespace ftlab::soak
