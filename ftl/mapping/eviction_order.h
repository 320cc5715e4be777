// Order in which the units of a map cache are evicted. Each cache slot is in one of three lists, from the oldest to the
// newest: probation, protected (segmented LRU only), or free.
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

enum class MapEviction : std::uint8_t {
  lru,
  segmented_lru,  // loaded units start on probation; a hit protects a unit, but no more than half of the capacity.
                  // Evicts the oldest on probation, else the oldest protected: prefetching may need much room
  fifo,           // order of loading; hits do not count
  clean_first     // first clean one of the `clean_window` least recently used, else the least recently used
};

class EvictionOrder {
 public:
  EvictionOrder(MapEviction eviction, std::uint32_t clean_window, std::uint32_t capacity)
      : eviction_(eviction), clean_window_(clean_window), capacity_(capacity), nodes_(std::size_t{capacity} + kLists) {
    for (std::uint32_t list = 0; list < kLists; ++list) nodes_[end(list)] = {end(list), end(list), list};
    for (std::uint32_t slot = capacity; slot-- > 0;) link(slot, kFree);
  }

  std::uint32_t used() const { return length_[kProbation] + length_[kProtected]; }
  // Takes a free slot, as the newest on probation. REQUIRES: a slot is free.
  std::uint32_t enter() {
    FTLAB_CHECK(length_[kFree] > 0, "an entry is loaded into a map cache that is full");
    const std::uint32_t slot = nodes_[end(kFree)].older;
    move(slot, kProbation);
    return slot;
  }
  void leave(std::uint32_t slot) { move(slot, kFree); }
  // Records a hit. Beyond half the capacity, the oldest protected slot returns to probation, as its newest.
  void touch(std::uint32_t slot) {
    if (eviction_ == MapEviction::fifo) return;
    move(slot, eviction_ == MapEviction::segmented_lru ? kProtected : kProbation);
    if (length_[kProtected] > capacity_ / 2) move(nodes_[end(kProtected)].newer, kProbation);
  }
  // Slot whose unit is evicted next. Calls is_dirty(slot). REQUIRES: used() > 0.
  template <class IsDirty>
  std::uint32_t victim(IsDirty&& is_dirty) const {
    FTLAB_CHECK(used() > 0, "nothing in the map cache can be evicted");
    const std::uint32_t oldest = nodes_[end(length_[kProbation] > 0 ? kProbation : kProtected)].newer;
    if (eviction_ != MapEviction::clean_first) return oldest;
    std::uint32_t slot = oldest;
    for (std::uint32_t step = 0; step < clean_window_ && slot < capacity_; ++step, slot = nodes_[slot].newer)
      if (!is_dirty(slot)) return slot;
    return oldest;
  }
  // Visits all used slots, those evicted first at the beginning: probation, then protected.
  template <class Visit>
  void each_used(Visit&& visit) const {
    for (const std::uint32_t list : {kProbation, kProtected})
      for (std::uint32_t slot = nodes_[end(list)].newer; slot < capacity_; slot = nodes_[slot].newer) visit(slot);
  }

  // Checks consistency. O(capacity).
  void inspect() const {
    FTLAB_CHECK(length_[kProtected] <= capacity_ / 2, "the map cache protects more than half of its budget");
    for (std::uint32_t list = 0; list < kLists; ++list) {
      std::uint32_t count = 0, before = end(list);
      for (std::uint32_t slot = nodes_[before].newer; slot != end(list); slot = nodes_[slot].newer, ++count) {
        FTLAB_CHECK(count < length_[list] && slot < capacity_, "a list of the map cache holds more than its units");
        FTLAB_CHECK(nodes_[slot].older == before, "a list of the map cache is torn");
        FTLAB_CHECK(nodes_[slot].list == list, "a unit stands in the wrong list of the map cache");
        before = slot;
      }
      FTLAB_CHECK(nodes_[end(list)].older == before, "a list of the map cache is torn");
      FTLAB_CHECK(count == length_[list], "a list of the map cache has lost units");
    }
  }

  template <class A>
  void archive(A& archive) {
    archive.column(nodes_);
    archive.value(length_);
  }

 private:
  friend struct BrokenDrive;
  static constexpr std::uint32_t kProbation = 0, kProtected = 1, kFree = 2, kLists = 3;
  // Links are slot numbers. Each list has an end node, numbered after all slots, that links to its oldest and newest slot.
  struct Node {
    std::uint32_t newer = 0, older = 0, list = 0;
  };

  std::uint32_t end(std::uint32_t list) const { return capacity_ + list; }
  void link(std::uint32_t slot, std::uint32_t list) {
    const std::uint32_t newest = nodes_[end(list)].older;
    nodes_[slot] = {end(list), newest, list};
    nodes_[newest].newer = nodes_[end(list)].older = slot;
    ++length_[list];
  }
  void move(std::uint32_t slot, std::uint32_t list) {
    const Node node = nodes_[slot];
    nodes_[node.newer].older = node.older;
    nodes_[node.older].newer = node.newer;
    --length_[node.list];
    link(slot, list);
  }

  MapEviction eviction_;
  std::uint32_t clean_window_, capacity_;
  Column<Node> nodes_;
  std::array<std::uint32_t, kLists> length_{};
};

}  // namespace ftlab
