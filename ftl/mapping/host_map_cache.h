// Translation pages in a part of the host's memory that a drive without DRAM may use (NVM Express Base 1.4, host memory
// buffer): what leaves the controller's RAM is sent there and may be fetched back over the link instead of read from the
// flash. Copies there are clean, since dirty pages are written to the flash when they leave the RAM; so a host that takes
// its memory back, or a power cut, loses nothing. What came first leaves first.
// Not modelled: entries instead of whole pages, the time at which the host lends the memory, and data pages in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/ring_buffer.h"
#include "sim/core/rule.h"

namespace ftlab {

class HostMapCache {
 public:
  // What crossed the link since it was asked last, in translation pages.
  struct Traffic {
    std::uint64_t sent = 0, fetched = 0;
  };

  // `capacity` of `pages` translation pages fit; 0: there is no such memory.
  HostMapCache(std::uint64_t capacity, std::uint32_t pages) : capacity_(capacity), stamp_(capacity > 0 ? pages : 0) {}

  bool there() const { return capacity_ > 0; }
  std::uint64_t pages() const { return count_; }
  std::uint64_t fetched() const { return fetched_; }
  Traffic take_traffic() { return std::exchange(traffic_, {}); }

  // The page leaves the controller's RAM.
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
  // Whether it is here; then it is fetched, and stays here only with `keep`.
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
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static constexpr std::uint64_t kRoom = 64;
  struct Put {  // no padding: it is archived
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
  std::uint64_t listed() const {  // of those that are here
    std::uint64_t listed = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) listed += !stale(order_[i]);
    return listed;
  }
  static std::span<const Rule<HostMapCache>> rules() {
    static constexpr Rule<HostMapCache> kRules[] = {
        {"the host's memory holds a page of the map that does not exist.",
         [](const HostMapCache& host) {
           return each(host.order_, [&](const Put& put) { return put.page < host.stamp_.size(); });
         }},
        {"its pages in the host's memory do not add up.",
         [](const HostMapCache& host) {
           const auto stamps = host.stamp_.view();
           return static_cast<std::uint64_t>(std::count(stamps.begin(), stamps.end(), 0)) == stamps.size() - host.count_;
         }},
        {"a page in the host's memory has no place in the order of their coming.",
         [](const HostMapCache& host) { return host.listed() == host.count_; }},
        {"more pages are in the host's memory than fit into it.",
         [](const HostMapCache& host) { return host.count_ <= host.capacity_; }},
        {"more pages are in the host's memory than ever came there.",
         [](const HostMapCache& host) { return host.newest_ >= host.count_; }},
    };
    return kRules;
  }

  std::uint64_t capacity_;
  Column<std::uint64_t> stamp_;  // by translation page: when it was put here last; 0: it is not here
  RingBuffer<Put> order_;        // with some that are here no more, or were put here again
  std::uint64_t newest_ = 0, count_ = 0, fetched_ = 0;
  Traffic traffic_;
};

}  // namespace ftlab
