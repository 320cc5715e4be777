// Valid pages of one or more stripes of one superblock, moved together.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/nand/array/medium.h"

namespace ftlab {

struct PageRun {
  static constexpr std::uint32_t kMostPages = 64;

  std::array<std::uint32_t, kMostPages> pages;  // positions in the superblock
  std::array<Lpn, kMostPages> lpns;
  std::uint32_t count = 0;
  bool sorted = true;  // ascending, with all valid pages between first and last

  std::span<const std::uint32_t> positions() const { return std::span(pages).first(count); }
};

}  // namespace ftlab
