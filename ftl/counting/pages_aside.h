// Superblocks that counting leaves alone: those of translation pages, and those with one bit a cell, such as a pSLC cache.
// They keep their numbers of valid pages.
#pragma once

#include <vector>

#include "ftl/write/page_store.h"
#include "sim/core/uint128.h"

namespace ftlab {

class PagesAside {
 public:
  // Frontiers after the first `counted` ones write what stands aside. `host_lpns`: pages from here on are translation pages;
  // a superblock that holds one stands aside.
  PagesAside(const PageStore& store, std::uint32_t counted, std::uint32_t host_lpns)
      : superblocks_(store.blocks().count()), host_lpns_(host_lpns) {
    const SuperblockRecords& written = store.medium().superblocks();
    for (std::uint32_t b = 0; b < store.blocks().count(); ++b) {
      const SuperblockId block{b};
      const BlockState state = store.blocks().state(block);
      const bool in_use = state == BlockState::open || state == BlockState::closed || state == BlockState::collecting;
      superblocks_[b] = in_use && (written.frontier(block) >= counted || written.pslc(block));
    }
    std::uint32_t translation_pages = 0;
    for (std::uint32_t l = host_lpns; l < store.pages().map().lpns(); ++l) {
      const Ppn ppn = store.pages().map().find(Lpn{l});
      if (ppn == kNoPpn) continue;
      superblocks_[number(store.medium().layout().block_of(ppn))] = true;
      ++translation_pages;
    }
    for (std::uint32_t b = 0; b < store.blocks().count(); ++b)
      if (superblocks_[b]) host_pages_ += store.blocks().valid(SuperblockId{b});
    FTLAB_CHECK(host_pages_ >= translation_pages, "a translation page lies in no superblock that stands aside");
    host_pages_ -= translation_pages;
    FTLAB_CHECK(host_pages_ < host_lpns, "all pages of the host stand aside");
  }

  bool has(SuperblockId block) const { return superblocks_[number(block)]; }
  std::uint32_t host_pages() const { return host_pages_; }
  // How many of these host pages replace a page that is counted. The others replace pages of the pSLC cache.
  std::uint64_t counted_of(std::uint64_t pages) const {
    return static_cast<std::uint64_t>(Uint128{pages} * (host_lpns_ - host_pages_) / host_lpns_);
  }

 private:
  std::vector<bool> superblocks_;
  std::uint32_t host_lpns_;
  std::uint32_t host_pages_ = 0;  // in these superblocks
};

}  // namespace ftlab
