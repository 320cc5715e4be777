// Cuts the power of a simulated drive amid what it does, and remembers what that took away: of a served drive and of one on
// which a recording is replayed.
//
// A cut strikes amid the flash's operations where that is defined and the flash is watched: a journal of them begins when
// nothing is outstanding (models/nand/schedule/flash_journal.h). Otherwise, and in a flash that wears out or errs, it
// strikes between them. Watching lets the flash end what it is at, so it is part of what a drive lives through, like a
// request.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/host/request_tracker.h"

namespace ftlab {

class PowerCuts {
 public:
  // `device`: the drive as the host sees it, whose time 0 is `origin` of the drive's. REQUIRES: both outlive it.
  PowerCuts(Drive& drive, Device& device, Nanoseconds origin) : drive_(drive), device_(device), origin_(origin) {}
  ~PowerCuts() { end_watch(); }
  PowerCuts(const PowerCuts&) = delete;
  PowerCuts& operator=(const PowerCuts&) = delete;

  bool watches() const { return journal_.has_value(); }
  // Whether a cut can strike amid the operations of this flash.
  bool can_watch() const { return !drive_.flash().health && !drive_.flash().errors; }
  // Up to the next cut. Does nothing for a flash that cannot be watched. REQUIRES: nothing is outstanding, nor watched.
  void watch_flash();
  void end_watch();

  // The power fails at `at`. What is outstanding is never answered: the drive is run ahead, so that it is known what was
  // under way, and settles with the tracker; `unanswered` is told of each. Returns the moment at which the drive takes
  // requests again. REQUIRES: all that is complete until `at` is settled.
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates,
                  const std::function<void(const Completion&)>& unanswered = {});
  std::uint64_t count() const { return cuts_.size(); }
  // How many pages the last one took back. REQUIRES: there was one.
  void lost(std::uint64_t pages) { cuts_.back().lost_pages = pages; }
  nlohmann::ordered_json report() const;

 private:
  struct Cut {
    Nanoseconds at{0};
    std::uint64_t unanswered = 0, lost_pages = 0;
    FlashJournal::Damage damage;
  };

  FlashJournal::Damage cut_flash(Nanoseconds at, std::uint64_t fates);

  Drive& drive_;
  Device& device_;
  Nanoseconds origin_;
  std::optional<FlashJournal> journal_;  // while the flash is watched
  std::vector<Cut> cuts_;
};

}  // namespace ftlab
