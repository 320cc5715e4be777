// The order in which commands take effect: changes (writes, trims, flushes) in order of arrival, and commands that touch the
// same pages in order of arrival.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/path/page_conflicts.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

class CommandOrder {
 public:
  void add(const PageConflicts::Pages& pages, bool changes) { conflicts_.add(pages, changes); }
  // Call when the command has taken effect on its pages.
  void remove(const PageConflicts::Pages& pages, bool changes) { conflicts_.remove(pages.order, changes); }

  // True if an earlier change of the same pages has not taken effect. The read is then kept until release().
  bool holds_back(std::uint32_t id, const PageConflicts::Pages& pages) {
    if (!conflicts_.blocks(pages, false)) [[likely]]
      return false;
    waiting_.push_back(id);
    return true;
  }
  // True if a read has not taken effect.
  bool has_reads() const { return conflicts_.has_reads(); }
  // True if an earlier read of these pages has not taken effect.
  bool reads_block(const PageConflicts::Pages& pages) const { return conflicts_.read_blocks(pages); }
  // Removes the waiting reads and calls each(id) for them, so that they are checked again.
  template <class Each>
  void release(Each&& each) {
    if (!waiting_.empty()) [[unlikely]]
      release_waiting(each);
  }

  // Writes with pages left to send, trims and flushes, in order.
  bool has_changes() const { return !changes_.empty(); }
  std::uint32_t oldest_change() const { return changes_.front(); }
  void add_change(std::uint32_t id) { changes_.push(id); }
  void pop_change() { changes_.pop(); }

 private:
  template <class Each>
  [[gnu::noinline]] void release_waiting(Each&& each) {
    std::vector<std::uint32_t> waiting;
    waiting.swap(waiting_);
    for (const std::uint32_t id : waiting) each(id);
  }

  PageConflicts conflicts_;
  std::vector<std::uint32_t> waiting_;  // reads
  RingBuffer<std::uint32_t> changes_;
};

}  // namespace ftlab
