// What has happened to the cells since they were programmed, and which pages cannot be read because of it: when each row of
// pages was written, how often each block was read since its erase, which copies are known to be lost. Kept with the medium:
// a power cut does not change it. What is done about a page that cannot be corrected is the translation layer's.
//
//   unit   what is read or not as a whole: a mapping page, or the part of one that lies in one stripe. Units of a superblock
//          are numbered as its positions are, or as its stripes where mapping pages are larger than those. On a drive that
//          compresses a unit is a codeword, or a slot where that is larger: packed pages may share one.
//
// Whether a unit can be corrected is no draw: each has a number of its own, by superblock, erases and unit, and fails when
// that is below the probability of failure at the present rate. So a page fails again at the next read, and one that
// needed a retry needs it from then on. Wear is the superblock's: a spare block that came in has other cycles, unseen here.
// Records of pages (logical page, version) are held to be protected so much better that they are always readable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/nand/array/medium.h"
#include "models/nand/reliability/cells.h"
#include "models/nand/reliability/ecc.h"
#include "models/nand/timing/timing.h"
#include "sim/core/rule.h"

namespace ftlab {

class MediaErrors {
 public:
  // REQUIRES: the medium outlives it. Memory: 4 bytes a row of pages, 8 bytes a block row of each die, a bit a page.
  MediaErrors(const CellsConfig& config, const Geometry& geometry, const NandTiming& timing, const Medium& medium);

  // --- what happens to the flash ---
  // All that follows happens at this moment of simulated time.
  void set_date(Nanoseconds date) { date_s_ = seconds(date); }
  void program(SuperblockId block, std::uint32_t stripe, bool slc);
  void erase(SuperblockId block);
  // Array reads of the superblock's blocks on a die.
  void disturb(SuperblockId block, Die die, std::uint32_t reads) { reads_[lane(block, die)] += reads; }

  // --- reading ---
  // Errors for each bit of a stripe's pages: those of a page just written to so worn a block, and those gathered since,
  // which writing it anew would take away.
  struct Rate {
    double fresh, gathered;
    double all() const { return fresh + gathered; }
  };
  // `die`: on which the stripe lies.
  Rate rate(SuperblockId block, std::uint32_t stripe, Die die) const;
  // A stripe is read, this unit first: one of the reads that are planned to fail spoils it.
  bool counts_reads() const { return planned_reads_.any(); }
  void begin_read(SuperblockId block, std::uint32_t unit) {
    if (planned_reads_.hit(++reads_begun_)) spoiled_.push_back(chance(block, unit));
  }
  std::uint64_t spoiled() const { return spoiled_.size(); }
  // At this rate no unit ever takes a second read, and none is known to be lost: there is no need to look at them.
  bool all_readable(const Rate& rate) const { return marked_ == 0 && spoiled_.empty() && ecc_.never_fails(rate.all()); }
  // Of the worst page of a superblock, as far as can be said without looking at all of them: the oldest row, the block read
  // most often, the kind with most errors. Never below what rate() gives for any of its stripes,
  // also when `reads` more array reads have disturbed each of its dies.
  Rate worst(SuperblockId block, std::uint32_t reads = 0) const;
  // Reads beyond the first that the unit takes at that rate; uncorrectable() if none does.
  std::uint32_t steps(SuperblockId block, std::uint32_t unit, const Rate& rate) const {
    const std::uint64_t own = chance(block, unit);
    if (!spoiled_.empty() && std::find(spoiled_.begin(), spoiled_.end(), own) != spoiled_.end()) [[unlikely]]
      return uncorrectable();
    return ecc_.steps(rate.all(), own);
  }
  std::uint32_t uncorrectable() const { return ecc_.retries() + 1; }
  // Of a drive that compresses: in which unit the slot at `position` begins, and ends.
  std::uint32_t first_unit(std::uint32_t position) const {
    return static_cast<std::uint32_t>(std::uint64_t{position} * slot_bytes_ / unit_bytes_);
  }
  std::uint32_t last_unit(std::uint32_t position) const {
    return static_cast<std::uint32_t>(((position + std::uint64_t{1}) * slot_bytes_ - 1) / unit_bytes_);
  }
  std::uint32_t unit_bytes() const { return unit_bytes_; }
  std::uint32_t most_steps() const { return ecc_.retries(); }
  // Array reads of so many steps, and what they take beside these.
  std::uint32_t retry_reads(std::uint32_t steps) const {
    FTLAB_DCHECK(steps < retry_.size(), std::to_string(steps) + " steps of " + std::to_string(retry_.size()));
    return retry_[steps].array_reads;
  }
  Nanoseconds retry_overhead(std::uint32_t steps) const { return retry_[steps].overhead; }
  void count_retries(std::uint32_t steps) { retries_ += steps; }

  // --- lost pages ---
  // The content of this copy is known to be lost: reads fail until its page is written anew, copies of it are marked, too.
  bool lost(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) / 64 < lost_.size(), "page " + std::to_string(number(ppn)) + " is not in the flash");
    return marked_ > 0 && (lost_[number(ppn) / 64] >> (number(ppn) % 64) & 1) != 0;
  }
  void mark(Ppn ppn);
  void unmark(Ppn ppn);
  std::uint64_t marked() const { return marked_; }
  // Of slots not programmed, after a power cut took what was to be programmed there.
  void unmark_unprogrammed();
  void count_uncorrectable(std::uint64_t pages) { uncorrectable_ += pages; }
  void count_rebuilt(std::uint64_t pages) { rebuilt_ += pages; }
  void count_lost(std::uint64_t pages) { found_lost_ += pages; }

  std::uint64_t retries() const { return retries_; }                    // steps
  std::uint64_t uncorrectable_pages() const { return uncorrectable_; }  // found, each time
  std::uint64_t rebuilt_pages() const { return rebuilt_; }              // of them, from the rest of their row
  std::uint64_t lost_pages() const { return found_lost_; }              // of the host, found for the first time
  std::uint64_t reads_since_erase(SuperblockId block, Die die) const { return reads_[lane(block, die)]; }

  // Another design of the drive may say otherwise which page is of which kind.
  void set_timing(const NandTiming& timing);

  template <class A>
  void archive(A& archive) {
    archive.section("media errors");
    archive.column(written_s_);
    archive.column(reads_);
    archive.column(slc_);
    archive.column(lost_);
    for (auto* count : {&marked_, &retries_, &uncorrectable_, &rebuilt_, &found_lost_}) archive.value(*count);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  // The cells keep what they are like after each number of erases.
  static constexpr std::uint64_t kMostErases = std::uint64_t{1} << 20;
  static std::span<const Rule<MediaErrors>> rules() {
    static constexpr Rule<MediaErrors> kRules[] = {
        {"a superblock was erased a million times.",
         [](const MediaErrors& errors) { return each_below(errors.medium_.erase_column(), kMostErases); }},
    };
    return kRules;
  }
  // Of all steps up to one.
  struct RetryCost {
    std::uint32_t array_reads = 0;
    Nanoseconds overhead{0};
  };

  std::uint32_t lane(SuperblockId block, Die die) const { return number(block) * dies_.value() + number(die) % dies_; }
  std::uint32_t row(SuperblockId block, std::uint32_t nand_page) const { return number(block) * rows_ + nand_page; }
  static std::uint32_t seconds(Nanoseconds time);
  std::uint64_t chance(SuperblockId block, std::uint32_t unit) const;
  Rate rate_of(SuperblockId block, double kind, std::uint32_t written_s, std::uint64_t reads) const;

  const Medium& medium_;
  Cells cells_;
  Ecc ecc_;
  std::vector<RetryCost> retry_;            // by steps
  std::vector<std::uint8_t> kind_of_page_;  // by NAND page of a block
  std::uint64_t specimen_;
  std::uint32_t date_s_ = 0;       // told again after a state was loaded
  PlannedFailures planned_reads_;  // of no drive file: what follows of them is not saved with the drive
  std::uint64_t reads_begun_ = 0;
  std::vector<std::uint64_t> spoiled_;  // the numbers of units, see chance()
  std::uint32_t rows_;                  // of a superblock: pages of a block
  Divisor dies_;                        // of a superblock
  double worst_kind_;
  std::uint32_t slot_bytes_;
  std::uint32_t unit_bytes_;         // with compression
  Column<std::uint32_t> written_s_;  // by row: when its first page was programmed
  Column<std::uint64_t> reads_;      // by block row of each die, since its erase
  Column<std::uint8_t> slc_;         // by superblock: one bit a cell
  Column<std::uint64_t> lost_;       // a bit for each page
  std::uint64_t marked_ = 0;         // of them
  std::uint64_t retries_ = 0;
  std::uint64_t uncorrectable_ = 0;
  std::uint64_t rebuilt_ = 0;
  std::uint64_t found_lost_ = 0;
};

inline std::uint32_t MediaErrors::seconds(Nanoseconds time) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(time.count() / 1'000'000'000, 0xffff'ffff));  // 136 years
}

inline MediaErrors::Rate MediaErrors::rate_of(SuperblockId block, double kind, std::uint32_t written_s,
                                              std::uint64_t reads) const {
  const Cells::Wear& wear = cells_.wear(medium_.erases(block));
  const double passed = cells_.passed(date_s_ > written_s ? date_s_ - written_s : 0);
  return {kind * wear.fresh, kind * (wear.retained * passed + wear.disturbed * static_cast<double>(reads))};
}

inline MediaErrors::Rate MediaErrors::rate(SuperblockId block, std::uint32_t stripe, Die die) const {
  const std::uint32_t page = medium_.layout().nand_page_of(stripe);
  FTLAB_DCHECK(number(block) < slc_.size(),
               "superblock " + std::to_string(number(block)) + " of " + std::to_string(slc_.size()));
  const double kind = slc_[number(block)] ? cells_.slc() : cells_.kind(kind_of_page_[page]);
  return rate_of(block, kind, written_s_[row(block, page)], reads_[lane(block, die)]);
}

// splitmix64's finalizer, over all that tells one unit from another.
inline std::uint64_t MediaErrors::chance(SuperblockId block, std::uint32_t unit) const {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    return x ^ (x >> 31);
  };
  const std::uint64_t cycle = mix((specimen_ << 32 | medium_.erases(block)) + 0x9e37'79b9'7f4a'7c15);
  return mix(cycle ^ (std::uint64_t{number(block)} << 32 | unit));
}

}  // namespace ftlab
