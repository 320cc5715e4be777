#include "sim/workload/walk_rules.h"

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

}  // namespace ftlab
