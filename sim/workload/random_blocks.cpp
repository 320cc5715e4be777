#include "sim/workload/random_blocks.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {
namespace {

using Order = WalkRules::Order;

Order order_of(const Job& job) {
  if (!job.pattern.random) return Order::sequential;
  if (job.steady_fill.on) return Order::steady_fill;
  if (job.spread.kind == Spread::Kind::sequence) return Order::listed;
  if (job.spread.kind != Spread::Kind::uniform) return Order::skewed;
  if (job.random_kind == RandomKind::lfsr) return Order::lfsr;
  return job.random_map ? Order::mapped : Order::uniform;
}

// A direction without its own sizes (a job that was not parsed) has blocks of one size.
BlockSizes sizes_of(const Job& job, std::size_t d) {
  BlockSizes sizes = job.sizes[d];
  if (!sizes.vary()) sizes.least = sizes.most = job.block_bytes[d];
  return sizes;
}

}  // namespace

SizeSource::SizeSource(const BlockSizes& sizes, std::uint64_t step) : sizes_(sizes), step_(step) {}

std::uint64_t SizeSource::draw(RandomStream& random, std::uint64_t room) const {
  if (sizes_.least > room) return 0;
  if (!vary()) return sizes_.least;
  while (true) {
    const std::uint64_t drawn = draw(random);
    const std::uint64_t bytes = std::min(drawn - drawn % step_, sizes_.most);
    if (bytes <= room) return bytes;
  }
}

std::uint64_t SizeSource::draw(RandomStream& random) const {
  if (sizes_.shares.empty()) return sizes_.least + random.below(sizes_.most);
  std::uint64_t hit = random.below(100);
  for (const SizeShare& share : sizes_.shares) {
    if (hit < share.percent) return share.bytes;
    hit -= share.percent;
  }
  return sizes_.shares.back().bytes;
}

WalkRules::WalkRules(const Job& job)
    : order(order_of(job)),
      pattern(job.pattern),
      time_based(job.time_based),
      repeat_offset(job.repeat_offset),
      sizes_by_order(job.sizes_by_order),
      zones(job.zones),
      listed(job.spread.sequence),
      list_advances(job.spread.sequence_advances),
      random_percent(job.random_percent),
      block_bytes(job.block_bytes) {
  FTLAB_CHECK(*std::min_element(block_bytes.begin(), block_bytes.end()) > 0, "job " + job.name + " has blocks of 0 bytes");
  const std::size_t write = static_cast<std::size_t>(Direction::write), trim = static_cast<std::size_t>(Direction::trim);
  if (pattern.trim_then_write && pattern.random) block_bytes[write] = block_bytes[trim];
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    step_bytes[d] = job.alignment_bytes[d] != 0 ? job.alignment_bytes[d] : block_bytes[d];
    sizes[d] = SizeSource(sizes_of(job, d), job.any_size ? kSectorBytes : block_bytes[d]);
  }
}

namespace {

using Order = WalkRules::Order;

}  // namespace

RandomBlocks::RandomBlocks(const WalkRules& rules, const Job& job, std::uint64_t region_bytes, Streams& streams,
                           std::uint64_t origin) {
  const std::uint64_t bytes = rules.zones.bytes != 0 ? rules.zones.range_bytes : region_bytes;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const std::uint64_t step = rules.step_bytes[d], block = rules.block_bytes[d];
    const std::uint64_t beyond = block > step ? block - step : 0;
    counts_[d] = bytes > beyond ? (bytes - beyond) / step : 0;
    if (rules.order == Order::skewed)
      distributions_.emplace_back(job.spread, static_cast<Direction>(d), std::max<std::uint64_t>(counts_[d], 1), step,
                                  origin);
  }
  const std::uint64_t least = *std::min_element(job.block_bytes.begin(), job.block_bytes.end()), numbers = bytes / least;
  if (rules.order == Order::mapped) map_ = RandomMap(numbers);
  if (rules.order == Order::steady_fill) fill_ = SteadyFill(job.steady_fill, numbers, least);
  if (rules.order != Order::lfsr && rules.order != Order::steady_fill) return;
  lfsr_ = Lfsr(numbers);
  lfsr_.begin(lfsr_start_ = streams.offsets.below(lfsr_.states()));
}

std::uint64_t RandomBlocks::next(const WalkRules& rules, Direction d, Streams& streams) {
  switch (rules.order) {
    case Order::skewed: return distributions_[static_cast<std::size_t>(d)].draw(streams.offsets);
    case Order::mapped: return mapped(rules, count(d), streams);
    case Order::lfsr: return shifted(rules);
    case Order::listed: return listed(rules);
    case Order::steady_fill: return fill_.next(lfsr_, streams.fill);
    default: return count(d) == 0 ? 0 : streams.offsets.below(count(d));
  }
}

// The map is shared by all directions and counts in blocks, whatever their sizes. So the block found may lie beyond the last
// block of the direction, which ends the pass, as in fio.
std::uint64_t RandomBlocks::mapped(const WalkRules& rules, std::uint64_t count, Streams& streams) {
  if (count == 0) return 0;
  std::uint64_t block = map_.next_free(streams.offsets.below(count));
  if (block == RandomMap::kNone && rules.time_based) {
    map_.clear();
    block = streams.offsets.below(count);
  }
  return block;
}

std::uint64_t RandomBlocks::shifted(const WalkRules& rules) {
  const std::uint64_t block = lfsr_.next();
  if (block != Lfsr::kNone || !rules.time_based) return block;
  lfsr_.begin(lfsr_start_);
  return lfsr_.next();
}

std::uint64_t RandomBlocks::listed(const WalkRules& rules) {
  const std::uint64_t count = rules.listed.size(), number = listed_count_++;
  return rules.listed[number % count] + (rules.list_advances ? number / count * count : 0);
}

void RandomBlocks::restart(const WalkRules& rules, Streams& streams, bool repeat_lfsr) {
  listed_count_ = 0;
  fill_.restart();
  if (rules.order == Order::mapped) map_.clear();
  if (rules.order != Order::lfsr && rules.order != Order::steady_fill) return;
  if (!repeat_lfsr) lfsr_start_ = streams.offsets.below(lfsr_.states());
  lfsr_.begin(lfsr_start_);
}

}  // namespace ftlab
