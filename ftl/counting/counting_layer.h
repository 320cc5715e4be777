// A translation layer that counts and does not place: it knows in which superblock each page is, and nothing else. That is
// all that write amplification needs where all data go behind one frontier. There a victim's current pages fill the
// beginning of the next open superblock and the host fills its rest, so that they stay together: whether they keep the
// number of their superblock or get the one of another makes no difference to whoever does not look at slots or at wear.
// Here they keep it. Relocation then touches no page at all, and a host write one entry of a table of 2 or 4 bytes a page.
//
// The same requests under the same policy give the same counts as Ftl gives on superblocks of one page a stripe, collected
// when the last free one is needed: counting_layer_test.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "ftl/blocks/blocks.h"
#include "ftl/config.h"
#include "ftl/gc/gc_policy.h"
#include "models/nand/array/medium.h"
#include "sim/core/prefetch.h"
#include "sim/core/random.h"

namespace ftlab {

// `Entry`: holds the number of every superblock, and one more.
template <class Entry>
class CountingLayer {
 public:
  static constexpr Entry kNowhere = static_cast<Entry>(~Entry{0});

  // Empty. A superblock is collected when no more than `reserve` are free. REQUIRES: one pool; a policy that neither looks
  // at wear nor at the numbers of superblocks, as all that have a formula.
  CountingLayer(const FtlConfig& config, const Layout& layout, std::uint32_t logical_pages, std::uint64_t seed,
                std::uint32_t reserve);

  void write(Lpn lpn) {
    if (room_ == 0) [[unlikely]]
      make_room();
    Entry& entry = map_[number(lpn)];
    if (entry == kNowhere) [[unlikely]]
      ++mapped_;
    else
      blocks_.lose_page(SuperblockId{entry});
    entry = static_cast<Entry>(number(open_));
    blocks_.gain_page(open_);
    ++pages_appended_;
    ++host_pages_;
    if (--room_ == 0) [[unlikely]]
      blocks_.close(open_, pages_appended_);
  }
  void trim(Lpn lpn) {
    Entry& entry = map_[number(lpn)];
    if (entry == kNowhere) return;
    blocks_.lose_page(SuperblockId{entry});
    entry = kNowhere;
    --mapped_;
  }
  void prefetch(Lpn lpn) const { prefetch_to_write(&map_[number(lpn)]); }

  bool mapped(Lpn lpn) const { return map_[number(lpn)] != kNowhere; }
  // REQUIRES: mapped(lpn).
  SuperblockId superblock_of(Lpn lpn) const {
    FTLAB_DCHECK(mapped(lpn), "page " + std::to_string(number(lpn)) + " lies in no superblock");
    return SuperblockId{map_[number(lpn)]};
  }
  // The one that the host writes into, which has so much room left; when it has none, it is closed.
  SuperblockId open() const { return open_; }
  std::uint32_t room() const { return room_; }
  // Where a superblock would lie by now if its pages had been moved, as those of a whole layer are, and how often has been
  // erased what lies there.
  SuperblockId place_of(SuperblockId block) const { return places_[number(block)]; }
  std::uint32_t erases_at(SuperblockId block) const { return erased_[number(block)]; }
  std::uint32_t mapped_pages() const { return mapped_; }
  std::uint64_t pages_appended() const { return pages_appended_; }  // by host and relocation
  std::uint64_t host_pages() const { return host_pages_; }
  std::uint64_t erases() const { return collected_; }
  const Blocks& blocks() const { return blocks_; }

 private:
  // Victims without a stale page that the policy may name in a row, for each closed one, before it is overruled.
  static constexpr std::uint64_t kMostFutile = 64;
  void make_room();
  void take_place() {
    places_[number(open_)] = free_places_.front();
    free_places_.pop_front();
  }
  SuperblockId choose_victim();
  SuperblockId emptiest() const;

  Blocks blocks_;
  Column<Entry> map_;
  Column<std::uint32_t> erases_;  // that policies may look at; none is counted
  Column<SuperblockId> places_;
  Column<std::uint32_t> erased_;
  std::deque<SuperblockId> free_places_;  // the first is taken next
  std::unique_ptr<GcPolicy> policy_;
  RandomStream random_;
  std::uint32_t reserve_;
  std::uint32_t pages_per_superblock_;
  SuperblockId open_ = kNoBlock;
  std::uint32_t room_ = 0;  // behind the frontier
  std::uint32_t mapped_ = 0;
  std::uint64_t pages_appended_ = 0;
  std::uint64_t host_pages_ = 0;
  std::uint64_t collected_ = 0;
  std::uint64_t futile_ = 0;
};

// Whether two bytes hold the number of each of so many superblocks; what a page then takes in the map.
constexpr bool small_entries(std::uint64_t superblocks) { return superblocks < CountingLayer<std::uint16_t>::kNowhere; }
constexpr std::uint64_t entry_bytes(std::uint64_t superblocks) {
  return small_entries(superblocks) ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
}

extern template class CountingLayer<std::uint16_t>;
extern template class CountingLayer<std::uint32_t>;

}  // namespace ftlab
