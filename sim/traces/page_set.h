// Which pages of 4 KiB a trace touches and writes, over several volumes. One bit for each, in chunks of 2 MiB of addresses:
// memory follows the footprint (about 80 bytes for each MiB that is densely used), not the length of the trace.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ftlab {

inline constexpr std::uint64_t kFootprintPageBytes = 4096;

class PageSet {
 public:
  // Pages [first, end) of a volume. REQUIRES: volume < 2^16, end <= 2^52.
  void touch(std::uint32_t volume, std::uint64_t first, std::uint64_t end, bool written);

  std::uint64_t touched() const { return touched_; }  // pages
  std::uint64_t written() const { return written_; }
  std::size_t chunks() const { return chunks_.size(); }  // of 2 MiB of addresses, which decide the memory

  // Numbers the touched pages in order of volume and address. Call it when all are in.
  void rank();
  // How many touched pages lie before this one. REQUIRES: rank() was called, and the page was touched before that.
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
  std::unordered_map<std::uint64_t, std::size_t> places_;  // of a key in chunks_; only looked up, never walked through
  std::size_t last_ = 0;
  std::uint64_t touched_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace ftlab
