#include "ftl/page_store.h"

#include <algorithm>

namespace ftlab {

PageStore::PageStore(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, Backend& backend,
                     WriteBuffer& buffer)
    : layout_(medium.layout()),
      medium_(medium),
      backend_(backend),
      buffer_(buffer),
      map_(logical_pages),
      blocks_(layout_),
      frontier_count_(config.frontiers()),
      frontiers_{Frontier(layout_, 0), Frontier(layout_, 1)},
      erased_at_(layout_.superblocks()) {
  recover();
}

void PageStore::invalidate(Lpn lpn) {
  const Ppn old = map_.find(lpn);
  if (old == kNoPpn) return;
  blocks_.set_invalid(layout_.block_of(old), layout_.position(old));
}

void PageStore::unmap(Lpn lpn) {
  if (map_.find(lpn) == kNoPpn) return;
  invalidate(lpn);
  map_.clear(lpn);
  --mapped_pages_;
}

void PageStore::pad(Frontier& frontier, Nanoseconds now) {
  while (frontier.staged_count() > 0) {
    frontier.stage(kNoLpn, Version{0}, now, false);
    ++pages_padded_;
    if (frontier.stripe_complete()) program_stage(frontier);
  }
}

// Mapping pages larger than a stripe are programmed as several stripes, one die after the other.
Nanoseconds PageStore::program_stripes(const Frontier& frontier) {
  if (!backend_.timed()) return backend_.count_operations(layout_.stripes_per_page());
  const std::uint32_t first = layout_.stripe_of(frontier.staged_first());
  Nanoseconds done{0};
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe) {
    done = std::max(done, backend_.program(frontier.staged_ready(), layout_.die_of(frontier.block(), stripe),
                                           layout_.nand_page_of(stripe), layout_.planes(), frontier.number()));
  }
  return done;
}

void PageStore::program_stage(Frontier& frontier) {
  medium_.program(frontier.block(), frontier.staged_first(), frontier.staged_lpns(), frontier.staged_versions());
  const Nanoseconds done = program_stripes(frontier);
  if (frontier.staged_host_pages() > 0) buffer_.programmed(frontier.staged_host_pages(), done);
  frontier.clear_stage();
  if (!frontier.has_room()) blocks_.close(frontier.block());
  programmed_at_[frontier.number()] = std::max(programmed_at_[frontier.number()], done);
  ++stages_programmed_[frontier.number()];
  if (!emptied_.empty()) erase_emptied();
}

void PageStore::erase_emptied() {
  std::erase_if(emptied_, [this](const Emptied& waiting) {
    if (waiting.stages[0] > stages_programmed_[0] || waiting.stages[1] > stages_programmed_[1]) return false;
    erase(waiting.block);
    return true;
  });
}

void PageStore::open(Frontier& frontier) {
  FTLAB_CHECK(!frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is not full yet");
  const BlockId block = blocks_.open_free();
  medium_.open(block, frontier.number());
  frontier.open(block, erased_at_[number(block)]);
}

void PageStore::reclaim(BlockId block) {
  blocks_.empty(block);
  Emptied waiting{block, stages_programmed_};
  for (const Frontier& frontier : frontiers_) {
    if (frontier.staged_count() > 0) ++waiting.stages[frontier.number()];
  }
  emptied_.push_back(waiting);
  erase_emptied();
}

void PageStore::erase(BlockId block) {
  medium_.erase(block);
  const Nanoseconds ready = std::max(programmed_at_[0], programmed_at_[1]);
  Nanoseconds done{0};
  for (std::uint32_t die = 0; die < layout_.dies_per_superblock(); ++die) {
    done = std::max(done, backend_.erase(ready, layout_.die_of(block, die)));
  }
  erased_at_[number(block)] = done;
  ++superblocks_erased_;
  blocks_.release(block);
}

Version PageStore::version_at(Ppn ppn) const {
  if (!staged(ppn)) return medium_.version(ppn);
  const BlockId block = layout_.block_of(ppn);
  for (const Frontier& frontier : frontiers_) {
    if (frontier.block() == block) return frontier.staged_version(layout_.position(ppn));
  }
  FTLAB_CHECK(false, "page " + std::to_string(number(ppn)) + " is neither programmed nor staged");
}

}  // namespace ftlab
