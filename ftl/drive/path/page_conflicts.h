// Commands on the same pages take effect in order of arrival: a read waits for earlier writes and trims, a write or trim
// also for earlier reads. Holds only commands that have not taken effect yet, a few dozen at most.
#pragma once

#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"

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
    return changing_.any_before(pages) || (changes && reading_.any_before(pages));
  }
  bool has_reads() const { return !reading_.empty(); }
  // True if an earlier read of these pages has not taken effect.
  bool read_blocks(const Pages& pages) const { return reading_.any_before(pages); }

 private:
  // In order of arrival; usually the oldest takes effect first.
  class List {
   public:
    bool empty() const { return pages_.empty(); }
    void push(const Pages& pages) {
      FTLAB_DCHECK(empty() || pages_.back().order < pages.order, "a command arrives before an earlier one");
      pages_.push(pages);
    }
    void remove(std::uint64_t order) {
      FTLAB_DCHECK(!empty(), "a command takes effect twice, or is not known");
      pages_.front().order == order ? void(pages_.pop()) : remove_later(order);
    }
    // True if an earlier command in the list touches one of the pages.
    bool any_before(const Pages& pages) const {
      for (std::size_t i = 0; i < pages_.size(); ++i) {
        const Pages& other = pages_[i];
        if (other.order >= pages.order) return false;
        if (other.first < pages.end && pages.first < other.end) return true;
      }
      return false;
    }

   private:
    [[gnu::noinline]] void remove_later(std::uint64_t order) {
      std::size_t at = 1;
      while (at < pages_.size() && pages_[at].order != order) ++at;
      FTLAB_DCHECK(at < pages_.size(), "a command takes effect twice, or is not known");
      for (; at > 0; --at) pages_[at] = pages_[at - 1];
      pages_.pop();
    }
    RingBuffer<Pages> pages_;
  };

  List changing_, reading_;
};

}  // namespace ftlab
