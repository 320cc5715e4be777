#include "ftl/write/coalescing_buffer.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {

CoalescedPage& CoalescingBuffer::merge(const CoalescedPage& page, bool& coalesced) {
  FTLAB_CHECK(page.first_byte < page.end_byte, "a page is held of which nothing was written");
  const auto kept = place_.find(number(page.lpn));
  coalesced = kept != place_.end();
  if (!coalesced) {
    append(page);
    return slots_[youngest_].page;
  }
  CoalescedPage& old = slots_[kept->second].page;
  const bool covers_all = page.first_byte <= old.first_byte && old.end_byte <= page.end_byte;
  const bool apart = page.end_byte < old.first_byte || old.end_byte < page.first_byte;
  const std::uint64_t kept_bytes = covers_all ? 0 : old.end_byte - old.first_byte;
  const std::uint64_t new_bytes = page.end_byte - page.first_byte;
  old.stored = static_cast<std::uint16_t>((kept_bytes * old.stored + new_bytes * page.stored) / (kept_bytes + new_bytes));
  old.hole = !covers_all && (old.hole != 0 || apart) ? 1 : 0;
  old.first_byte = std::min(old.first_byte, page.first_byte);
  old.end_byte = std::max(old.end_byte, page.end_byte);
  old.fingerprint = page.fingerprint;  // known only if one write covers the page
  old.version = page.version;
  old.stream = page.stream;
  return old;
}

const CoalescedPage* CoalescingBuffer::find(Lpn lpn) const {
  const auto kept = place_.find(number(lpn));
  return kept == place_.end() ? nullptr : &slots_[kept->second].page;
}

std::optional<CoalescedPage> CoalescingBuffer::take(Lpn lpn) {
  const auto kept = place_.find(number(lpn));
  if (kept == place_.end()) return std::nullopt;
  return remove(kept->second);
}

CoalescedPage CoalescingBuffer::take_oldest() {
  FTLAB_CHECK(oldest_ != kNone, "no page is held");
  return remove(oldest_);
}

std::vector<CoalescedPage> CoalescingBuffer::in_order() const {
  std::vector<CoalescedPage> pages;
  for (std::uint32_t slot = oldest_; slot != kNone; slot = slots_[slot].younger) pages.push_back(slots_[slot].page);
  return pages;
}

void CoalescingBuffer::append(const CoalescedPage& page) {
  FTLAB_DCHECK(find(page.lpn) == nullptr, "page " + std::to_string(number(page.lpn)) + " is held twice");
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  slots_[slot] = {page, youngest_, kNone};
  (youngest_ == kNone ? oldest_ : slots_[youngest_].younger) = slot;
  youngest_ = slot;
  place_[number(page.lpn)] = slot;
}

CoalescedPage CoalescingBuffer::remove(std::uint32_t slot) {
  FTLAB_DCHECK(slot < slots_.size(), "a page is taken out that is not held");
  const Slot gone = slots_[slot];
  (gone.older == kNone ? oldest_ : slots_[gone.older].younger) = gone.younger;
  (gone.younger == kNone ? youngest_ : slots_[gone.younger].older) = gone.older;
  place_.erase(number(gone.page.lpn));
  free_.push_back(slot);
  return gone.page;
}

}  // namespace ftlab
