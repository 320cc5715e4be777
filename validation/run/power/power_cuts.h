// Cuts the power of a simulated drive and records the damage. Used for served drives and for replayed recordings.
//
// A cut can interrupt flash operations if the flash is watched, that is, if its operations are journaled from a moment
// without outstanding requests on (models/nand/schedule/flash_journal.h). Otherwise, and with flash that wears out or has
// errors, a cut falls between operations. To start watching, the flash finishes its running operations, so watching
// affects the drive like a request does.
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
  // `device`: the drive as the host sees it; its time 0 is the drive's `origin`. REQUIRES: both outlive it.
  PowerCuts(Drive& drive, Device& device, Nanoseconds origin) : drive_(drive), device_(device), origin_(origin) {}
  ~PowerCuts() { end_watch(); }
  PowerCuts(const PowerCuts&) = delete;
  PowerCuts& operator=(const PowerCuts&) = delete;

  bool watches() const { return journal_.has_value(); }
  // True if cuts can interrupt operations of this flash.
  bool can_watch() const { return !drive_.flash().health && !drive_.flash().errors; }
  // Watches until the next cut. No effect if can_watch() is false. REQUIRES: not watching, no request is outstanding.
  void watch_flash();
  void end_watch();

  // Cuts the power at `at`. Outstanding requests are never answered: the drive runs ahead to find the operations in progress
  // and settles them with `tracker`; `unanswered` gets each. Returns the time at which the drive takes requests again.
  // REQUIRES: everything that completes until `at` is settled.
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates,
                  const std::function<void(const Completion&)>& unanswered = {});
  std::uint64_t count() const { return cuts_.size(); }
  // Sets the number of pages lost by the last cut. REQUIRES: there was a cut.
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
  std::optional<FlashJournal> journal_;  // while watching
  std::vector<Cut> cuts_;
};

}  // namespace ftlab
