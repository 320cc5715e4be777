// Where every page lies: the mapping table, the valid slots, and their number per superblock. The parts of PageStore that
// move pages change all three through these functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/blocks/frontier.h"
#include "ftl/blocks/valid_bits.h"
#include "ftl/mapping/page_map.h"
#include "ftl/write/stage.h"
#include "models/nand/reliability/media_errors.h"

namespace ftlab {

class PageTable {
 public:
  // `largest_page`: most slots of a mapping page; 1 unless the drive compresses. REQUIRES: all outlive it.
  PageTable(PageMap map, Blocks& blocks, const Medium& medium, const std::vector<Frontier>& frontiers,
            const std::vector<Stage>& stages, MediaErrors* errors, std::uint32_t largest_page)
      : map_(std::move(map)),
        layout_(medium.layout()),
        current_(layout_),
        blocks_(blocks),
        medium_(medium),
        frontiers_(frontiers),
        stages_(stages),
        errors_(errors),
        largest_page_(largest_page) {}

  const PageMap& map() const { return map_; }
  const ValidBits& current() const { return current_; }
  std::uint32_t mapped() const { return mapped_; }            // logical pages
  Version newest_version() const { return newest_version_; }  // newest host write, in the flash or staged
  std::uint32_t largest_page() const { return largest_page_; }
  // True if the page is still in RAM: a read of it does not use the die.
  bool staged(Ppn ppn) const { return layout_.position(ppn) >= medium_.superblocks().programmed(layout_.block_of(ppn)); }
  // The page whose last slot is `ppn`, staged or in the flash.
  StagedPage at(Ppn ppn) const {
    return staged(ppn) ? staged_at(ppn)
                       : StagedPage{medium_.pages().lpn(ppn), medium_.pages().version(ppn), medium_.pages().slots(ppn)};
  }
  // True if the content of this copy is lost: reads of it fail until the page is rewritten.
  bool lost(Ppn ppn) const { return errors_ != nullptr && errors_->lost().has(ppn); }
  const MediaErrors* errors() const { return errors_; }
  void mark_lost(Ppn ppn) {
    FTLAB_DCHECK(errors_ != nullptr && ppn != kNoPpn, "a page is lost of a flash that does not err, or of none");
    errors_->mark(ppn);
  }

  void note_version(Version version) {
    if (number(version) > number(newest_version_)) newest_version_ = version;
  }
  // Makes the slot valid. `lpn`: the page whose last slot it is, which is mapped to it; kNoLpn if it is not a last one.
  [[gnu::always_inline]] void gain(SuperblockId block, std::uint32_t position, Lpn lpn) {
    if (lpn != kNoLpn) map_.set(lpn, Ppn{number(layout_.first_page(block)) + position});
    current_.set(block, position);
    blocks_.gain_pages(block);
  }
  // Makes the slot stale.
  [[gnu::always_inline]] void lose(SuperblockId block, std::uint32_t position) {
    current_.clear(block, position);
    blocks_.lose_pages(block);
  }
  // The content of `lpn` is being replaced: makes its old slots stale and counts it as mapped. Returns the old PPN.
  // `one_slot`: all pages of this drive take one slot.
  [[gnu::always_inline]] Ppn replace(Lpn lpn, bool one_slot) {
    const Ppn old = map_.find(lpn);
    if (old == kNoPpn)
      ++mapped_;
    else if (one_slot) [[likely]]
      lose(layout_.block_of(old), layout_.position(old));
    else
      lose_slots(old);
    return old;
  }
  // Like replace() and gain(), for `count` pages in order of one slot each, which go to slots in order from `position`
  // on. Calls stale(ppn) for each run of old slots.
  template <class Stale>
  [[gnu::always_inline]] void replace_in_order(Lpn first, std::uint32_t count, SuperblockId to, std::uint32_t position,
                                               Stale&& stale);
  // Unmaps the page. No-op if it is not mapped.
  void unmap(Lpn lpn) {
    if (map_.find(lpn) == kNoPpn) return;
    replace(lpn, largest_page_ == 1);
    map_.clear(lpn);
    --mapped_;
  }
  // Moves single-slot pages at `positions` of `from`, which is being collected, to consecutive positions of `to`, starting
  // at `first`. `sorted`: positions are ascending and include every valid page between the first and the last.
  void move(std::span<const Lpn> lpns, SuperblockId from, std::span<const std::uint32_t> positions, SuperblockId to,
            std::uint32_t first, bool sorted);
  // Power-on: maps the page to this copy on the medium, in place of an older one.
  void take_up(Lpn lpn, Ppn ppn);
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    newest_version_ = number_of(Lpn{0}, newest_version_);
  }

  template <class A>
  void archive(A& archive) {
    map_.archive(archive);
    current_.archive(archive);
    archive.value(mapped_);
    archive.value(newest_version_);
  }

 private:
  friend struct BrokenDrive;
  void lose_slots(Ppn last);
  StagedPage staged_at(Ppn ppn) const;

  PageMap map_;
  Layout layout_;
  ValidBits current_;
  Blocks& blocks_;
  const Medium& medium_;
  const std::vector<Frontier>& frontiers_;
  const std::vector<Stage>& stages_;
  MediaErrors* errors_;
  std::uint32_t largest_page_;
  std::uint32_t mapped_ = 0;
  Version newest_version_{0};
};

template <class Stale>
[[gnu::always_inline]] inline void PageTable::replace_in_order(Lpn first, std::uint32_t count, SuperblockId to,
                                                              std::uint32_t position, Stale&& stale) {
  for (std::uint32_t i = 0, run = 1; i < count; i += run, run = 1) {
    const Ppn old = map_.find(Lpn{number(first) + i});
    if (old == kNoPpn) {
      ++mapped_;
      continue;
    }
    const std::uint32_t at = layout_.position(old);
    const std::uint32_t most = std::min(count - i, layout_.pages_per_superblock() - at);
    while (run < most && map_.find(Lpn{number(first) + i + run}) == Ppn{number(old) + run}) ++run;
    current_.clear_run(layout_.block_of(old), at, run);
    blocks_.lose_pages(layout_.block_of(old), run);
    stale(old);
  }
  const Ppn slot{number(layout_.first_page(to)) + position};
  for (std::uint32_t i = 0; i < count; ++i) map_.set(Lpn{number(first) + i}, Ppn{number(slot) + i});
  current_.set_run(to, position, count);
  blocks_.gain_pages(to, count);
}

inline void PageTable::move(std::span<const Lpn> lpns, SuperblockId from, std::span<const std::uint32_t> positions,
                            SuperblockId to, std::uint32_t first, bool sorted) {
  const auto count = static_cast<std::uint32_t>(positions.size());
  const Ppn source = layout_.first_page(from), target = layout_.first_page(to);
  map_.move(lpns, source, positions, Ppn{number(target) + first});
  if (sorted)
    current_.clear_between(from, positions.front(), positions.back(), count);
  else
    for (const std::uint32_t position : positions) current_.clear(from, position);
  current_.set_run(to, first, count);
  blocks_.move_pages(from, to, count);
  if (errors_ == nullptr || errors_->lost().count() == 0) [[likely]]
    return;
  for (std::uint32_t i = 0; i < count; ++i)
    if (errors_->lost().has(Ppn{number(source) + positions[i]})) errors_->mark(Ppn{number(target) + first + i});
}

}  // namespace ftlab
