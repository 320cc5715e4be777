#include "ftl/gc/packed_reads.h"
#include "models/nand/array/data_slots.h"

namespace ftlab {

Signal PackedReads::read(std::uint32_t position) {
  FTLAB_DCHECK(victim_.carries_page(position), "a part of a compressed page is read as if it was one");
  if (!once_) read_until_ = 0;
  Signal all = kNoSignal;
  const Ppn ppn{number(layout_.first_page(victim_.block())) + position};
  reader_.each_part(ppn, [&](std::uint32_t stripe, std::uint32_t) {
    if (stripe >= read_until_) read_stripe(stripe);
    if (all == kNoSignal) {  // the only part of most pages
      all = read_last_;
      return;
    }
    Signal both = kNoSignal;
    work_.feed_signal_from(all, both);
    work_.feed_signal_from(read_last_, both);
    all = both;
  });
  return all;
}

void PackedReads::read_stripe(std::uint32_t stripe) {
  std::uint32_t slots = 0;
  const std::uint32_t first = stripe * layout_.pages_per_stripe();
  for (std::uint32_t p = first; p < first + layout_.pages_per_stripe(); ++p)
    slots += store_.pages().current().test(victim_.block(), p);
  FTLAB_DCHECK(slots > 0, "a stripe is read for relocation that holds nothing current");
  const std::uint32_t bytes = slots * (layout_.slot_bytes() / layout_.stripes_per_page());
  const FlashRead read = reader_.read(victim_.block(), stripe, pages_with_part_in(stripe), bytes);
  read_last_ = kNoSignal;
  if (work_.listed()) reader_.raise(read, read_last_);
  read_until_ = stripe + 1;
}

// Last slots of the victim's valid pages that have a part in the stripe; the last page may end beyond it.
std::vector<std::uint32_t> PackedReads::pages_with_part_in(std::uint32_t stripe) const {
  std::vector<std::uint32_t> pages;
  if (!reader_.has_error_model()) return pages;  // not used
  bool continues = false;
  std::uint32_t position = stripe * layout_.pages_per_stripe();
  for (const std::uint32_t end = position + layout_.pages_per_stripe(); position < end; ++position) {
    if (!store_.pages().current().test(victim_.block(), position)) continue;
    continues = !victim_.carries_page(position);
    if (!continues) pages.push_back(position);
  }
  if (!continues) return pages;
  position = DataSlots(layout_).after(position - 1);
  while (!victim_.carries_page(position)) position = DataSlots(layout_).after(position);
  pages.push_back(position);
  return pages;
}

}  // namespace ftlab
