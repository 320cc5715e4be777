#include "sim/workload/file_walk.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {
namespace {

using Order = WalkRules::Order;

std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

Order order_of(const Job& job) {
  if (!job.pattern.random) return Order::sequential;
  if (job.steady_fill.on) return Order::steady_fill;
  if (job.spread.kind == Spread::Kind::sequence) return Order::listed;
  if (job.spread.kind != Spread::Kind::uniform) return Order::skewed;
  if (job.random_kind == RandomKind::lfsr) return Order::lfsr;
  return job.random_map ? Order::mapped : Order::uniform;
}

std::uint64_t least_of(const PerDirection<std::uint64_t>& bytes) { return *std::min_element(bytes.begin(), bytes.end()); }

// A direction without sizes of its own (a job that was not parsed) has blocks of one size.
BlockSizes sizes_of(const Job& job, std::size_t d) {
  BlockSizes sizes = job.sizes[d];
  if (!sizes.vary()) sizes.least = sizes.most = job.block_bytes[d];
  return sizes;
}

}  // namespace

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
  FTLAB_CHECK(least_of(block_bytes) > 0, "job " + job.name + " has blocks of 0 bytes");
  const std::size_t write = index(Direction::write), trim = index(Direction::trim);
  if (pattern.trim_then_write && pattern.random) block_bytes[write] = block_bytes[trim];
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    step_bytes[d] = job.alignment_bytes[d] != 0 ? job.alignment_bytes[d] : block_bytes[d];
    sizes[d] = SizeSource(sizes_of(job, d), job.any_size ? kSectorBytes : block_bytes[d]);
  }
}

FileWalk::FileWalk(const WalkRules& rules, const Job& job, const FileRegion& file, Streams& streams, std::uint64_t origin)
    : first_bytes_(file.first_bytes),
      region_bytes_(file.end_bytes - file.first_bytes),
      room_bytes_(file.file_end_bytes == 0 ? region_bytes_ : file.file_end_bytes - file.first_bytes),
      region_offset_(file.file_end_bytes == 0 ? 0 : file.first_bytes - file.file_first_bytes),
      wraps_in_pass_(file.file_end_bytes == 0 ||
                     (file.first_bytes == file.file_first_bytes && file.end_bytes == file.file_end_bytes)) {
  FTLAB_CHECK(file.first_bytes < file.end_bytes, "job " + job.name + " has an empty region");
  const std::uint64_t bytes = rules.zones.bytes != 0 ? rules.zones.range_bytes : region_bytes_;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const std::uint64_t step = rules.step_bytes[d], block = rules.block_bytes[d];
    const std::uint64_t beyond = block > step ? block - step : 0;
    blocks_[d] = bytes > beyond ? (bytes - beyond) / step : 0;
    if (rules.order == Order::skewed)
      distributions_.emplace_back(job.spread, static_cast<Direction>(d), std::max<std::uint64_t>(blocks_[d], 1), step,
                                  origin);
  }
  const std::uint64_t least = least_of(job.block_bytes), numbers = bytes / least;
  if (rules.order == Order::mapped) map_ = RandomMap(numbers);
  if (rules.order == Order::steady_fill) fill_ = SteadyFill(job.steady_fill, numbers, least);
  if (rules.order != Order::lfsr && rules.order != Order::steady_fill) return;
  lfsr_ = Lfsr(numbers);
  lfsr_.begin(lfsr_start_ = streams.offsets.below(lfsr_.states()));
}

bool FileWalk::place(const WalkRules& rules, Direction d, Streams& streams, std::uint64_t& run_left, Place& place) {
  if (rules.zones.bytes != 0) keep_in_zone(rules.zones, d);
  Spot found;
  if (!spot(rules, d, streams, run_left, found)) return false;
  place.offset_bytes = found.offset;
  place.length_bytes = length(rules, d, streams, found);
  return place.length_bytes != 0;
}

// As in fio: what was moved decides when the next zone begins, whichever way it went; in a zone that is moved over several
// times the map begins anew each time.
void FileWalk::keep_in_zone(const StridedZones& zones, Direction d) {
  if (zone_moved_ >= zones.bytes) {
    zone_moved_ = 0;
    zone_first_ += zones.range_bytes + zones.skip_bytes;
    if (zone_first_ >= region_bytes_) zone_first_ = 0;
  }
  if (zone_moved_ % zones.range_bytes == 0) map_.clear();
  std::uint64_t& position = position_[index(d)];
  if (position < zone_first_ || position >= zone_first_ + zones.range_bytes) position = zone_first_;
}

bool FileWalk::spot(const WalkRules& rules, Direction d, Streams& streams, std::uint64_t& run_left, Spot& spot) {
  if (rules.order == Order::sequential) return place_sequential(rules, d, spot);
  if (rules.pattern.blocks_per_random == 1) return place_at_start(rules, d, streams, spot);
  if (run_left == 0) {
    run_left = rules.pattern.blocks_per_random - 1;
    return place_at_start(rules, d, streams, spot);
  }
  --run_left;
  return place_in_run(rules, d, streams, spot);
}

// percentage_random throws a coin at each start.
bool FileWalk::place_at_start(const WalkRules& rules, Direction d, Streams& streams, Spot& spot) {
  const std::uint32_t percent = rules.random_percent[index(d)];
  if (percent < 100 && streams.jumps.below(100) >= percent) return follow(rules, d, streams, spot);
  return place_random(rules, d, streams, true, spot);
}

// rw=randread:8. Every eighth request starts at a random place, counted over all directions; the others
// follow the last one of their own direction, or repeat its offset (rw_sequencer=identical).
bool FileWalk::place_in_run(const WalkRules& rules, Direction d, Streams& streams, Spot& spot) {
  if (!rules.repeat_offset) return follow(rules, d, streams, spot);
  spot.offset = last_start_[index(d)];
  return true;
}

// At the end of the file a run goes on at a random place, which the map does not record; at the end of a
// region that ends before its file, the pass is over.
bool FileWalk::follow(const WalkRules& rules, Direction d, Streams& streams, Spot& spot) {
  if (rules.time_based || position_[index(d)] < room_bytes_) return place_sequential(rules, d, spot);
  return place_random(rules, d, streams, false, spot);
}

// As in fio, a request of one fixed size that begins in the region may reach beyond it, but not beyond its
// file: a last piece of the file that is shorter than a block is never accessed. In a time-based job a
// direction that has come to the end goes on from the beginning by itself.
bool FileWalk::place_sequential(const WalkRules& rules, Direction d, Spot& spot) {
  std::uint64_t& position = position_[index(d)];
  const std::int64_t skip = rules.pattern.sequential_skip_bytes;
  if (rules.time_based && position >= region_bytes_) position = 0;
  if (position >= (skip < 0 ? room_bytes_ : region_bytes_)) return false;
  spot.offset = skip == 0 ? position : skipped(rules.pattern, position);
  return spot.offset < region_bytes_;
}

std::uint64_t FileWalk::skipped(const Pattern& pattern, std::uint64_t position) const {
  const std::int64_t skip = pattern.sequential_skip_bytes;
  if (skip < 0) return skipped_back(position, static_cast<std::uint64_t>(-skip));
  const std::uint64_t next = position + static_cast<std::uint64_t>(skip);
  if (position == 0 || (wraps_in_pass_ && next >= region_bytes_)) return 0;
  return next;
}

// Without an offset fio begins at the region's beginning and goes on from its end; with one it begins below
// the end, by as much as the offset, because it takes the offset off twice.
std::uint64_t FileWalk::skipped_back(std::uint64_t position, std::uint64_t length) const {
  std::uint64_t from = position;
  if (position == 0 && region_offset_ != 0)
    from = region_bytes_ >= region_offset_ ? region_bytes_ - region_offset_ : length - 1;
  if (from == 0) return 0;
  return from >= length ? from - length : region_bytes_ - length;
}

bool FileWalk::place_random(const WalkRules& rules, Direction d, Streams& streams, bool taken, Spot& spot) {
  const std::uint64_t block = random_block(rules, d, streams);
  spot = {zone_first_ + block * rules.step_bytes[index(d)], true, taken};
  return block < blocks_[index(d)] && spot.offset < region_bytes_;
}

std::uint64_t FileWalk::random_block(const WalkRules& rules, Direction d, Streams& streams) {
  switch (rules.order) {
    case Order::skewed: return distributions_[index(d)].draw(streams.offsets);
    case Order::mapped: return mapped_block(rules, blocks_[index(d)], streams);
    case Order::lfsr: return lfsr_block(rules);
    case Order::listed: return listed_block(rules);
    case Order::steady_fill: return fill_.next(lfsr_, streams.fill);
    default: return blocks_[index(d)] == 0 ? 0 : streams.offsets.below(blocks_[index(d)]);
  }
}

// The map is shared by all directions and counts in blocks, whatever their sizes; so the number found may lie
// beyond the last block of the direction. That ends the pass, as in fio.
std::uint64_t FileWalk::mapped_block(const WalkRules& rules, std::uint64_t count, Streams& streams) {
  if (count == 0) return 0;
  std::uint64_t block = map_.next_free(streams.offsets.below(count));
  if (block == RandomMap::kNone && rules.time_based) {
    map_.clear();
    block = streams.offsets.below(count);
  }
  return block;
}

std::uint64_t FileWalk::lfsr_block(const WalkRules& rules) {
  const std::uint64_t block = lfsr_.next();
  if (block != Lfsr::kNone || !rules.time_based) return block;
  lfsr_.begin(lfsr_start_);
  return lfsr_.next();
}

std::uint64_t FileWalk::listed_block(const WalkRules& rules) {
  const std::uint64_t count = rules.listed.size(), number = listed_count_++;
  return rules.listed[number % count] + (rules.list_advances ? number / count * count : 0);
}

// Blocks of several sizes stay inside the region, those of one size inside the file. With a map fio cuts a
// request where it meets a block that is taken.
std::uint64_t FileWalk::length(const WalkRules& rules, Direction d, Streams& streams, const Spot& spot) {
  const Direction kind = !rules.sizes_by_order ? d : spot.random ? Direction::write : Direction::read;
  const SizeSource& sizes = rules.sizes[index(kind)];
  const std::uint64_t end = sizes.vary() ? region_bytes_ : room_bytes_;
  const std::uint64_t bytes = spot.offset < end ? sizes.draw(streams.sizes, end - spot.offset) : 0;
  if (!spot.taken || rules.order != Order::mapped || bytes == 0) return bytes;
  const std::uint64_t block = rules.block_bytes[index(d)];
  const std::uint64_t wanted = (bytes + block - 1) / block;  // a part of a block takes it whole
  return std::min(bytes, map_.take_run((spot.offset - zone_first_) / block, wanted) * block);
}

void FileWalk::issued(Direction d, const Place& place) {
  position_[index(d)] = place.offset_bytes + place.length_bytes;
  last_start_[index(d)] = place.offset_bytes;
  trimmed = place;
  zone_moved_ += place.length_bytes;
}

void FileWalk::restart(const WalkRules& rules, Streams& streams, bool repeat_lfsr) {
  position_ = {};
  last_start_ = {};
  listed_count_ = 0;
  zone_first_ = zone_moved_ = 0;
  fill_.restart();
  if (rules.order == Order::mapped) map_.clear();
  if (rules.order != Order::lfsr && rules.order != Order::steady_fill) return;
  if (!repeat_lfsr) lfsr_start_ = streams.offsets.below(lfsr_.states());
  lfsr_.begin(lfsr_start_);
}

}  // namespace ftlab
