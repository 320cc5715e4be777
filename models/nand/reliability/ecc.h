// What error correction makes of raw errors: how often a codeword has more of them than its code corrects, and which read of
// a page succeeds.
//
// Errors fall on the bits independently of one another, so their number in a codeword is binomial, and a page, of several
// codewords, is read when all of them can be corrected. BCH codes correct exactly so many bits. Of LDPC codes this is the
// usual stand-in: a limit for hard decisions and a higher one for a step that reads several times for soft ones; their
// gradual decline near the limit is not modelled, nor is miscorrection, nor that a controller begins with the voltages that
// served last.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/reliability/cells.h"

namespace ftlab {

// The probability of more than `limit` successes in `trials` trials. The same bits on every compiler.
class BinomialTail {
 public:
  // REQUIRES: limit < trials. Costs 20 ns for each of the limit.
  BinomialTail(std::uint32_t trials, std::uint32_t limit);
  // `p`: the probability of each success, between 0 and 1. Within 1e-10 of the value, relative. Costs up to 1 us.
  double operator()(double p) const;

 private:
  double term(std::uint32_t successes, double log_ways, double p) const;
  double at_most(double p) const;
  double more_than(double p) const;

  std::uint32_t trials_;
  std::uint32_t limit_;
  double log_ways_limit_ = 0;  // of the number of ways to choose the limit, and one more, of the trials
  double log_ways_above_ = 0;
};

class Ecc {
 public:
  // `codewords`: that a page consists of. Memory: 8 bytes for each step and each of 2,500 rates.
  Ecc(const CellsConfig& config, std::uint32_t codeword_bits, std::uint32_t codewords);

  // Reads of a page beyond the first until it can be corrected; retries() + 1: not even by the last one. `rate` of raw
  // errors for each bit; `chance` of 64 bits is the page's own, drawn once when it was programmed: the smaller, the weaker.
  // So the same page never does better by another draw, and never better at a higher rate. One look-up, 1 ns.
  std::uint32_t steps(double rate, std::uint64_t chance) const {
    const std::uint64_t* const fails = &fails_below_[kRates.index(rate) * reads_];
    std::uint32_t step = 0;
    while (step < reads_ && chance < fails[step]) ++step;
    return step;
  }
  // At that rate the first read corrects every page, down to 2^-64.
  bool never_fails(double rate) const { return fails_below_[kRates.index(rate) * reads_] == 0; }
  std::uint32_t retries() const { return reads_ - 1; }
  // The probability that a page is not corrected by the first read and `step` more. For tests and reports.
  double failure(double rate, std::uint32_t step) const;

 private:
  static constexpr CoarseNumbers kRates{-40, -1};

  std::uint32_t reads_;  // with the first
  // By rate and step: the chances below which a page fails, as parts of 2^64.
  std::vector<std::uint64_t> fails_below_;
};

}  // namespace ftlab
