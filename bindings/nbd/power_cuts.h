// The power cuts of a served drive: when they come, what the flash was at then, and what they took away.
//
// A cut strikes amid the flash's operations where that is defined: a journal of them begins shortly before, when nothing is
// under way (models/nand/schedule/flash_journal.h). Flash that wears out or errs ends what it is at first.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bindings/nbd/power_cut_plan.h"
#include "ftl/drive/drive.h"

namespace ftlab {

class PowerCuts {
 public:
  // `words`: of --inject. `seed`: of the fates of operations. Throws ConfigError.
  PowerCuts(const std::vector<std::string>& words, std::uint64_t seed);

  bool planned() const { return !plan_.empty(); }
  std::uint64_t count() const { return cuts_.size(); }
  // The next one, as far as it is known; kNever.
  Nanoseconds next() const { return planned() ? plan_.next() : kNever; }
  void submitted(Op op, Nanoseconds at) { plan_.submitted(op, at); }

  // Whether a journal should begin now, which needs a drive with nothing outstanding.
  bool wants_journal(const Drive& drive, Nanoseconds now) const;
  void begin_journal(Drive& drive);
  void end_journal(Drive& drive);

  // Cuts the power of the drive at `at`, by its own clock `drive_at`. REQUIRES: nothing is outstanding; what was answered
  // behind `at` nobody was told.
  void cut(Drive& drive, Nanoseconds at, Nanoseconds drive_at, std::uint64_t unanswered);
  // What the last one took away.
  void lost(std::uint64_t pages) { cuts_.back().lost_pages = pages; }
  nlohmann::ordered_json report() const;

 private:
  struct Cut {
    Nanoseconds at{0};
    std::uint64_t unanswered = 0, lost_pages = 0;
    FlashJournal::Damage damage;
  };

  PowerCutPlan plan_;
  RandomStream fates_;
  std::optional<FlashJournal> journal_;  // while it is kept
  std::vector<Cut> cuts_;
};

}  // namespace ftlab
