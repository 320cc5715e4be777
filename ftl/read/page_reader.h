// Reads of pages in the flash, and what wrong bits cost: a read that has to be repeated, what becomes of a page that no step
// can correct, and which superblocks are to be written anew before it comes to that.
//
// A page beyond correction is rebuilt from the same page of the other stripes of its row, where the superblock has parity,
// the row is complete and all of them can be read. Otherwise it is lost: its copy is marked, and so is every copy made of it
// by relocation, until the host writes the whole page. Pages of the map itself are held to be known from elsewhere: they are
// counted as uncorrectable, and nothing is lost.
//
// Of packed pages a codeword that fails hits all that have a part in it, but none that lies beside it; a page is lost when
// one of its codewords is. Its mark is that of its last slot, which carries its record. Pages of a drive that does not
// compress fail as a whole.
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
  WorkList::Read read;         // the first one, which may have to be repeated
  Signal rebuilt = kNoSignal;  // what could not be corrected was rebuilt from the rest of the row
  bool lost = false;           // some page could be neither
};

// When data are in the controller: with these reads (numbers in the work list, one after the other) and this signal.
struct ReadData {
  WorkList::Read first;
  std::uint32_t reads = 0;
  Signal signal = kNoSignal;
};

class PageReader {
 public:
  // `errors`: null where no bit is ever wrong. Pages of the host have the logical numbers before `host_lpns`, and take up to
  // `largest_page` slots. REQUIRES: the others outlive it.
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

  bool can_err() const { return errors_ != nullptr; }
  // Whether the next `reads` reads of the superblock need no retry.
  bool all_readable(SuperblockId block, std::uint32_t reads) const {
    return errors_ == nullptr || (!errors_->plans_failures() && errors_->all_readable(errors_->worst(block, reads)));
  }
  // A stripe of such a superblock is read by a caller that lists and counts the read itself. REQUIRES: all_readable().
  void disturb(SuperblockId block, Die die) {
    if (errors_ != nullptr) errors_->disturb(block, die, 1);
  }
  // Reads the pages at `positions` of a superblock, which lie in `stripe`, `bytes` of them. Of packed pages, told by their
  // last slots, the parts that lie there; they are looked at only where cells err. What is lost is marked. REQUIRES: the
  // pages are programmed. `tag`: of the host's request, if it is one.
  FlashRead read(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions, std::uint32_t bytes,
                 std::uint32_t tag = WorkList::kNoTag);
  // Raises the signal with all that belongs to the read. REQUIRES: the work is listed.
  void raise(const FlashRead& read, Signal& data);
  // One page, which may come from several dies; raises the signal with it.
  void read(Ppn ppn, Signal& data);
  // A page that comes with the read of another one of its stripe: costs nothing, unless it has to be read again.
  void read_along(Ppn ppn, Signal& data);
  // Whole pages of one stripe, or one page of several.
  ReadData read_to_move(SuperblockId block, std::span<const std::uint32_t> positions);
  // Pages of one stripe that stay in the die's register (copyback).
  ReadData read_into_register(SuperblockId block, std::span<const std::uint32_t> positions);
  // Each stripe of which the page at `ppn` takes a part, in order: part(stripe of the page's superblock, bytes).
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
  FlashRead read_erring(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions,
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
