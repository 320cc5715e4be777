// Set of the 4 KiB pages that a trace touches and writes, over several volumes. One bit for each page, in chunks of 2 MiB:
// memory follows the footprint (about 80 bytes for each densely used MiB), not the length of the trace.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ftlab {

inline constexpr std::uint64_t kFootprintPageBytes = 4096;

class PageSet {
 public:
  // Adds pages [first, end) of a volume. REQUIRES: volume < 2^16, end <= 2^52.
  void touch(std::uint32_t volume, std::uint64_t first, std::uint64_t end, bool written);

  std::uint64_t touched() const { return touched_; }  // pages
  std::uint64_t written() const { return written_; }
  std::size_t chunks() const { return chunks_.size(); }  // each covers 2 MiB of addresses; they determine the memory

  // Numbers the touched pages by volume and address. Call after the last touch().
  void rank();
  // Number of touched pages before this one. REQUIRES: rank() was called after the page was touched.
  std::uint64_t rank_of(std::uint32_t volume, std::uint64_t page) const;

 private:
  static constexpr std::uint64_t kWords = 8;
  static constexpr std::uint64_t kChunkPages = kWords * 64;
  struct Chunk {
    std::uint64_t key = 0;  // volume and address; orders the chunks
    std::uint64_t rank = 0;
    std::array<std::uint64_t, kWords> touched{};
    std::array<std::uint64_t, kWords> written{};
  };

  static std::uint64_t key_of(std::uint32_t volume, std::uint64_t page);
  Chunk& chunk_at(std::uint64_t key);

  std::vector<Chunk> chunks_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // key to index in chunks_; never iterated
  std::size_t last_ = 0;
  std::uint64_t touched_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace ftlab
