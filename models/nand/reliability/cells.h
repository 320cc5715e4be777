// Raw bit error rate of a page, before correction, by wear, time since the program, reads of its block, and kind of page. It
// has no clock and makes no decisions.
//
//   rate(n, d, r, kind) = kind * (fresh(n) + retained(n, d) + disturbed(n, r))                      errors per bit read
//   fresh(n)            = F * (1 + (n / N)^a)            n: program/erase cycles, including the current one
//   retained(n, d)      = R * (n / N)^b * d^m            d: days since the program
//   disturbed(n, r)     = D * (n / N)^c * r              r: reads of the block since its erase
//
// N is the number of cycles at which R and D are stated, and at which the fresh rate is twice that of new flash.
// The forms are those of Mielke et al., "Bit Error Rate in NAND Flash Memories", IRPS 2008 (power law of cycles), Cai,
// Haratsch, Mutlu, Mai, "Error Patterns in MLC NAND Flash Memory", DATE 2012 (retention outweighs the rest and grows with
// wear; upper pages err more), and Cai et al., "Read Disturb Errors in MLC NAND Flash Memory", DSN 2015 (linear in reads,
// steeper with wear). Not modelled: spread between drives of one kind (Grupp et al. 2009; Schroeder et al., "Flash
// Reliability in Production", FAST 2016), temperature, recovery at rest, differences between blocks and between word lines,
// interference of neighbours, and the pattern of the data.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "models/nand/array/planned_failures.h"
#include "sim/config/reader.h"
#include "sim/core/check.h"
#include "sim/core/divisor.h"
#include "sim/core/exact_math.h"
#include "sim/core/types.h"

namespace ftlab {

// One read retry: other reference voltages, or soft decisions from several reads.
struct RetryStep {
  std::uint32_t errors_permille = 1000;  // errors left, relative to the first read
  std::uint32_t correctable_bits = 0;    // per codeword, in this step
  std::uint32_t array_reads = 1;
  Nanoseconds overhead{0};  // setting of voltages, decoding

  bool operator==(const RetryStep&) const = default;
};

// Rates are errors per 10^15 bits (a petabit), exponents are in thousandths.
struct CellsConfig {
  std::uint64_t fresh_per_pbit = 0;                 // F, at a kind factor of 1000
  std::uint64_t wear_cycles = 1;                    // N
  std::uint32_t fresh_exponent = 1000;              // a
  std::uint64_t retention_per_pbit = 0;             // R, 1 day after the program
  std::uint32_t retention_wear_exponent = 1000;     // b
  std::uint32_t retention_time_exponent = 1000;     // m
  std::uint64_t disturb_per_pbit = 0;               // D, per read
  std::uint32_t disturb_wear_exponent = 1000;       // c
  std::vector<std::uint32_t> kinds_permille{1000};  // factor on all rates, by kind of page
  std::uint32_t slc_permille = 0;                   // the same for pSLC pages; 0: not known
  std::uint32_t worn_cycles = 0;                    // program/erase cycles of every block before the run
  std::uint32_t specimen = 1;                       // which of many identical drives: seed of the pages' strength
  std::uint32_t correctable_bits = 0;               // per codeword, in the first read; 0: no object `cells`, no errors
  std::vector<RetryStep> retry;                     // in order
  // For tests: the first unit that each of these stripe reads asks for is uncorrectable until it is erased.
  PlannedFailures planned_reads = {};

  bool operator==(const CellsConfig&) const = default;
  bool err() const { return correctable_bits > 0; }
};

// Reads the object `cells` of a drive file. `program_kinds`: number of program times by kind of page; `codeword_bits`:
// payload and spare. Throws ConfigError.
CellsConfig read_cells(Reader reader, std::size_t program_kinds, std::uint64_t codeword_bits);

// Table index of a positive number: its seven leading bits, for tables over many octaves. Grows with the number; rounding
// down errs by at most 1 in 64.
class CoarseNumbers {
 public:
  // From 2^lowest to 2^highest.
  constexpr CoarseNumbers(int lowest, int highest)
      : first_(at(lowest)), count_(static_cast<std::uint32_t>(at(highest) - first_) + 1) {}
  std::uint32_t count() const { return count_; }
  // Numbers outside the range get the index of the nearest end.
  std::uint32_t index(double x) const {
    const std::uint64_t digits = std::bit_cast<std::uint64_t>(x) >> kDropped;
    return static_cast<std::uint32_t>(digits <= first_ ? 0 : digits - first_ >= count_ ? count_ - 1 : digits - first_);
  }
  // The smallest number with this index.
  double number(std::uint32_t index) const {
    FTLAB_DCHECK(index < count_, "number " + std::to_string(index) + " of " + std::to_string(count_));
    return std::bit_cast<double>((first_ + index) << kDropped);
  }

 private:
  static constexpr int kDropped = 52 - 6;
  static constexpr std::uint64_t at(int power) { return static_cast<std::uint64_t>(power + 1023) << 6; }
  std::uint64_t first_;
  std::uint32_t count_;
};

class Cells {
 public:
  explicit Cells(const CellsConfig& config);

  // Rates per bit at a given wear and a kind factor of 1000.
  struct Wear {
    double fresh;      // just after the program
    double retained;   // times passed()
    double disturbed;  // per read
  };
  // Rates of a block erased `erases` times in this run. Computed once, then looked up; 1 ns.
  const Wear& wear(std::uint32_t erases) const {
    while (wears_.size() <= erases) [[unlikely]] wears_.push_back(wear_of(wears_.size()));
    return wears_[erases];
  }
  // d^m for `seconds`, rounded down to seven leading bits.
  double passed(std::uint32_t seconds) const { return seconds == 0 ? 0 : passed_[kSeconds.index(seconds)]; }
  // Factor on the rates of a page.
  double kind(std::uint32_t nand_page) const { return kinds_[nand_page % kind_count_]; }
  double slc() const { return slc_; }

 private:
  static constexpr CoarseNumbers kSeconds{0, 32};

  Wear wear_of(std::uint64_t erases) const;

  CellsConfig config_;
  mutable std::vector<Wear> wears_;  // by erases
  std::vector<double> passed_;
  std::vector<double> kinds_;
  Divisor kind_count_;
  double slc_;
};

}  // namespace ftlab
