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
  std::array<std::uint32_t, kMostPages> stripe_numbers;  // in the superblock
  std::array<std::uint32_t, kMostPages> ends;            // end of each stripe's pages in `pages`
  std::uint32_t count = 0;
  std::uint32_t stripes = 0;  // number of stripes - 1
  bool sorted = true;         // ascending, with all valid pages between first and last

  void end(std::uint32_t with_count, std::uint32_t with_stripes) {
    count = ends[with_stripes] = with_count;
    stripes = with_stripes;
  }

  std::span<const std::uint32_t> positions() const { return std::span(pages).first(count); }
};

}  // namespace ftlab
