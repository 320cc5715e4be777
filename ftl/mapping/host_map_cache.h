// Translation pages in host memory that a drive without DRAM may use (NVM Express Base 1.4, host memory buffer). Pages that
// leave controller RAM are sent there, and may be fetched back over the link instead of read from flash. Copies there are
// clean, since dirty pages are written to flash when they leave RAM, so nothing is lost if the host takes its memory back or
// power fails. First in, first out.
// Not modelled: entries instead of whole pages, the time at which the host provides the memory, and data pages in it.
#pragma once

#include <cstdint>
#include <utility>

#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

class HostMapCache {
 public:
  // Translation pages that crossed the link since the last take_traffic().
  struct Traffic {
    std::uint64_t sent = 0, fetched = 0;
  };

  // `capacity` of `pages` translation pages fit; 0: no host memory.
  HostMapCache(std::uint64_t capacity, std::uint32_t pages) : capacity_(capacity), stamp_(capacity > 0 ? pages : 0) {}

  bool there() const { return capacity_ > 0; }
  std::uint64_t pages() const { return count_; }
  std::uint64_t fetched() const { return fetched_; }
  Traffic take_traffic() { return std::exchange(traffic_, {}); }

  // Call when the page leaves controller RAM.
  void put(std::uint32_t page) {
    if (!there()) return;
    FTLAB_CHECK(page < stamp_.size(), "evicts a translation page beyond the map");
    count_ += stamp_[page] == 0;
    stamp_[page] = ++newest_;
    order_.push({page, 0, newest_});
    ++traffic_.sent;
    while (count_ > capacity_ || stale(order_.front())) drop_first();
    if (order_.size() > 2 * capacity_ + kRoom) forget_stale();
  }
  // True if the page was here and is fetched. It stays here only with `keep`.
  bool fetch(std::uint32_t page, bool keep) {
    FTLAB_DCHECK(!there() || page < stamp_.size(), "fetches a translation page beyond the map");
    if (!there() || stamp_[page] == 0) return false;
    ++fetched_;
    ++traffic_.fetched;
    if (keep) return true;
    stamp_[page] = 0;
    --count_;
    return true;
  }

  template <class A>
  void archive(A& archive) {
    archive.section("host memory");
    archive.column(stamp_);
    order_.archive(archive, 2 * capacity_ + kRoom + 1);
    for (auto* value : {&newest_, &count_, &fetched_}) archive.value(*value);
  }

 private:
  static constexpr std::uint64_t kRoom = 64;
  struct Put {  // archived, so without padding
    std::uint32_t page;
    std::uint32_t unused;
    std::uint64_t stamp;
  };

  bool stale(const Put& put) const { return stamp_[put.page] != put.stamp; }
  void drop_first() {
    const Put first = order_.pop();
    if (stale(first)) return;
    FTLAB_CHECK(count_ > 0, "the host's memory gives back more pages than it holds");
    stamp_[first.page] = 0;
    --count_;
  }
  void forget_stale() {
    for (std::size_t left = order_.size(); left > 0; --left) {
      const Put first = order_.pop();
      if (!stale(first)) order_.push(first);
    }
  }

  std::uint64_t capacity_;
  Column<std::uint64_t> stamp_;  // by translation page: stamp of its last put(); 0: not here
  RingBuffer<Put> order_;        // may contain stale entries
  std::uint64_t newest_ = 0, count_ = 0, fetched_ = 0;
  Traffic traffic_;
};

}  // namespace ftlab
