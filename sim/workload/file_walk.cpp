#include "sim/workload/file_walk.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {
namespace {

using Order = WalkRules::Order;

std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

std::uint64_t bytes_of(const FileRegion& region, const Job& job) {
  FTLAB_CHECK(region.first_bytes < region.end_bytes, "job " + job.name + " has an empty region");
  return region.end_bytes - region.first_bytes;
}

}  // namespace

FileWalk::FileWalk(const WalkRules& rules, const Job& job, const FileRegion& file, Streams& streams, std::uint64_t origin)
    : first_bytes_(file.first_bytes),
      region_bytes_(bytes_of(file, job)),
      room_bytes_(file.file_end_bytes == 0 ? region_bytes_ : file.file_end_bytes - file.first_bytes),
      region_offset_(file.file_end_bytes == 0 ? 0 : file.first_bytes - file.file_first_bytes),
      wraps_in_pass_(file.file_end_bytes == 0 ||
                     (file.first_bytes == file.file_first_bytes && file.end_bytes == file.file_end_bytes)),
      blocks_(rules, job, region_bytes_, streams, origin) {}

bool FileWalk::place(const WalkRules& rules, Direction d, Streams& streams, std::uint64_t& run_left, Place& place) {
  if (rules.zones.bytes != 0) keep_in_zone(rules.zones, d);
  Spot found;
  if (!spot(rules, d, streams, run_left, found)) return false;
  place.offset_bytes = found.offset;
  place.length_bytes = length(rules, d, streams, found);
  return place.length_bytes != 0;
}

// As in fio, bytes moved in any direction count towards the end of a zone. If a zone is covered several times, the map is
// cleared each time.
void FileWalk::keep_in_zone(const StridedZones& zones, Direction d) {
  if (zone_moved_ >= zones.bytes) {
    zone_moved_ = 0;
    zone_first_ += zones.range_bytes + zones.skip_bytes;
    if (zone_first_ >= region_bytes_) zone_first_ = 0;
  }
  if (zone_moved_ % zones.range_bytes == 0) blocks_.forget_taken();
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

// percentage_random: each start is drawn to be random or to follow the last request.
bool FileWalk::place_at_start(const WalkRules& rules, Direction d, Streams& streams, Spot& spot) {
  const std::uint32_t percent = rules.random_percent[index(d)];
  if (percent < 100 && streams.jumps.below(100) >= percent) return follow(rules, d, streams, spot);
  return place_random(rules, d, streams, true, spot);
}

// rw=randread:8: every eighth request, counted over all directions, starts at a random offset. The others follow the last
// request of their own direction, or repeat its offset (rw_sequencer=identical).
bool FileWalk::place_in_run(const WalkRules& rules, Direction d, Streams& streams, Spot& spot) {
  if (!rules.repeat_offset) return follow(rules, d, streams, spot);
  spot.offset = last_start_[index(d)];
  return true;
}

// A run that reaches the end of the file continues at a random offset, which the map does not record. At the end of a region
// that ends before its file, the pass is over.
bool FileWalk::follow(const WalkRules& rules, Direction d, Streams& streams, Spot& spot) {
  if (rules.time_based || position_[index(d)] < room_bytes_) return place_sequential(rules, d, spot);
  return place_random(rules, d, streams, false, spot);
}

// As in fio, a request of one fixed size that begins in the region may reach beyond it, but not beyond its file: a tail of
// the file shorter than a block is never accessed. In a time-based job each direction wraps to the beginning on its own.
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

// Without an offset fio begins at the region's beginning and wraps to its end. With an offset it begins that far below the
// end, because it subtracts the offset twice.
std::uint64_t FileWalk::skipped_back(std::uint64_t position, std::uint64_t length) const {
  std::uint64_t from = position;
  if (position == 0 && region_offset_ != 0)
    from = region_bytes_ >= region_offset_ ? region_bytes_ - region_offset_ : length - 1;
  if (from == 0) return 0;
  return from >= length ? from - length : region_bytes_ - length;
}

bool FileWalk::place_random(const WalkRules& rules, Direction d, Streams& streams, bool taken, Spot& spot) {
  const std::uint64_t block = blocks_.next(rules, d, streams);
  spot = {zone_first_ + block * rules.step_bytes[index(d)], true, taken};
  return block < blocks_.count(d) && spot.offset < region_bytes_;
}

// Blocks of varying size stay inside the region, blocks of one size inside the file. With a map fio cuts a request at the
// first block that is already taken.
std::uint64_t FileWalk::length(const WalkRules& rules, Direction d, Streams& streams, const Spot& spot) {
  const Direction kind = !rules.sizes_by_order ? d : spot.random ? Direction::write : Direction::read;
  const SizeSource& sizes = rules.sizes[index(kind)];
  const std::uint64_t end = sizes.vary() ? region_bytes_ : room_bytes_;
  const std::uint64_t bytes = spot.offset < end ? sizes.draw(streams.sizes, end - spot.offset) : 0;
  if (!spot.taken || rules.order != Order::mapped || bytes == 0) return bytes;
  const std::uint64_t block = rules.block_bytes[index(d)];
  const std::uint64_t wanted = (bytes + block - 1) / block;  // a partial block counts as a whole one
  return std::min(bytes, blocks_.take_run((spot.offset - zone_first_) / block, wanted) * block);
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
  zone_first_ = zone_moved_ = 0;
  blocks_.restart(rules, streams, repeat_lfsr);
}

}  // namespace ftlab
