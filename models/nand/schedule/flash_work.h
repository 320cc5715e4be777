// What the flash was asked to do, by kind of operation, whether or not time is kept: what its energy follows from.
//
// An operation on several planes counts once as an operation and once for each of its pages or blocks. A read is taken to
// touch as few planes as its bytes fit into.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ftlab {

inline constexpr std::size_t kMostPageKinds = 4;  // of QLC

struct FlashWork {
  std::uint64_t reads = 0;  // array reads
  std::uint64_t pages_read = 0;
  std::uint64_t programs = 0;
  std::uint64_t pages_programmed = 0;
  std::uint64_t internal_pages_programmed = 0;  // of them by copyback: nothing crossed the channel
  std::uint64_t erases = 0;
  std::uint64_t blocks_erased = 0;  // tried; an erase that fails costs as much
  // Of the pages programmed, where somebody wants to know: with one bit a cell in a block that could hold more, and by kind
  // of page (SLC has one, MLC lower and upper).
  std::uint64_t slc_pages_programmed = 0;
  std::array<std::uint64_t, kMostPageKinds> pages_programmed_by_kind{};
  std::uint64_t read_bytes = 0;  // that crossed a channel, in whole codewords

  std::uint64_t operations() const { return reads + programs + erases; }

  void program(std::uint64_t count, std::uint64_t pages, bool internal) {
    programs += count;
    pages_programmed += pages;
    if (internal) internal_pages_programmed += pages;
  }
  void erase(std::uint32_t blocks) {
    ++erases;
    blocks_erased += blocks;
  }
};

}  // namespace ftlab
