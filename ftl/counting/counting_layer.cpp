#include "ftl/counting/counting_layer.h"

#include <string>

namespace ftlab {

template <class Entry>
CountingLayer<Entry>::CountingLayer(const FtlConfig& config, const Layout& layout, std::uint32_t logical_pages,
                                    std::uint64_t seed)
    : blocks_(layout, config.blocks_options(layout)),
      map_(logical_pages, kNowhere),
      erases_(layout.superblocks()),
      policy_(gc_policy_kinds()[config.gc.policy].make(config.gc.values)),
      random_(seed, "collection 0"),  // as for the one pool of a whole layer
      reserve_(config.reserve(0)),
      pages_per_superblock_(layout.pages_per_superblock()) {
  FTLAB_CHECK(layout.superblocks() < kNowhere, "too many superblocks for the entries of the map");
  FTLAB_CHECK(config.pool_count() == 1, "a design in which relocated pages do not stay together");
}

// Makes room in a free superblock, or after the valid pages of a victim once only the reserve is free.
template <class Entry>
void CountingLayer<Entry>::make_room() {
  while (room_ == 0) {
    if (blocks_.free().count() > reserve_) {
      open_ = blocks_.open(0, host_pages_);
      room_ = pages_per_superblock_;
      return;
    }
    open_ = choose_victim();
    blocks_.start_collecting(open_);
    blocks_.reopen(open_, host_pages_);
    ++collected_;
    pages_appended_ += blocks_.valid(open_);
    room_ = pages_per_superblock_ - blocks_.valid(open_);
    if (room_ == 0) blocks_.close(open_, pages_appended_);
  }
}

// Like choose_victim() of Relocation.
template <class Entry>
SuperblockId CountingLayer<Entry>::choose_victim() {
  const SuperblockId chosen = policy_->choose({blocks_, 0, pages_appended_, erases_}, random_);
  FTLAB_CHECK(chosen != kNoBlock && blocks_.state(chosen) == BlockState::closed,
              "the policy chose superblock " + std::to_string(number(chosen)) + ", which is not closed");
  futile_ = blocks_.valid(chosen) == pages_per_superblock_ ? futile_ + 1 : 0;
  return futile_ > kMostFutile * blocks_.closed().count(0) ? emptiest(blocks_, 0) : chosen;
}

template class CountingLayer<std::uint16_t>;
template class CountingLayer<std::uint32_t>;

}  // namespace ftlab
