// Error correction: how often a codeword has more raw errors than its code corrects, and which read of a page succeeds.
//
// Bit errors are independent, so their number in a codeword is binomial. A page of several codewords is readable if all of
// them can be corrected. BCH codes correct up to a fixed number of bits. LDPC codes are approximated as usual: one limit for
// hard decisions and a higher one for a retry with soft decisions from several reads. Not modelled: their gradual decline
// near the limit, miscorrection, and controllers that begin with the voltages that succeeded last.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/reliability/cells.h"

namespace ftlab {

// Probability of more than `limit` successes in `trials` trials. Bit-identical on every compiler.
class BinomialTail {
 public:
  // REQUIRES: limit < trials. Costs limit * 20 ns.
  BinomialTail(std::uint32_t trials, std::uint32_t limit);
  // `p`: probability of a success, 0 to 1. Relative error below 1e-10. Costs up to 1 us.
  double operator()(double p) const;

 private:
  double term(std::uint32_t successes, double log_ways, double p) const;
  double at_most(double p) const;
  double more_than(double p) const;

  std::uint32_t trials_;
  std::uint32_t limit_;
  double log_ways_limit_ = 0;  // log of C(trials, limit); below, of C(trials, limit + 1)
  double log_ways_above_ = 0;
};

class Ecc {
 public:
  // `codewords`: per page. Memory: 8 bytes for each read step and each of 2,500 rates.
  Ecc(const CellsConfig& config, std::uint32_t codeword_bits, std::uint32_t codewords);

  // Number of retries until the page is corrected; retries() + 1 if the last one fails as well. `rate`: raw errors per bit.
  // `chance`: 64 bits, drawn once when the page was programmed; small is weak. So the result does not change from read to
  // read, and never improves at a higher rate. One look-up, 1 ns.
  std::uint32_t steps(double rate, std::uint64_t chance) const {
    const std::uint64_t* const fails = &fails_below_[kRates.index(rate) * reads_];
    std::uint32_t step = 0;
    while (step < reads_ && chance < fails[step]) ++step;
    return step;
  }
  // True if the first read corrects every page at that rate, down to a probability of 2^-64.
  bool never_fails(double rate) const { return fails_below_[kRates.index(rate) * reads_] == 0; }
  std::uint32_t retries() const { return reads_ - 1; }
  // Probability that the first read and `step` retries all fail. For tests and reports.
  double failure(double rate, std::uint32_t step) const;

 private:
  static constexpr CoarseNumbers kRates{-40, -1};

  std::uint32_t reads_;  // including the first
  // By rate and step: a page fails if its chance is below this.
  std::vector<std::uint64_t> fails_below_;
};

}  // namespace ftlab
