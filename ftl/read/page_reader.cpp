#include "ftl/read/page_reader.h"

#include <algorithm>
#include <array>

#include "ftl/blocks/outermost.h"
#include "models/nand/array/data_slots.h"

namespace ftlab {

// Calls unit() for each failure unit (number in MediaErrors) of the page that ends at `last`, in this stripe.
template <class Unit>
void PageReader::each_unit(SuperblockId block, std::uint32_t stripe, std::uint32_t last, Unit&& unit) const {
  if (largest_page_ == 1) return unit(layout_.stripes_per_page() > 1 ? stripe : last);
  const Ppn page{number(layout_.first_page(block)) + last};
  std::uint32_t first = last;  // the page's first slot in the stripe; slots are visited from the last one backwards
  std::uint32_t end = 0;
  DataSlots(layout_).each(last, medium_.pages().slots(page), [&](std::uint32_t position) {
    if (layout_.stripe_of(position) != stripe) return;
    first = position;
    end = std::max(end, position + 1);
  });
  FTLAB_CHECK(end > 0, "page " + std::to_string(number(page)) + " has no part in stripe " + std::to_string(stripe));
  for (std::uint32_t u = errors_->packed_units().first(first); u <= errors_->packed_units().last(end - 1); ++u) unit(u);
}

// Retry steps of the weakest unit.
std::uint32_t PageReader::steps(SuperblockId block, std::uint32_t stripe, std::uint32_t last,
                                const MediaErrors::Rate& rate) const {
  std::uint32_t most = 0;
  each_unit(block, stripe, last, [&](std::uint32_t unit) { most = std::max(most, errors_->steps(block, unit, rate)); });
  return most;
}

std::vector<std::uint32_t> PageReader::failed_units(SuperblockId block, std::uint32_t stripe, std::uint32_t last,
                                                    const MediaErrors::Rate& rate) const {
  std::vector<std::uint32_t> failed;
  each_unit(block, stripe, last, [&](std::uint32_t unit) {
    if (errors_->steps(block, unit, rate) == errors_->uncorrectable()) failed.push_back(unit);
  });
  return failed;
}

// The corresponding unit in another stripe of the row.
std::uint32_t PageReader::same_unit(std::uint32_t unit, std::uint32_t stripe, std::uint32_t other) const {
  const std::uint32_t pages = layout_.pages_per_stripe();
  const std::uint32_t units = largest_page_ == 1 ? pages : errors_->packed_units().last(pages - 1) + 1;
  return unit + other * units - stripe * units;
}

// Array pages to read for slots `first` to `last`, or for as many units. With packed pages the whole stripe is read.
FlashPage PageReader::flash_page(SuperblockId block, std::uint32_t stripe, std::uint32_t first, std::uint32_t last) const {
  const std::uint32_t pages = layout_.pages_per_stripe();
  if (largest_page_ > 1) first = stripe * pages, last = first + pages - 1;  // all planes
  FlashPage page = layout_.flash_page(block, stripe, first, last);
  page.slc = medium_.superblocks().pslc(block);
  return page;
}

FlashPage PageReader::page_of(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions) const {
  const Outermost all = largest_page_ > 1 ? Outermost{0, 0} : outermost(positions);
  return flash_page(block, stripe, all.first, all.last);
}

FlashRead PageReader::read_with_errors(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions,
                                       std::uint32_t bytes, std::uint32_t tag) {
  FTLAB_DCHECK(!positions.empty(), "a read of no page");
  const Die die = layout_.die_of(block, stripe);
  const Outermost all = outermost(positions);
  if (errors_->plans_failures()) [[unlikely]] {
    std::uint32_t first = 0xffff'ffff;
    each_unit(block, stripe, positions.front(), [&first](std::uint32_t unit) { first = std::min(first, unit); });
    errors_->begin_read(block, first);
  }
  const MediaErrors::Rate rate = errors_->rate(block, stripe, die);
  const auto worth_refresh = [&](std::uint32_t steps) {
    return refresh_.wants(rate, steps) && blocks_.state(block) == BlockState::closed;
  };
  if (errors_->all_readable(rate)) {
    if (worth_refresh(0)) refresh_.enqueue_refresh(block, blocks_.columns().pool[number(block)]);
    return {read_with_retries(block, die, bytes, flash_page(block, stripe, all.first, all.last), 0, tag)};
  }
  std::vector<std::uint32_t> failed;
  bool lost_before = false;
  std::uint32_t most = 0;
  for (const std::uint32_t position : positions) {
    if (errors_->lost().has(Ppn{number(layout_.first_page(block)) + position})) {  // marked as lost: no retry
      lost_before = true;
      continue;
    }
    const std::uint32_t needed = steps(block, stripe, position, rate);
    most = std::max(most, needed);
    if (needed == errors_->uncorrectable()) failed.push_back(position);
  }
  if (worth_refresh(most)) refresh_.enqueue_refresh(block, blocks_.columns().pool[number(block)]);
  FlashRead read{read_with_retries(block, die, bytes, flash_page(block, stripe, all.first, all.last),
                                   std::min(most, errors_->uncorrectable() - 1)),
                 kNoSignal, lost_before};
  if (tag != WorkList::kNoTag && work_.listed()) read.read.for_host(tag);
  if (!failed.empty()) settle_uncorrectable(block, stripe, failed, rate, read);
  return read;
}

WorkList::Read PageReader::read_with_retries(SuperblockId block, Die die, std::uint32_t bytes, const FlashPage& page,
                                             std::uint32_t steps, std::uint32_t tag) {
  const std::uint32_t repeated = errors_->retry_cost(steps).array_reads;
  WorkList::Read read;
  if (tag == WorkList::kNoTag || steps > 0)
    read = work_.read(die, bytes, page);
  else
    work_.read_for_host(block, die, bytes, tag, [&page] { return page; });
  if (steps > 0) work_.repeat(read, repeated, bytes, errors_->retry_cost(steps).overhead);
  errors_->count({.retries = steps});
  errors_->disturb(block, die, 1 + repeated);
  return read;
}

// Raises the signal with the read and its rebuild.
void PageReader::raise(const FlashRead& read, Signal& data) {
  FTLAB_DCHECK(work_.listed(), "a signal of a read that is only counted");
  if (read.rebuilt == kNoSignal) return read.read.raise(data);
  work_.feed_signal_from(read.rebuilt, data);
}

// Rebuilds units if possible, otherwise marks their pages as lost.
void PageReader::settle_uncorrectable(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> failed,
                                      const MediaErrors::Rate& rate, FlashRead& read) {
  std::vector<std::uint32_t> rebuilt;
  for (const std::uint32_t position : failed) {
    const Ppn ppn{number(layout_.first_page(block)) + position};
    const std::vector<std::uint32_t> units = failed_units(block, stripe, position, rate);
    errors_->count({.uncorrectable_pages = 1});
    const bool all =
        std::all_of(units.begin(), units.end(), [&](std::uint32_t unit) { return rebuildable(block, stripe, unit); });
    if (all) {
      rebuilt.insert(rebuilt.end(), units.begin(), units.end());
      errors_->count({.rebuilt_pages = 1});
    } else if (number(medium_.pages().lpn(ppn)) < host_lpns_) {
      errors_->mark(ppn);
      errors_->count({.lost_pages = 1});
      read.lost = true;
    }
  }
  if (rebuilt.empty()) return;
  std::sort(rebuilt.begin(), rebuilt.end());
  rebuilt.erase(std::unique(rebuilt.begin(), rebuilt.end()), rebuilt.end());  // packed pages share codewords
  read.rebuilt = read_rest_of_row(block, stripe, rebuilt, read.read);
}

// Units of a row have the same number within their stripes. A page that is marked as lost cannot be used. Packed pages need
// no mark: their cells still have the errors.
bool PageReader::rebuildable(SuperblockId block, std::uint32_t stripe, std::uint32_t unit) const {
  if (!layout_.has_parity()) return false;
  const std::uint32_t pages = layout_.pages_per_stripe();
  const std::uint32_t dies = layout_.dies_per_superblock();
  const std::uint32_t first = stripe / dies * dies;
  if ((first + dies) * pages > medium_.superblocks().programmed(block)) return false;  // not programmed
  if (errors_->lost().has(Ppn{number(layout_.first_page(block)) + (first + dies - 1) * pages})) return false;  // no parity
  for (std::uint32_t other = first; other < first + dies; ++other) {
    if (other == stripe) continue;
    const std::uint32_t same = same_unit(unit, stripe, other);
    const bool marked = largest_page_ == 1 && errors_->lost().has(Ppn{number(layout_.first_page(block)) + same});
    const MediaErrors::Rate rate = errors_->rate(block, other, layout_.die_of(block, other));
    if (marked || errors_->steps(block, same, rate) == errors_->uncorrectable()) return false;
  }
  return true;
}

// Reads all other dies at once after the failed read, with the retries that their units need. Returns their common signal.
Signal PageReader::read_rest_of_row(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> units,
                                    WorkList::Read failed) {
  const std::uint32_t dies = layout_.dies_per_superblock();
  const std::uint32_t unit_bytes = largest_page_ == 1 ? layout_.slot_bytes() : errors_->packed_units().bytes();
  const auto bytes = static_cast<std::uint32_t>(units.size()) * unit_bytes;
  const std::uint32_t first = stripe / dies * dies;
  const Outermost all = outermost(units);
  Signal done = kNoSignal, tried = kNoSignal;
  if (work_.listed()) failed.raise(tried);
  for (std::uint32_t other = first; other < first + dies; ++other) {
    if (other == stripe) continue;
    const Die die = layout_.die_of(block, other);
    const MediaErrors::Rate rate = errors_->rate(block, other, die);
    std::uint32_t most = 0;
    for (const std::uint32_t unit : units)
      most = std::max(most, errors_->steps(block, same_unit(unit, stripe, other), rate));
    const FlashPage page = flash_page(block, other, same_unit(all.first, stripe, other), same_unit(all.last, stripe, other));
    const WorkList::Read read = read_with_retries(block, die, bytes, page, std::min(most, errors_->uncorrectable() - 1));
    if (!work_.listed()) continue;
    read.after(tried);
    read.raise(done);
  }
  return done;
}

ReadData PageReader::read_to_move(SuperblockId block, std::span<const std::uint32_t> positions) {
  FTLAB_DCHECK(!positions.empty(), "an empty list of pages is moved");
  const std::uint32_t first = layout_.stripe_of(positions.front());
  const auto bytes = static_cast<std::uint32_t>(positions.size()) * (layout_.slot_bytes() / layout_.stripes_per_page());
  ReadData data;
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe) {
    const FlashRead one = read(block, stripe, positions, bytes);
    if (!work_.listed()) continue;
    if (one.rebuilt == kNoSignal && (data.reads == 0 || one.read == data.first + data.reads)) {
      if (data.reads++ == 0) data.first = one.read;
    } else {  // rebuilt, or not consecutive in the work list
      raise(one, data.signal);
    }
  }
  return data;
}

ReadData PageReader::read_into_register(SuperblockId block, std::span<const std::uint32_t> positions) {
  FTLAB_DCHECK(layout_.stripes_per_page() == 1, "copyback of pages that take several stripes");
  FTLAB_DCHECK(!positions.empty(), "copyback of no page");
  const std::uint32_t stripe = layout_.stripe_of(positions.front());
  const auto bytes = static_cast<std::uint32_t>(positions.size()) * (layout_.slot_bytes() / layout_.stripes_per_page());
  const Outermost all = outermost(positions);
  const FlashPage page = flash_page(block, stripe, all.first, all.last);
  return {work_.read(layout_.die_of(block, stripe), bytes, page, true), work_.listed() ? 1u : 0u, kNoSignal};
}

void PageReader::read(Ppn ppn, Signal& data) {
  const std::uint32_t position = layout_.position(ppn);
  each_part(ppn, [&](std::uint32_t stripe, std::uint32_t bytes) {
    const FlashRead part = read(layout_.block_of(ppn), stripe, std::array{position}, bytes);
    if (work_.listed()) raise(part, data);
  });
}

void PageReader::read_with_neighbour(Ppn ppn, Signal& data) {
  if (errors_ == nullptr || errors_->lost().has(ppn)) return;
  const SuperblockId block = layout_.block_of(ppn);
  const std::uint32_t position = layout_.position(ppn);
  const std::uint32_t stripe = layout_.stripe_of(position);
  const MediaErrors::Rate rate = errors_->rate(block, stripe, layout_.die_of(block, stripe));
  FTLAB_DCHECK(largest_page_ == 1 && layout_.stripes_per_page() == 1, "a page is read along that is more than one unit");
  if (errors_->steps(block, position, rate) > 0) read(ppn, data);
}

}  // namespace ftlab
