#include "models/nand/array/layout.h"

#include <algorithm>

namespace ftlab {
namespace {

std::string with(const char* what, std::uint64_t value) { return std::string(what) + " (" + std::to_string(value) + ")"; }

}  // namespace

std::string layout_problem(const Geometry& g, SuperblockShape shape, std::uint64_t slot_bytes) {
  const std::uint64_t stripe_bytes = std::uint64_t{shape.planes} * g.page_bytes;
  const std::uint64_t superblock_bytes = stripe_bytes * shape.dies * g.pages_per_block;
  if (g.dies() % shape.dies != 0) {
    return with("superblock dies", shape.dies) + " must divide the drive's " + with("dies", g.dies());
  }
  if (g.planes_per_die % shape.planes != 0) {
    return with("superblock planes", shape.planes) + " must divide " + with("planes_per_die", g.planes_per_die);
  }
  if (slot_bytes % kSectorBytes != 0 && kSectorBytes % slot_bytes != 0)
    return with("mapping page_bytes", slot_bytes) + " must be a multiple of 512";
  if (stripe_bytes % slot_bytes != 0 && slot_bytes % stripe_bytes != 0) {
    return with("mapping page_bytes", slot_bytes) + " must divide, or be a multiple of, the " +
           with("bytes of one multi-plane page", stripe_bytes);
  }
  if (superblock_bytes % slot_bytes != 0) {
    return with("mapping page_bytes", slot_bytes) + " must divide the " + with("bytes of a superblock", superblock_bytes);
  }
  if (shape.parity && shape.dies < 2) return "parity needs superblocks of two dies or more";
  if (shape.parity && slot_bytes > stripe_bytes) {
    return with("mapping page_bytes", slot_bytes) + " must not exceed the " +
           with("bytes of one multi-plane page", stripe_bytes) + " with parity";
  }
  if (g.bytes() / slot_bytes >= 0xffff'ffff) {
    return with("mapping page_bytes", slot_bytes) + " gives " + std::to_string(g.bytes() / slot_bytes) +
           " physical pages; fewer than 4294967295 can be addressed";
  }
  return {};
}

Layout::Layout(const Geometry& g, SuperblockShape shape, std::uint32_t slot_bytes)
    : shape_(shape), slot_bytes_(slot_bytes), page_bytes_(g.page_bytes), dies_(shape.dies) {
  FTLAB_CHECK(layout_problem(g, shape, slot_bytes).empty(), layout_problem(g, shape, slot_bytes));
  const std::uint32_t stripe_bytes = shape.planes * g.page_bytes;
  plane_groups_ = Divisor(g.planes_per_die / shape.planes);
  groups_ = Divisor(g.dies() / shape.dies * plane_groups_.value());
  superblocks_ = groups_.value() * g.blocks_per_plane;
  pages_per_stripe_ = Divisor(std::max(stripe_bytes / slot_bytes, 1u));
  stripes_per_page_ = std::max(slot_bytes / stripe_bytes, 1u);
  pages_per_superblock_ = Divisor(shape.dies * g.pages_per_block / stripes_per_page_ * pages_per_stripe());
  data_pages_ = pages_per_superblock() - (shape.parity ? pages_per_superblock() / dies_ : 0);
  for (std::uint64_t slot = 0; slot < pages_per_stripe(); ++slot) {
    const std::uint64_t end = std::min<std::uint64_t>((slot + 1) * slot_bytes, stripe_bytes);
    first_plane_of_.push_back(static_cast<std::uint8_t>(slot * slot_bytes / page_bytes_));
    last_plane_of_.push_back(static_cast<std::uint8_t>((end - 1) / page_bytes_));
  }
}

}  // namespace ftlab
