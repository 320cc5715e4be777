#include "ftl/gc/victim.h"

#include <bit>

namespace ftlab {

void Victim::begin(SuperblockId block, RelocationCause cause, RandomStream& random) {
  FTLAB_DCHECK(!exists() && block != kNoBlock, "a victim is begun before the last one ended");
  block_ = block;
  cause_ = cause;
  pass(0);
  ahead_.clear();
  shuffled_.clear();
  if (!shuffle_) return;
  // Shuffles all valid pages (Fisher and Yates).
  for (std::uint32_t position; find_next(position);) shuffled_.push_back(position);
  for (std::size_t left = shuffled_.size(); left > 1; --left) std::swap(shuffled_[left - 1], shuffled_[random.below(left)]);
}

bool Victim::find_next(std::uint32_t& position) {
  do {
    while (bits_ == 0) {
      if (word_ + 1 >= store_.pages().current().words_per_block()) return false;
      bits_ = store_.pages().current().words(block_)[++word_];
    }
    position = word_ * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_));
    bits_ &= bits_ - 1;
  } while (!carries_page(position));
  return true;
}

// Finds the next valid pages and prefetches their map entries, each a random access to the largest table. Runs only if few
// found pages are left, so that many accesses overlap.
void Victim::look_ahead() {
  if (ahead_.size() > PageRun::kMostPages / 2) return;
  for (std::uint32_t position; ahead_.size() < PageRun::kMostPages;) {
    if (!shuffle_) {
      if (!find_next(position)) return;
    } else {
      if (shuffled_.empty()) return;
      position = shuffled_.back();
      shuffled_.pop_back();
    }
    ahead_.push_back(position);
    store_.pages().map().prefetch(lpns()[position]);
  }
}

// Local copies keep the loop in registers: the compiler must assume that its stores alias members.
void Victim::take(std::uint32_t from, std::uint32_t most, PageRun& run) const {
  FTLAB_DCHECK(exists() && store_.pages().largest_page() == 1, "runs of no victim, or of compressed pages");
  FTLAB_DCHECK(most > 0 && most <= PageRun::kMostPages, "a run of " + std::to_string(most) + " pages");
  const std::uint32_t words = store_.pages().current().words_per_block();
  const std::uint64_t* const valid = store_.pages().current().words(block_);
  const Lpn* const lpns = this->lpns();
  const PageMap& map = store_.pages().map();
  std::uint32_t count = 0, end = 0;  // of the stripe that holds the last page wanted; 0: not found yet
  std::uint64_t wanted = ~std::uint64_t{0} << from % 64;
  for (std::uint32_t word = from / 64; word < words; ++word, wanted = ~std::uint64_t{0}) {
    for (std::uint64_t bits = valid[word] & wanted; bits != 0; bits &= bits - 1) {
      const std::uint32_t position = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (count >= most) {
        if (end == 0) end = layout_.next_stripe(run.pages[count - 1]);
        if (position >= end) {
          run.count = count;
          return;
        }
      }
      const Lpn lpn = lpns[position];
      map.prefetch(lpn);
      run.lpns[count] = lpn;
      run.pages[count++] = position;
    }
  }
  run.count = count;
}

// The host may have overwritten some of the pages since they were found.
void Victim::take_stripe(PageRun& run) {
  FTLAB_DCHECK(exists(), "pages of no victim");
  std::uint32_t count = 0;
  while (count == 0) {
    look_ahead();
    if (ahead_.empty()) break;
    const std::uint32_t stripe_end = layout_.next_stripe(ahead_.front());
    auto next = ahead_.begin();
    for (; next != ahead_.end() && layout_.next_stripe(*next) == stripe_end; ++next) {
      if (!store_.pages().current().test(block_, *next)) continue;
      run.lpns[count] = lpns()[*next];
      run.pages[count++] = *next;
    }
    ahead_.erase(ahead_.begin(), next);
  }
  run.count = count;
  run.sorted = false;
}

}  // namespace ftlab
