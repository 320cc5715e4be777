// How many bits of a page are wrong when it is read, before any correction: the raw bit error rate by wear, by the time
// since the page was programmed, by reads of its block, and by the kind of page. It knows no clock and decides nothing.
//
//   rate(n, d, r, kind) = kind * (fresh(n) + retained(n, d) + disturbed(n, r))                      errors for each bit read
//   fresh(n)            = F * (1 + (n / N)^a)            n: program/erase cycles, with the one that the data are written in
//   retained(n, d)      = R * (n / N)^b * d^m            d: days since the program
//   disturbed(n, r)     = D * (n / N)^c * r              r: reads of the block since its erase
//
// N is the number of cycles at which R and D are stated, and at which the fresh rate is twice that of new flash.
// The forms are those of Mielke et al., "Bit Error Rate in NAND Flash Memories", IRPS 2008 (power law of cycles), Cai,
// Haratsch, Mutlu, Mai, "Error Patterns in MLC NAND Flash Memory", DATE 2012 (retention outweighs the rest and grows with
// wear; upper pages err more), and Cai et al., "Read Disturb Errors in MLC NAND Flash Memory", DSN 2015 (linear in reads,
// steeper with wear). Grupp et al. 2009 and Schroeder et al., "Flash Reliability in Production", FAST 2016, for the spread
// between drives of one kind, which is not modelled: nor are temperature, recovery at rest, differences between blocks
// and between word lines, interference of neighbours, and the pattern of the data.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "models/nand/array/planned_failures.h"
#include "sim/config/reader.h"
#include "sim/core/divisor.h"
#include "sim/core/exact_math.h"
#include "sim/core/types.h"

namespace ftlab {

// One more way to read a page that could not be corrected: other reference voltages, or soft decisions from several reads.
struct RetryStep {
  std::uint32_t errors_permille = 1000;  // what it leaves of the first read's errors
  std::uint32_t correctable_bits = 0;    // of a codeword, in this step
  std::uint32_t array_reads = 1;
  Nanoseconds overhead{0};  // setting of voltages, decoding

  bool operator==(const RetryStep&) const = default;
};

// Rates are errors in 10^15 bits (a petabit), exponents thousandths.
struct CellsConfig {
  std::uint64_t fresh_per_pbit = 0;                 // F, of pages whose kind counts 1000
  std::uint64_t wear_cycles = 1;                    // N
  std::uint32_t fresh_exponent = 1000;              // a
  std::uint64_t retention_per_pbit = 0;             // R, after one day
  std::uint32_t retention_wear_exponent = 1000;     // b
  std::uint32_t retention_time_exponent = 1000;     // m
  std::uint64_t disturb_per_pbit = 0;               // D, of one read
  std::uint32_t disturb_wear_exponent = 1000;       // c
  std::vector<std::uint32_t> kinds_permille{1000};  // page n of a block is of kind n % size
  std::uint32_t slc_permille = 0;      // of pages with one bit a cell in flash that could hold more; 0: not known
  std::uint32_t worn_cycles = 0;       // that every block has behind it when the run begins
  std::uint32_t specimen = 1;          // which of many equal drives it is: says which pages err more than others
  std::uint32_t correctable_bits = 0;  // of a codeword, by the first read; 0: no object `cells`, nothing errs
  std::vector<RetryStep> retry;        // in order
  // For tests: what these reads of a stripe ask for first is beyond correction from then on, until it is erased.
  PlannedFailures planned_reads = {};

  bool operator==(const CellsConfig&) const = default;
  bool err() const { return correctable_bits > 0; }
};

// Reads the object `cells` of a drive file. `program_kinds`: of pages, as the program times have them; `codeword_bits`:
// payload and spare. Throws ConfigError.
CellsConfig read_cells(Reader reader, std::size_t program_kinds, std::uint64_t codeword_bits);

// Positive numbers by their first seven binary digits: an index that grows with the number, for tables over many octaves.
// The error of rounding down is at most 1 in 64.
class CoarseNumbers {
 public:
  // From 2^lowest to 2^highest.
  constexpr CoarseNumbers(int lowest, int highest)
      : first_(at(lowest)), count_(static_cast<std::uint32_t>(at(highest) - first_) + 1) {}
  std::uint32_t count() const { return count_; }
  // What is outside has the index of the nearest end.
  std::uint32_t index(double x) const {
    const std::uint64_t digits = std::bit_cast<std::uint64_t>(x) >> kDropped;
    return static_cast<std::uint32_t>(digits <= first_ ? 0 : digits - first_ >= count_ ? count_ - 1 : digits - first_);
  }
  // The smallest number with this index.
  double number(std::uint32_t index) const { return std::bit_cast<double>((first_ + index) << kDropped); }

 private:
  static constexpr int kDropped = 52 - 6;
  static constexpr std::uint64_t at(int power) { return static_cast<std::uint64_t>(power + 1023) << 6; }
  std::uint64_t first_;
  std::uint32_t count_;
};

class Cells {
 public:
  explicit Cells(const CellsConfig& config);

  // What wear makes of the rates, for pages whose kind counts 1000, each for one bit.
  struct Wear {
    double fresh;      // of a page just programmed
    double retained;   // to be multiplied with passed()
    double disturbed;  // of one read
  };
  // Of a block erased `erases` times in this run. Computed once, then looked up; 1 ns.
  const Wear& wear(std::uint32_t erases) const {
    while (wears_.size() <= erases) [[unlikely]] wears_.push_back(wear_of(wears_.size()));
    return wears_[erases];
  }
  // d^m of so many seconds, which are rounded down to their first seven binary digits.
  double passed(std::uint32_t seconds) const { return seconds == 0 ? 0 : passed_[kSeconds.index(seconds)]; }
  // By which the rates of a page are multiplied.
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
