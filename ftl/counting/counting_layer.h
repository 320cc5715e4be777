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
#include <memory>

#include "ftl/blocks/blocks.h"
#include "ftl/config.h"
#include "ftl/policies/gc_policy.h"
#include "models/nand/array/medium.h"
#include "sim/core/prefetch.h"
#include "sim/core/random.h"

namespace ftlab {

// `Entry`: holds the number of every superblock, and one more.
template <class Entry>
class CountingLayer {
 public:
  static constexpr Entry kNowhere = static_cast<Entry>(~Entry{0});

  // Empty. A superblock is collected when no more than the reserve is free. REQUIRES: one pool; a policy that neither looks
  // at wear nor at the numbers of superblocks, as all that have a formula.
  CountingLayer(const FtlConfig& config, const Layout& layout, std::uint32_t logical_pages, std::uint64_t seed);

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
  std::uint32_t mapped_pages() const { return mapped_; }
  std::uint64_t pages_appended() const { return pages_appended_; }  // by host and relocation
  std::uint64_t host_pages() const { return host_pages_; }
  std::uint64_t erases() const { return collected_; }

 private:
  void make_room();
  SuperblockId choose_victim();

  Blocks blocks_;
  Column<Entry> map_;
  Column<std::uint32_t> erases_;  // that policies may look at; none is counted
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
