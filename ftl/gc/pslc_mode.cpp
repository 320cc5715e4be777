#include "ftl/gc/pslc_mode.h"

namespace ftlab {

bool PslcMode::on(std::uint32_t free_or_pending_erase) const {
  if (!config_.on() || too_full()) return false;
  if (config_.free_space_permille == 0) return true;
  return free_or_pending_erase > stop_free_ && count() < most();  // GC under load does not free more
}

bool PslcMode::too_full() const {
  const std::uint64_t mapped = store_.pages().mapped(), until = config_.until_mapped_permille;
  return until > 0 && mapped * 1000 >= store_.pages().map().lpns() * until;
}

bool PslcMode::on_while_collecting() const {
  FTLAB_DCHECK(store_.pages().mapped() <= store_.pages().map().lpns(), "more pages are mapped than there are");
  const std::uint64_t unmapped = store_.pages().map().lpns() - store_.pages().mapped();
  const bool room = unmapped > store_.medium().layout().data_pages();
  return config_.takes_all_flash() && !too_full() && room && oldest() != kNoBlock;
}

// The configured share of the space that mapped pages leave free, not counting the room that GC needs.
std::uint64_t PslcMode::most() const {
  const auto own = [this](const Frontier& frontier) { return frontier.plan().pool == pool_; };
  const std::uint64_t data =
      std::uint64_t{store_.pages().mapped()} * store_.pages().largest_page() / guaranteed_slots(store_);
  const std::uint64_t used = data + std::ranges::count_if(store_.frontiers(), own) + stop_free_;
  const std::uint64_t all = store_.blocks().free().quota(pool_);
  return (all - std::min(all, used)) * config_.free_space_permille / 1000;
}

std::uint64_t PslcMode::count() const {
  const BlockColumns& columns = store_.blocks().columns();
  std::uint64_t count = 0;
  for (std::uint32_t b = 0; b < store_.blocks().count(); ++b) {
    const BlockState state = columns.state[b];
    const bool holds_pages = state == BlockState::open || state == BlockState::closed || state == BlockState::collecting;
    count += columns.pool[b] == pool_ && store_.medium().superblocks().pslc(SuperblockId{b}) && holds_pages;
  }
  return count;
}

SuperblockId PslcMode::oldest() const {
  const ClosedBlocks& closed = store_.blocks().closed();
  SuperblockId block = closed.oldest(pool_);
  while (block != kNoBlock && !store_.medium().superblocks().pslc(block)) block = closed.next_younger(block);
  return block;
}

}  // namespace ftlab
