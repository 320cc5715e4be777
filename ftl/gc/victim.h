// The superblock whose valid pages are relocated, and the walk over them, in order or in random order.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/write/page_run.h"
#include "ftl/write/page_store.h"
#include "sim/core/random.h"

namespace ftlab {

// Why pages are relocated.
enum class RelocationCause : std::uint8_t { collection, wear, folding, mapping, refresh };
inline constexpr std::size_t kRelocationCauses = 5;

class Victim {
 public:
  Victim(const PageStore& store, std::uint32_t pool, bool shuffle)
      : store_(store), layout_(store.medium().layout()), pool_(pool), shuffle_(shuffle) {}

  bool exists() const { return block_ != kNoBlock; }
  SuperblockId block() const { return block_; }
  RelocationCause cause() const { return cause_; }
  void begin(SuperblockId block, RelocationCause cause, RandomStream& random);
  void end() { block_ = kNoBlock; }

  // In-order walk: no valid page is left before this position.
  std::uint32_t begin_of_rest() const { return word_ * 64; }
  // Collects whole stripes from position `from` on until they hold `most` valid pages, and prefetches their map entries.
  // Does not advance the walk. REQUIRES: each page takes one slot; a run holds `most` pages and a stripe.
  void take(std::uint32_t from, std::uint32_t most, PageRun& run) const;
  // All pages before the word of `position` have been moved.
  void pass(std::uint32_t position) {
    word_ = position / 64;
    bits_ = store_.pages().current().words(block_)[word_];
  }
  // Takes the next valid pages that share a stripe, of those already found. Leaves `run` empty at the end.
  void take_stripe(PageRun& run);
  // True if the slot is the last one of a page, which carries the LPN.
  bool carries_page(std::uint32_t position) const { return lpns()[position] != kNoLpn; }

  template <class A>
  void archive(A& archive) {
    archive.value(block_);
    archive.value(cause_);
    archive.value(word_);
    archive.list(ahead_, PageRun::kMostPages);
    archive.list(shuffled_, layout_.pages_per_superblock());
    archive.value(bits_);
  }

 private:
  const Lpn* lpns() const { return store_.medium().pages().lpns(layout_.first_page(block_)); }
  bool find_next(std::uint32_t& position);
  void look_ahead();

  const PageStore& store_;
  Layout layout_;
  std::uint32_t pool_;
  bool shuffle_;
  SuperblockId block_ = kNoBlock;
  RelocationCause cause_ = RelocationCause::collection;
  std::uint32_t word_ = 0;               // current word of valid bits; all pages before it have been moved
  std::uint64_t bits_ = 0;               // copy of that word: pages not yet reached by the walk
  std::vector<std::uint32_t> ahead_;     // found pages, to be moved stripe by stripe
  std::vector<std::uint32_t> shuffled_;  // random order only: pages not yet found
};

}  // namespace ftlab
