// Host pages held in controller RAM before they are programmed. Writes smaller than a mapping page wait until the page is
// complete (one that leaves incomplete costs a read of its old content: read-modify-write). With coalescing, whole pages
// also wait for overwrites, which then cost no program. The oldest page leaves first.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ftl/mapping/fingerprints.h"
#include "models/nand/array/medium.h"

namespace ftlab {

struct CoalescedPage {
  Lpn lpn{};
  Version version{};
  std::uint32_t first_byte = 0;  // written bytes are in [first, end)
  std::uint32_t end_byte = 0;
  std::uint32_t hole = 0;  // 1: two writes left a gap in that range
  std::uint16_t stream = 0;
  std::uint16_t stored = 1000;  // compressed size in thousandths, by an ideal compressor
  Fingerprint fingerprint{};    // if one write covered the whole page
  bool whole(std::uint32_t page_bytes) const { return hole == 0 && first_byte == 0 && end_byte == page_bytes; }
};

class CoalescingBuffer {
 public:
  explicit CoalescingBuffer(std::uint32_t capacity) : capacity_(capacity) {}

  bool empty() const { return place_.empty(); }
  bool over_capacity() const { return place_.size() > capacity_; }
  std::size_t size() const { return place_.size(); }

  // Merges the bytes of `page` into the held page, or adds it as the youngest entry. Sets `coalesced` if it was held
  // already. O(1); the reference is valid until the next call.
  CoalescedPage& merge(const CoalescedPage& page, bool& coalesced);
  const CoalescedPage* find(Lpn lpn) const;
  // Removes and returns the page, if it is held.
  std::optional<CoalescedPage> take(Lpn lpn);
  // REQUIRES: !empty().
  CoalescedPage take_oldest();
  // Renumbers the versions: number_of(Lpn, Version) returns the new one.
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    for (std::uint32_t slot = oldest_; slot != kNone; slot = slots_[slot].younger) {
      CoalescedPage& page = slots_[slot].page;
      page.version = number_of(page.lpn, page.version);
    }
  }
  // Copy of the held pages, oldest first.
  std::vector<CoalescedPage> in_order() const;

  template <class A>
  void archive(A& archive);

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Slot {
    CoalescedPage page;
    std::uint32_t older = kNone, younger = kNone;
  };
  void append(const CoalescedPage& page);
  CoalescedPage remove(std::uint32_t slot);

  std::size_t capacity_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uint32_t, std::uint32_t> place_;  // slot by logical page; never iterated
  std::uint32_t oldest_ = kNone, youngest_ = kNone;
};

template <class A>
void CoalescingBuffer::archive(A& archive) {
  archive.section("held pages");
  std::vector<CoalescedPage> pages = in_order();
  archive.list(pages, capacity_ + 1);
  if (!archive.loading()) return;
  *this = CoalescingBuffer(static_cast<std::uint32_t>(capacity_));
  for (const CoalescedPage& page : pages) append(page);
}

}  // namespace ftlab
