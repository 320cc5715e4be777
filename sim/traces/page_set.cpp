#include "sim/traces/page_set.h"

#include <algorithm>
#include <bit>

#include "sim/core/check.h"

namespace ftlab {
namespace {

// Sets bits [first, end) of a word. Returns the number of bits that were clear.
std::uint64_t set_bits(std::uint64_t& word, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t upto = end == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  const std::uint64_t mask = upto & (~std::uint64_t{0} << first);
  const std::uint64_t fresh = mask & ~word;
  word |= mask;
  return static_cast<std::uint64_t>(std::popcount(fresh));
}

}  // namespace

std::uint64_t PageSet::key_of(std::uint32_t volume, std::uint64_t page) {
  constexpr unsigned kVolumeShift = 48;
  return std::uint64_t{volume} << kVolumeShift | page / kChunkPages;
}

PageSet::Chunk& PageSet::chunk_at(std::uint64_t key) {
  if (last_ < chunks_.size() && chunks_[last_].key == key) return chunks_[last_];
  const auto [place, is_new] = places_.try_emplace(key, chunks_.size());
  if (is_new) {
    chunks_.emplace_back();
    chunks_.back().key = key;
  }
  last_ = place->second;
  return chunks_[last_];
}

void PageSet::touch(std::uint32_t volume, std::uint64_t first, std::uint64_t end, bool written) {
  for (std::uint64_t page = first; page < end;) {
    Chunk& chunk = chunk_at(key_of(volume, page));
    const std::uint64_t word = page % kChunkPages / 64;
    const std::uint64_t bit = page % 64;
    const std::uint64_t stop = std::min<std::uint64_t>(64, bit + (end - page));
    touched_ += set_bits(chunk.touched[word], bit, stop);
    if (written) written_ += set_bits(chunk.written[word], bit, stop);
    page += stop - bit;
  }
}

void PageSet::rank() {
  std::sort(chunks_.begin(), chunks_.end(), [](const Chunk& a, const Chunk& b) { return a.key < b.key; });
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    places_[chunks_[i].key] = i;
    chunks_[i].rank = before;
    for (const std::uint64_t word : chunks_[i].touched) before += static_cast<std::uint64_t>(std::popcount(word));
  }
  last_ = 0;
}

std::uint64_t PageSet::rank_of(std::uint32_t volume, std::uint64_t page) const {
  const auto place = places_.find(key_of(volume, page));
  FTLAB_CHECK(place != places_.end(), "page " + std::to_string(page) + " was never touched");
  const Chunk& chunk = chunks_[place->second];
  const std::uint64_t word = page % kChunkPages / 64;
  FTLAB_CHECK((chunk.touched[word] >> page % 64 & 1) == 1, "page " + std::to_string(page) + " was never touched");
  std::uint64_t rank = chunk.rank;
  for (std::uint64_t i = 0; i < word; ++i) rank += static_cast<std::uint64_t>(std::popcount(chunk.touched[i]));
  return rank + static_cast<std::uint64_t>(std::popcount(chunk.touched[word] & ((std::uint64_t{1} << page % 64) - 1)));
}

}  // namespace ftlab
