// A translation layer that counts but does not place: it knows only which superblock holds each page. Write amplification
// needs no more if all data go to one frontier. There, a victim's valid pages fill the start of the next open superblock and
// the host fills the rest, so relocated pages stay together. It makes no difference if they keep the number of their
// superblock or get another one, unless slots or wear matter. Here they keep it. Relocation then touches no page at all, and
// a host write one entry of a table of 2 or 4 bytes a page.
//
// The same requests and policy give the same counts as Ftl with superblocks of one page per stripe that collects when the
// last free one is needed: see counting_layer_test.
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

// `Entry` must be able to hold the number of every superblock, and kNowhere.
template <class Entry>
class CountingLayer {
 public:
  static constexpr Entry kNowhere = static_cast<Entry>(~Entry{0});

  // Makes an empty layer. It collects when only the reserve is free. REQUIRES: one pool; a policy that depends neither on
  // wear nor on the numbers of superblocks, like every policy with a formula.
  CountingLayer(const FtlConfig& config, const Layout& layout, std::uint32_t logical_pages, std::uint64_t seed);

  void write(Lpn lpn) {
    if (room_ == 0) [[unlikely]]
      make_room();
    Entry& entry = map_[number(lpn)];
    if (entry == kNowhere) [[unlikely]]
      ++mapped_;
    else
      blocks_.lose_pages(SuperblockId{entry});
    entry = static_cast<Entry>(number(open_));
    blocks_.gain_pages(open_);
    ++pages_appended_;
    ++host_pages_;
    if (--room_ == 0) [[unlikely]]
      blocks_.close(open_, pages_appended_);
  }
  void trim(Lpn lpn) {
    Entry& entry = map_[number(lpn)];
    if (entry == kNowhere) return;
    blocks_.lose_pages(SuperblockId{entry});
    entry = kNowhere;
    --mapped_;
  }
  void prefetch(Lpn lpn) const { prefetch_to_write(&map_[number(lpn)]); }

  bool mapped(Lpn lpn) const { return map_[number(lpn)] != kNowhere; }
  std::uint32_t mapped_pages() const { return mapped_; }
  std::uint64_t pages_appended() const { return pages_appended_; }  // by host writes and relocation
  std::uint64_t host_pages() const { return host_pages_; }
  std::uint64_t erases() const { return collected_; }

 private:
  void make_room();
  SuperblockId choose_victim();

  Blocks blocks_;
  Column<Entry> map_;
  Column<std::uint32_t> erases_;  // input of policies; always 0
  std::unique_ptr<GcPolicy> policy_;
  RandomStream random_;
  std::uint32_t reserve_;
  std::uint32_t pages_per_superblock_;
  SuperblockId open_ = kNoBlock;
  std::uint32_t room_ = 0;  // in the open superblock
  std::uint32_t mapped_ = 0;
  std::uint64_t pages_appended_ = 0;
  std::uint64_t host_pages_ = 0;
  std::uint64_t collected_ = 0;
  std::uint64_t futile_ = 0;
};

// True if two bytes can number this many superblocks. entry_bytes(): map bytes of a page.
constexpr bool small_entries(std::uint64_t superblocks) { return superblocks < CountingLayer<std::uint16_t>::kNowhere; }
constexpr std::uint64_t entry_bytes(std::uint64_t superblocks) {
  return small_entries(superblocks) ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
}

extern template class CountingLayer<std::uint16_t>;
extern template class CountingLayer<std::uint32_t>;

}  // namespace ftlab
