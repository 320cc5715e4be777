#include "sim/host/stack/file_extents.h"

#include <algorithm>
#include <bit>

#include "sim/core/check.h"
#include "sim/core/random.h"

namespace ftlab {
namespace {

// The mixing step of MurmurHash3 (A. Appleby, public domain): every bit of the result depends on every bit of the value.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 33) * 0xff51'afd7'ed55'8ccd;
  value = (value ^ value >> 33) * 0xc4ce'b9fe'1a85'ec53;
  return value ^ value >> 33;
}

}  // namespace

FileExtents::FileExtents(std::uint64_t extent_bytes, std::uint64_t capacity_bytes, std::uint64_t seed)
    : extent_bytes_(extent_bytes), count_(capacity_bytes / extent_bytes) {
  RandomStream random(seed, "extents of files");
  for (std::uint64_t& key : round_keys_) key = random.bits();
  if (count_ > 1) half_bits_ = (static_cast<std::uint32_t>(std::bit_width(count_ - 1)) + 1) / 2;
}

FileExtents::Piece FileExtents::first_piece(std::uint64_t offset_bytes, std::uint64_t length_bytes) const {
  FTLAB_DCHECK(length_bytes > 0, "no bytes of a file");
  const std::uint64_t extent = offset_bytes / extent_bytes_, within = offset_bytes % extent_bytes_;
  if (extent >= count_) return {offset_bytes, length_bytes};
  return {place_of(extent) * extent_bytes_ + within, std::min(length_bytes, extent_bytes_ - within)};
}

// The network permutes the numbers below a power of four. From a number below count_, its cycle leads back to one.
std::uint64_t FileExtents::place_of(std::uint64_t extent) const {
  FTLAB_CHECK(extent < count_, "an extent beyond the device");
  if (half_bits_ == 0) return extent;
  do {
    extent = scrambled(extent);
  } while (extent >= count_);
  return extent;
}

std::uint64_t FileExtents::scrambled(std::uint64_t value) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_, right = value & mask;
  for (const std::uint64_t key : round_keys_) {
    const std::uint64_t next = left ^ (mixed(right ^ key) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

}  // namespace ftlab
