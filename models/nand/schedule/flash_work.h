// Operations requested from the flash, by kind, in timed and untimed runs; its energy follows from them.
//
// An operation on several planes counts as one operation and as all of its pages or blocks. A read is assumed to touch as
// few planes as its bytes fit into.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ftlab {

inline constexpr std::size_t kMostPageKinds = 4;  // QLC

struct FlashWork {
  std::uint64_t reads = 0;  // array reads
  std::uint64_t pages_read = 0;
  std::uint64_t programs = 0;
  std::uint64_t pages_programmed = 0;
  std::uint64_t internal_pages_programmed = 0;  // those by copyback: no data crossed the channel
  std::uint64_t erases = 0;
  std::uint64_t blocks_erased = 0;  // including failed erases, which cost as much
  // Programmed pages, counted only on request: pSLC pages, and the others by kind of page (SLC has one, MLC lower and
  // upper).
  std::uint64_t slc_pages_programmed = 0;
  std::array<std::uint64_t, kMostPageKinds> pages_programmed_by_kind{};
  std::uint64_t read_bytes = 0;  // bytes that crossed a channel, in whole codewords

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
