#include "sim/workload/random/steady_fill.h"

#include <cmath>

#include "sim/core/check.h"
#include "sim/core/exact_math.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;
__extension__ using Wide = unsigned __int128;

// Validity of the superblocks that GC collects, found by bisection: the mean validity rises with it.
double least_validity(double spare) {
  const double mean = 1 / (1 + spare);
  double low = 1e-12, high = 1 - 1e-12;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    ((1 - middle) / -exact_log(middle) < mean ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::uint64_t SteadyFill::writes(const SteadyFillRules& rules, std::uint64_t blocks) {
  return blocks + static_cast<std::uint64_t>((static_cast<Wide>(blocks) * rules.spare_millionths + kMillion - 1) / kMillion);
}

std::uint64_t SteadyFill::part_blocks(const SteadyFillRules& rules, std::uint64_t blocks) {
  return writes(rules, blocks) / rules.parts;
}

SteadyFill::SteadyFill(const SteadyFillRules& rules, std::uint64_t blocks, std::uint64_t block_bytes)
    : part_blocks_(part_blocks(rules, blocks)), new_before_again_(rules.cache_bytes / block_bytes) {
  FTLAB_CHECK(part_blocks_ > 0, "a part without blocks");
  const double log_least = exact_log(least_validity(static_cast<double>(rules.spare_millionths) / kMillion));
  for (std::uint32_t part = 0; part < rules.parts; ++part) {
    const double age = rules.parts == 1 ? 1 : 1 - static_cast<double>(part) / (rules.parts - 1);
    rewritten_.push_back(static_cast<std::uint32_t>(std::lround((1 - exact_exp(log_least * age)) * kMillion)));
  }
}

std::uint64_t SteadyFill::next(Lfsr& fresh, RandomStream& random) {
  if (written_ + due_.size() >= part_blocks_ && done_ == due_.size()) next_part();
  const bool is_new = written_ + due_.size() < part_blocks_ && (written_ < new_before_again_ || done_ == due_.size());
  if (!is_new && done_ < due_.size()) return chosen(due_[done_++], random);
  const std::uint64_t block = fresh.next();
  if (block == Lfsr::kNone) return done_ < due_.size() ? chosen(due_[done_++], random) : block;
  ++written_;
  return chosen(block, random);
}

// Decides at random if the next part writes the block again. Returns `block`.
std::uint64_t SteadyFill::chosen(std::uint64_t block, RandomStream& random) {
  if (random.below(kMillion) < rewritten_[part_]) for_next_.push_back(block);
  return block;
}

void SteadyFill::next_part() {
  due_ = std::move(for_next_);
  for_next_.clear();
  done_ = 0;
  written_ = 0;
  if (part_ + 1 < rewritten_.size()) ++part_;
}

void SteadyFill::restart() {
  part_ = 0;
  written_ = 0;
  done_ = 0;
  due_.clear();
  for_next_.clear();
}

}  // namespace ftlab
