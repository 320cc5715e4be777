#include "models/nand/reliability/ecc.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {
namespace {

// 1 - (1 - p)^n (at least one of n) without loss of precision, by halving n.
double at_least_one(double p, std::uint32_t n) {
  if (n == 1) return p;
  const double half = at_least_one(p, n / 2);
  const double both = half * (2 - half);
  return n % 2 == 0 ? both : both + p * (1 - both);
}

std::uint64_t in_64_bits(double probability) {
  return probability >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(probability * 0x1p64);
}

}  // namespace

BinomialTail::BinomialTail(std::uint32_t trials, std::uint32_t limit) : trials_(trials), limit_(limit) {
  FTLAB_CHECK(limit < trials, "a limit of " + std::to_string(limit) + " in " + std::to_string(trials) + " trials");
  const auto factor = [trials](std::uint32_t i) { return exact_log(static_cast<double>(trials - i + 1) / i); };
  for (std::uint32_t i = 1; i <= limit; ++i) log_ways_limit_ += factor(i);
  log_ways_above_ = log_ways_limit_ + factor(limit + 1);
}

double BinomialTail::term(std::uint32_t successes, double log_ways, double p) const {
  FTLAB_DCHECK(p > 0 && p < 1 && successes <= trials_, "a term without a logarithm");
  return exact_exp(log_ways + successes * exact_log(p) + (trials_ - successes) * exact_log(1 - p));
}

// Sums terms away from the mean, where they fall faster and faster; each follows from the one before.
double BinomialTail::more_than(double p) const {
  double next = term(limit_ + 1, log_ways_above_, p), sum = next;
  for (std::uint32_t k = limit_ + 1; k < trials_ && next > sum * 1e-17; ++k) {
    next *= static_cast<double>(trials_ - k) / (k + 1) * (p / (1 - p));
    sum += next;
  }
  return sum;
}

double BinomialTail::at_most(double p) const {
  double next = term(limit_, log_ways_limit_, p), sum = next;
  for (std::uint32_t k = limit_; k > 0 && next > sum * 1e-17; --k) {
    next *= static_cast<double>(k) / (trials_ - k + 1) * ((1 - p) / p);
    sum += next;
  }
  return sum;
}

double BinomialTail::operator()(double p) const {
  FTLAB_CHECK(p >= 0 && p <= 1, "a probability outside 0 to 1");
  if (p == 0) return 0;
  if (p == 1) return 1;
  const double tail = p * trials_ <= limit_ + 1 ? more_than(p) : 1 - at_most(p);
  return std::clamp(tail, 0.0, 1.0);
}

Ecc::Ecc(const CellsConfig& config, std::uint32_t codeword_bits, std::uint32_t codewords)
    : reads_(static_cast<std::uint32_t>(config.retry.size()) + 1) {
  FTLAB_CHECK(codewords > 0, "a page without a codeword");
  std::vector<RetryStep> reads = config.retry;
  reads.insert(reads.begin(), RetryStep{1000, config.correctable_bits, 1, Nanoseconds{0}});
  std::vector<BinomialTail> codeword;
  for (const RetryStep& read : reads) codeword.emplace_back(codeword_bits, read.correctable_bits);
  std::vector<std::uint64_t> before(reads_);
  for (std::uint32_t i = 0; i < kRates.count(); ++i) {
    for (std::uint32_t step = 0; step < reads_; ++step) {
      const double rate = kRates.number(i) * reads[step].errors_permille / 1000;
      // Keeps the table monotonic despite rounding.
      std::uint64_t fails = std::max(before[step], in_64_bits(at_least_one(codeword[step](rate), codewords)));
      if (step > 0) fails = std::min(fails, fails_below_.back());
      fails_below_.push_back(before[step] = fails);
    }
  }
}

double Ecc::failure(double rate, std::uint32_t step) const {
  FTLAB_CHECK(step < reads_, "a step beyond the last");
  return static_cast<double>(fails_below_[kRates.index(rate) * reads_ + step]) * 0x1p-64;
}

}  // namespace ftlab
