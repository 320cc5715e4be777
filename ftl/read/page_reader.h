// Reads pages from the flash and models bit errors: retries, pages that no retry step can correct, and superblocks that need
// refresh before that happens.
//
// A page beyond correction is rebuilt from the same page of the other stripes of its row, if the superblock has parity, the
// row is complete and all of them can be read. Otherwise it is lost: its copy is marked, and so is every copy that
// relocation makes of it, until the host writes the whole page. Pages of the map itself are assumed to have another source:
// they are counted as uncorrectable, but nothing is lost.
//
// A failing codeword hits all packed pages with a part in it, but no others; a page is lost if one of its codewords is. The
// mark is that of its last slot, which carries its record. Without compression, pages fail as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/read/refresh.h"
#include "models/nand/array/data_slots.h"
#include "models/nand/array/medium.h"
#include "models/nand/reliability/media_errors.h"
#include "models/nand/schedule/work_list.h"

namespace ftlab {

// One read of the array.
struct FlashRead {
  WorkList::Read read;         // the first read, which may need retries
  Signal rebuilt = kNoSignal;  // raised when uncorrectable data were rebuilt from the rest of the row
  bool lost = false;           // some page could be neither corrected nor rebuilt
};

// When data are in the controller: after these reads (consecutive in the work list) and this signal.
struct ReadData {
  WorkList::Read first;
  std::uint32_t reads = 0;
  Signal signal = kNoSignal;
};

class PageReader {
 public:
  // `errors` is null without bit errors. Host pages have the LPNs below `host_lpns` and take up to `largest_page` slots.
  // REQUIRES: all other arguments outlive it.
  PageReader(const Medium& medium, const Blocks& blocks, WorkList& work, MediaErrors* errors, Refresh& refresh,
             std::uint32_t host_lpns, std::uint32_t largest_page)
      : layout_(medium.layout()),
        medium_(medium),
        blocks_(blocks),
        work_(work),
        errors_(errors),
        refresh_(refresh),
        host_lpns_(host_lpns),
        largest_page_(largest_page) {}

  bool has_error_model() const { return errors_ != nullptr; }
  // True if the next `reads` reads of the superblock need no retry.
  bool all_readable(SuperblockId block, std::uint32_t reads) const {
    return errors_ == nullptr || (!errors_->plans_failures() && errors_->all_readable(errors_->worst(block, reads)));
  }
  // Counts the read disturb of a stripe read that the caller lists and counts itself. REQUIRES: all_readable().
  void disturb(SuperblockId block, Die die) {
    if (errors_ != nullptr) errors_->disturb(block, die, 1);
  }
  // Reads the pages at `positions` of a superblock, `bytes` in total, which lie in `stripe`. Packed pages are given by their
  // last slots, and only their parts in the stripe are read. Positions matter only with bit errors. Marks lost pages.
  // REQUIRES: the pages are programmed.
  FlashRead read(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions, std::uint32_t bytes) {
    FTLAB_DCHECK(block != kNoBlock && stripe < layout_.stripe_of(medium_.superblocks().programmed(block)),
                 "a stripe is read for the drive itself that is not programmed");
    if (errors_ != nullptr) return read_with_errors(block, stripe, positions, bytes, WorkList::kNoTag);
    if (!work_.listed()) return count_read(bytes);
    return {work_.read(layout_.die_of(block, stripe), bytes, page_of(block, stripe, positions))};
  }
  // The same for a request of the host, whose read is reported under the tag.
  [[gnu::always_inline]] FlashRead read_for_host(SuperblockId block, std::uint32_t stripe,
                                                 std::span<const std::uint32_t> positions, std::uint32_t bytes,
                                                 std::uint32_t tag) {
    FTLAB_DCHECK(block != kNoBlock && stripe < layout_.stripe_of(medium_.superblocks().programmed(block)),
                 "a stripe is read that is not programmed");
    if (errors_ != nullptr) return read_with_errors(block, stripe, positions, bytes, tag);
    if (!work_.listed()) return count_read(bytes);
    work_.read_for_host(block, layout_.die_of(block, stripe), bytes, tag, [&] { return page_of(block, stripe, positions); });
    return {};
  }
  // Raises the signal with the read and its rebuild. REQUIRES: the work is listed.
  void raise(const FlashRead& read, Signal& data);
  // Reads one page, which may come from several dies, and raises the signal with it.
  void read(Ppn ppn, Signal& data);
  // A page that another page's read of the stripe transfers along: costs nothing, unless it needs a retry.
  void read_with_neighbour(Ppn ppn, Signal& data);
  // Reads whole pages of one stripe, or one page of several stripes.
  ReadData read_to_move(SuperblockId block, std::span<const std::uint32_t> positions);
  // Reads pages of one stripe that stay in the die's register (copyback).
  ReadData read_into_register(SuperblockId block, std::span<const std::uint32_t> positions);
  // Calls part(stripe of the page's superblock, bytes) for each stripe with a part of the page at `ppn`, in order.
  template <class Part>
  void each_part(Ppn ppn, Part&& part) const;

 private:
  template <class Unit>
  void each_unit(SuperblockId block, std::uint32_t stripe, std::uint32_t last, Unit&& unit) const;
  std::uint32_t steps(SuperblockId block, std::uint32_t stripe, std::uint32_t last, const MediaErrors::Rate& rate) const;
  std::vector<std::uint32_t> failed_units(SuperblockId block, std::uint32_t stripe, std::uint32_t last,
                                          const MediaErrors::Rate& rate) const;
  std::uint32_t same_unit(std::uint32_t unit, std::uint32_t stripe, std::uint32_t other) const;
  FlashPage flash_page(SuperblockId block, std::uint32_t stripe, std::uint32_t first, std::uint32_t last) const;
  FlashPage page_of(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions) const;
  FlashRead count_read(std::uint32_t bytes) {
    work_.count_reads(1, work_.count().of_read(bytes));
    return {};
  }
  FlashRead read_with_errors(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions,
                             std::uint32_t bytes, std::uint32_t tag);
  void settle_uncorrectable(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> failed,
                            const MediaErrors::Rate& rate, FlashRead& read);
  bool rebuildable(SuperblockId block, std::uint32_t stripe, std::uint32_t unit) const;
  WorkList::Read read_with_retries(SuperblockId block, Die die, std::uint32_t bytes, const FlashPage& page,
                                   std::uint32_t steps, std::uint32_t tag = WorkList::kNoTag);
  Signal read_rest_of_row(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> units,
                          WorkList::Read failed);

  Layout layout_;
  const Medium& medium_;
  const Blocks& blocks_;
  WorkList& work_;
  MediaErrors* errors_;
  Refresh& refresh_;
  std::uint32_t host_lpns_;
  std::uint32_t largest_page_;
};

template <class Part>
void PageReader::each_part(Ppn ppn, Part&& part) const {
  const std::uint32_t last = layout_.position(ppn);
  if (largest_page_ == 1) {
    const std::uint32_t first = layout_.stripe_of(last), stripes = layout_.stripes_per_page();
    for (std::uint32_t s = first; s < first + stripes; ++s) part(s, layout_.slot_bytes() / stripes);
    return;
  }
  std::uint32_t slots = medium_.pages().slots(ppn);
  std::uint32_t position = last;
  for (std::uint32_t i = 1; i < slots; ++i) position = DataSlots(layout_).before(position);
  while (slots > 0) {
    const std::uint32_t here = std::min(slots, layout_.next_stripe(position) - position);
    part(layout_.stripe_of(position), here * layout_.slot_bytes());
    slots -= here;
    position = layout_.next_stripe(position);
    if (layout_.is_parity(layout_.stripe_of(position))) position = layout_.next_stripe(position);
  }
}

}  // namespace ftlab
