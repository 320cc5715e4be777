// Commands on the same pages take effect in order of arrival: a read waits for earlier writes and trims, a write or trim
// also for earlier reads. Holds only commands that have not taken effect yet, a few dozen at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"

namespace ftlab {

class PageConflicts {
 public:
  struct Pages {
    std::uint64_t order = 0;  // order of arrival
    std::uint32_t first = 0, end = 0;
  };

  void add(const Pages& pages, bool changes) { (changes ? changing_ : reading_).push(pages); }
  // Call when the command has taken effect.
  void remove(std::uint64_t order, bool changes) { (changes ? changing_ : reading_).remove(order); }
  // True if an earlier command on the same pages that it must wait for has not taken effect.
  bool blocks(const Pages& pages, bool changes) const {
    return any_before(changing_, pages) || (changes && any_before(reading_, pages));
  }
  bool has_reads() const { return reading_.begin() != reading_.end(); }
  // True if an earlier read of these pages has not taken effect.
  bool read_blocks(const Pages& pages) const { return any_before(reading_, pages); }

 private:
  // In order of arrival; usually the oldest takes effect first.
  class List {
   public:
    void push(const Pages& pages) {
      FTLAB_DCHECK(first_ == pages_.size() || pages_.back().order < pages.order, "a command arrives before an earlier one");
      pages_.push_back(pages);
    }
    void remove(std::uint64_t order) {
      if (first_ < pages_.size() && pages_[first_].order == order) [[likely]] {
        if (++first_ == pages_.size()) {
          pages_.clear();
          first_ = 0;
        } else if (first_ == kMostRemoved) [[unlikely]] {
          drop_removed();
        }
        return;
      }
      const std::size_t removed = std::erase_if(pages_, [order](const Pages& pages) { return pages.order == order; });
      FTLAB_DCHECK(removed == 1, "a command takes effect twice, or is not known");
    }
    const Pages* begin() const { return pages_.data() + first_; }
    const Pages* end() const { return pages_.data() + pages_.size(); }

   private:
    static constexpr std::size_t kMostRemoved = 64;
    [[gnu::noinline]] void drop_removed() {
      pages_.erase(pages_.begin(), pages_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    std::vector<Pages> pages_;
    std::size_t first_ = 0;  // earlier ones have taken effect
  };

  static bool any_before(const List& list, const Pages& pages) {
    for (const Pages& other : list) {
      if (other.order >= pages.order) return false;
      if (other.first < pages.end && pages.first < other.end) return true;
    }
    return false;
  }

  List changing_, reading_;
};

}  // namespace ftlab
