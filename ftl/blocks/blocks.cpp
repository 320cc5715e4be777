#include "ftl/blocks/blocks.h"

#include <algorithm>

namespace ftlab {
namespace {

std::string name_of(SuperblockId block) { return "superblock " + std::to_string(number(block)); }

}  // namespace

Blocks::Blocks(const Layout& layout, const BlocksOptions& options)
    : layout_(layout),
      columns_{Column<BlockState>(layout.superblocks(), BlockState::free), Column<std::uint8_t>(layout.superblocks()),
               Column<std::uint32_t>(layout.superblocks()), Column<std::uint64_t>(layout.superblocks()),
               Column<std::uint64_t>(layout.superblocks())},
      free_(layout.superblocks(), options.quotas.empty() ? std::vector{layout.superblocks()} : options.quotas,
            options.owners),
      closed_(layout, options.bins, options.window, free_.pools()) {
  FTLAB_CHECK(options.owners.empty() || options.owners.size() == count(), "owners of other superblocks than there are");
  std::ranges::copy(options.owners, columns_.pool.data());
}

void Blocks::change(SuperblockId block, BlockState from, BlockState to) {
  FTLAB_CHECK(number(block) < count(), name_of(block) + " does not exist");
  FTLAB_CHECK(state(block) == from, name_of(block) + " is in state " + std::to_string(static_cast<int>(state(block))) +
                                        ", not " + std::to_string(static_cast<int>(from)));
  columns_.state[number(block)] = to;
}

SuperblockId Blocks::open(std::uint32_t pool, std::uint64_t host_pages, FreeOrder order,
                          std::span<const std::uint32_t> wear) {
  const SuperblockId block = free_.take(pool, order, wear);
  change(block, BlockState::free, BlockState::open);
  columns_.pool[number(block)] = static_cast<std::uint8_t>(pool);
  columns_.opened_at[number(block)] = host_pages;
  return block;
}

void Blocks::close(SuperblockId block, std::uint64_t pages_appended) {
  change(block, BlockState::open, BlockState::closed);
  columns_.closed_at[number(block)] = pages_appended;
  closed_.add(block, columns_.pool[number(block)], columns_.valid);
}

void Blocks::start_collecting(SuperblockId block) {
  change(block, BlockState::closed, BlockState::collecting);
  closed_.remove(block, columns_.pool[number(block)], columns_.valid);
}

void Blocks::empty(SuperblockId block) {
  FTLAB_CHECK(valid(block) == 0, name_of(block) + " still holds current pages");
  change(block, BlockState::collecting, BlockState::pending_erase);
}

void Blocks::erased(SuperblockId block, bool reusable) {
  FTLAB_CHECK(valid(block) == 0, name_of(block) + " erased with current pages");
  change(block, BlockState::pending_erase, reusable ? BlockState::free : BlockState::retired);
  const std::uint32_t pool = columns_.pool[number(block)];
  reusable ? free_.give_back(block, pool) : free_.give_up(pool);
}

void Blocks::reopen(SuperblockId block, std::uint64_t host_pages) {
  change(block, BlockState::collecting, BlockState::open);
  columns_.opened_at[number(block)] = host_pages;
}

void Blocks::adopt(SuperblockId block, BlockState state, std::uint32_t pool) {
  FTLAB_CHECK(state == BlockState::open || state == BlockState::retired, name_of(block) + " is found in use, but not open");
  change(block, BlockState::free, state);
  free_.claim(pool);
  if (state == BlockState::retired) return free_.give_up(pool);
  columns_.pool[number(block)] = static_cast<std::uint8_t>(pool);
}

void Blocks::rebuild_free_list() {
  free_.rebuild([this](SuperblockId block) { return state(block) == BlockState::free; });
}

}  // namespace ftlab
