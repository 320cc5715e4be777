// Slots of a map cache with changed units, by translation page: one write of the page cleans all of them.
#pragma once

#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

class DirtyUnits {
 public:
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  DirtyUnits(std::uint32_t slots, std::uint32_t pages) : nodes_(slots), first_(pages, kNone) {}

  bool has(std::uint32_t slot) const { return nodes_[slot].before != kClean; }
  std::uint32_t count() const { return count_; }
  std::uint32_t pages() const { return static_cast<std::uint32_t>(first_.size()); }
  // A dirty slot of the page; kNone if all are clean.
  std::uint32_t first(std::uint32_t page) const { return first_[page]; }

  // No-op if the slot is dirty already.
  void add(std::uint32_t slot, std::uint32_t page) {
    if (has(slot)) return;
    FTLAB_DCHECK(page < first_.size() && count_ < nodes_.size(), "more units are dirty than there are");
    nodes_[slot] = {kNone, first_[page]};
    if (first_[page] != kNone) nodes_[first_[page]].before = slot;
    first_[page] = slot;
    ++count_;
  }
  // REQUIRES: has(slot).
  void remove(std::uint32_t slot, std::uint32_t page) {
    FTLAB_DCHECK(has(slot) && count_ > 0, "a unit is cleaned that is not dirty");
    const Node gone = nodes_[slot];
    (gone.before == kNone ? first_[page] : nodes_[gone.before].after) = gone.after;
    if (gone.after != kNone) nodes_[gone.after].before = gone.before;
    nodes_[slot] = {};
    --count_;
  }

  // Checks consistency. page_of(slot) returns its translation page. O(slots + pages).
  template <class PageOf>
  void inspect(PageOf&& page_of) const {
    std::uint32_t listed = 0, dirty = 0;
    for (std::uint32_t page = 0; page < pages(); ++page) {
      std::uint32_t before = kNone;
      for (std::uint32_t slot = first_[page]; slot != kNone; before = slot, slot = nodes_[slot].after, ++listed) {
        FTLAB_CHECK(listed < count_ && has(slot), "more dirty units are listed than were made dirty");
        FTLAB_CHECK(page_of(slot) == page, "a dirty unit is listed under another translation page");
        FTLAB_CHECK(nodes_[slot].before == before, "a list of dirty units is torn");
      }
    }
    FTLAB_CHECK(listed == count_, "a dirty unit belongs to no translation page");
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) dirty += has(slot);
    FTLAB_CHECK(dirty == count_, "a dirty unit is not listed");
  }

  template <class A>
  void archive(A& archive) {
    archive.column(nodes_);
    archive.column(first_);
    archive.value(count_);
  }

 private:
  friend struct BrokenDrive;
  static constexpr std::uint32_t kClean = kNone - 1;
  struct Node {
    std::uint32_t before = kClean, after = kNone;  // slots of the same translation page
  };

  Column<Node> nodes_;           // by slot
  Column<std::uint32_t> first_;  // by translation page
  std::uint32_t count_ = 0;
};

}  // namespace ftlab
