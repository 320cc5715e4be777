// Which pages are unreadable because of the history of their cells. Kept with the medium: a power cut does not change it.
// The translation layer handles pages that cannot be corrected.
//
//   unit   smallest part that is readable or not: a mapping page, or the part of one that lies in one stripe. Units of a
//          superblock are numbered like its positions, or like its stripes if mapping pages are larger than a stripe. On a
//          drive that compresses, a unit is a codeword, or a slot if that is larger: packed pages may share one.
//
// Readability is not drawn at each read: each unit has a fixed number, a hash of superblock, erases and unit, and fails if
// that is below the probability of failure at the current rate. So a failed page fails again at the next read, and one that
// needed a retry needs it from then on. Wear is tracked per superblock: different cycles of a replacement spare block are
// ignored. Page metadata (LPN, version) are assumed to be protected much better than data, and always readable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/nand/array/medium.h"
#include "models/nand/reliability/cell_history.h"
#include "models/nand/reliability/cells.h"
#include "models/nand/reliability/ecc.h"
#include "models/nand/reliability/lost_pages.h"
#include "models/nand/timing/timing.h"

namespace ftlab {

// Units of a drive that compresses: a codeword, or a slot if that is larger.
class PackedUnits {
 public:
  PackedUnits(std::uint32_t slot_bytes, std::uint32_t codeword_bytes)
      : slot_bytes_(slot_bytes), bytes_(std::max(slot_bytes, codeword_bytes)) {
    FTLAB_CHECK(slot_bytes > 0, "a slot of no bytes fails or not");
  }

  std::uint32_t bytes() const { return bytes_; }
  // Units in which the slot at `position` begins and ends.
  std::uint32_t first(std::uint32_t position) const {
    return static_cast<std::uint32_t>(std::uint64_t{position} * slot_bytes_ / bytes_);
  }
  std::uint32_t last(std::uint32_t position) const {
    return static_cast<std::uint32_t>(((position + std::uint64_t{1}) * slot_bytes_ - 1) / bytes_);
  }

 private:
  std::uint32_t slot_bytes_, bytes_;
};

// No padding: it is archived.
struct MediaErrorCounts {
  std::uint64_t retries = 0;              // retry steps
  std::uint64_t uncorrectable_pages = 0;  // counted at each read
  std::uint64_t rebuilt_pages = 0;        // uncorrectable pages rebuilt from their row (parity)
  std::uint64_t lost_pages = 0;           // host pages, counted once
};

class MediaErrors {
 public:
  // REQUIRES: `medium` outlives this.
  MediaErrors(const CellsConfig& config, const Geometry& geometry, const NandTiming& timing, const Medium& medium);

  // --- what happens to the flash, see cell_history.h ---
  void set_date(Nanoseconds date) { history_.set_date(date); }
  void program(SuperblockId block, std::uint32_t stripe, bool slc) { history_.program(block, stripe, slc); }
  void erase(SuperblockId block);
  void disturb(SuperblockId block, Die die, std::uint32_t reads) { history_.disturb(block, die, reads); }
  // A stripe is read, beginning with this unit. If the read is planned to fail, the unit becomes uncorrectable.
  void begin_read(SuperblockId block, std::uint32_t unit) {
    FTLAB_DCHECK(plans_failures(), "a read is counted whose failure no test plans");
    if (planned_reads_.hit(++reads_begun_)) spoiled_.push_back(chance(block, unit));
  }
  bool plans_failures() const { return planned_reads_.any(); }
  std::uint64_t spoiled() const { return spoiled_.size(); }

  // --- reading ---
  // Errors per bit of a stripe's pages: those of a page just written to a block of this wear, and those gathered since,
  // which a rewrite would remove.
  struct Rate {
    double fresh, gathered;
    double all() const { return fresh + gathered; }
  };
  // `die`: where the stripe lies.
  Rate rate(SuperblockId block, std::uint32_t stripe, Die die) const;
  // Upper limit of the rate in a superblock, without looking at every page: the oldest row, the most read block, the worst
  // kind. Never below rate() of any of its stripes, even after `reads` more array reads of each die. With `erases`: after
  // that many more, when all its data are new.
  Rate worst(SuperblockId block, std::uint32_t reads = 0, std::uint32_t erases = 0) const;
  // True if no unit needs a retry at this rate and no page is known to be lost: units need not be checked separately.
  bool all_readable(const Rate& rate) const {
    return lost_.count() == 0 && spoiled_.empty() && ecc_.never_fails(rate.all());
  }
  // Retries that the unit needs at that rate; uncorrectable() if none succeeds.
  std::uint32_t steps(SuperblockId block, std::uint32_t unit, const Rate& rate) const {
    const std::uint64_t own = chance(block, unit);
    if (!spoiled_.empty() && std::find(spoiled_.begin(), spoiled_.end(), own) != spoiled_.end()) [[unlikely]]
      return uncorrectable();
    return ecc_.steps(rate.all(), own);
  }
  std::uint32_t uncorrectable() const { return ecc_.retries() + 1; }
  // Cost of `steps` retries together. REQUIRES: steps < uncorrectable().
  struct RetryCost {
    std::uint32_t array_reads = 0;
    Nanoseconds overhead{0};  // in addition to the reads
  };
  const RetryCost& retry_cost(std::uint32_t steps) const {
    FTLAB_DCHECK(steps < retry_.size(), std::to_string(steps) + " steps of " + std::to_string(retry_.size()));
    return retry_[steps];
  }
  const PackedUnits& packed_units() const { return packed_units_; }

  // --- lost pages, see lost_pages.h ---
  const LostPages& lost() const { return lost_; }
  void mark(Ppn ppn) { lost_.mark(ppn); }
  // Unmarks slots that are not programmed because a power cut undid their programs.
  void unmark_unprogrammed();

  const MediaErrorCounts& counts() const { return counts_; }
  void count(const MediaErrorCounts& more);

  template <class A>
  void archive(A& archive) {
    archive.section("media errors");
    history_.archive(archive);
    lost_.archive(archive);
    archive.value(counts_);
  }

 private:
  friend struct BrokenDrive;
  std::uint64_t chance(SuperblockId block, std::uint32_t unit) const;
  Rate rate_of(SuperblockId block, std::uint32_t nand_page, double kind, std::uint64_t reads) const;

  const Medium& medium_;
  Cells cells_;
  Ecc ecc_;
  std::vector<RetryCost> retry_;            // cumulative, by number of steps
  std::vector<std::uint8_t> kind_of_page_;  // by NAND page of a block
  double worst_kind_;
  std::uint64_t specimen_;
  PackedUnits packed_units_;
  PlannedFailures planned_reads_;  // for tests: their effects are not saved with the drive
  std::uint64_t reads_begun_ = 0;
  std::vector<std::uint64_t> spoiled_;  // chance() of each spoiled unit
  CellHistory history_;
  LostPages lost_;
  MediaErrorCounts counts_;
};

inline MediaErrors::Rate MediaErrors::rate_of(SuperblockId block, std::uint32_t nand_page, double kind,
                                              std::uint64_t reads) const {
  const Cells::Wear& wear = cells_.wear(medium_.superblocks().erases(block));
  const double passed = cells_.passed(history_.seconds_since_program(block, nand_page));
  return {kind * wear.fresh, kind * (wear.retained * passed + wear.disturbed * static_cast<double>(reads))};
}

inline MediaErrors::Rate MediaErrors::rate(SuperblockId block, std::uint32_t stripe, Die die) const {
  const std::uint32_t page = medium_.layout().nand_page_of(stripe);
  FTLAB_DCHECK(page < kind_of_page_.size(), "page " + std::to_string(page) + " lies behind the end of its block");
  const double kind = history_.is_slc(block) ? cells_.slc() : cells_.kind(kind_of_page_[page]);
  return rate_of(block, page, kind, history_.reads(block, die));
}

// splitmix64's finalizer over everything that identifies a unit.
inline std::uint64_t MediaErrors::chance(SuperblockId block, std::uint32_t unit) const {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    return x ^ (x >> 31);
  };
  const std::uint64_t cycle = mix((specimen_ << 32 | medium_.superblocks().erases(block)) + 0x9e37'79b9'7f4a'7c15);
  return mix(cycle ^ (std::uint64_t{number(block)} << 32 | unit));
}

}  // namespace ftlab
