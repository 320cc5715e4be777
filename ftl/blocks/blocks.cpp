#include "ftl/blocks/blocks.h"

#include <algorithm>
#include <array>
#include <functional>

namespace ftlab {
namespace {

std::string name_of(SuperblockId block) { return "superblock " + std::to_string(number(block)); }

}  // namespace

Blocks::Blocks(const Layout& layout, BlocksOptions options)
    : layout_(layout),
      words_per_block_((layout.pages_per_superblock() + 63) / 64),
      window_(options.window),
      state_(layout.superblocks(), BlockState::free),
      pool_(layout.superblocks()),
      binned_(layout.superblocks()),
      valid_(layout.superblocks()),
      valid_bits_(std::size_t{layout.superblocks()} * words_per_block_),
      closed_at_(layout.superblocks()),
      opened_at_(layout.superblocks()),
      older_(layout.superblocks(), kNoBlock),
      younger_(layout.superblocks(), kNoBlock),
      free_ring_(layout.superblocks()),
      free_count_(layout.superblocks()) {
  if (options.quotas.empty()) options.quotas = {layout.superblocks()};
  for (const std::uint32_t quota : options.quotas) {
    pools_.push_back({quota, 0, 0, 0, kNoBlock, kNoBlock, kNoBlock,
                      Bins(options.bins, layout.superblocks(), layout.pages_per_superblock())});
  }
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) free_ring_[b] = SuperblockId{b};
}

std::string Blocks::location(SuperblockId block, std::uint32_t position) {
  return "page " + std::to_string(position) + " of " + name_of(block);
}

void Blocks::change(SuperblockId block, BlockState from, BlockState to) {
  FTLAB_CHECK(number(block) < count(), name_of(block) + " does not exist");
  FTLAB_CHECK(state_[number(block)] == from, name_of(block) + " is in state " +
                                                 std::to_string(static_cast<int>(state_[number(block)])) + ", not " +
                                                 std::to_string(static_cast<int>(from)));
  state_[number(block)] = to;
}

SuperblockId Blocks::open_free(std::uint32_t pool, std::uint64_t host_pages) { return open_at(0, pool, host_pages); }

template <class Better>
std::uint32_t Blocks::best_free(std::span<const std::uint32_t> wear, Better better) const {
  const auto wear_at = [&](std::uint32_t index) { return wear[number(free_ring_[(free_first_ + index) % count()])]; };
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < free_count_; ++i) {
    if (better(wear_at(i), wear_at(best))) best = i;
  }
  return best;
}

SuperblockId Blocks::open_least_worn(std::uint32_t pool, std::uint64_t host_pages, std::span<const std::uint32_t> wear) {
  return open_at(best_free(wear, std::less<>()), pool, host_pages);
}

SuperblockId Blocks::open_most_worn(std::uint32_t pool, std::uint64_t host_pages, std::span<const std::uint32_t> wear) {
  return open_at(best_free(wear, std::greater<>()), pool, host_pages);
}

// Those before it in the free list move back by one slot, so that the others keep their order.
SuperblockId Blocks::open_at(std::uint32_t free_index, std::uint32_t pool, std::uint64_t host_pages) {
  FTLAB_CHECK(free_count(pool) > 0, "no free superblock in pool " + std::to_string(pool) + ": the reserve was not kept");
  const auto slot = [this](std::uint32_t index) { return (free_first_ + index) % count(); };
  const SuperblockId block = free_ring_[slot(free_index)];
  for (std::uint32_t i = free_index; i > 0; --i) free_ring_[slot(i)] = free_ring_[slot(i - 1)];
  free_first_ = slot(1);
  --free_count_;
  adopt(block, pool);
  opened_at_[number(block)] = host_pages;
  return block;
}

void Blocks::adopt(SuperblockId block, std::uint32_t pool) {
  change(block, BlockState::free, BlockState::open);
  pool_[number(block)] = static_cast<std::uint8_t>(pool);
  ++pools_[pool].used;
}

void Blocks::close(SuperblockId block, std::uint64_t pages_appended) {
  change(block, BlockState::open, BlockState::closed);
  closed_at_[number(block)] = pages_appended;
  Pool& pool = pools_[pool_[number(block)]];
  ++pool.closed;
  append_by_age(pool, block);
  fill_window(pool);
}

void Blocks::append_by_age(Pool& pool, SuperblockId block) {
  older_[number(block)] = pool.youngest;
  younger_[number(block)] = kNoBlock;
  (pool.youngest == kNoBlock ? pool.oldest : younger_[number(pool.youngest)]) = block;
  pool.youngest = block;
  if (pool.beyond_window == kNoBlock) pool.beyond_window = block;
}

void Blocks::remove_by_age(Pool& pool, SuperblockId block) {
  const SuperblockId older = older_[number(block)];
  const SuperblockId younger = younger_[number(block)];
  if (pool.beyond_window == block) pool.beyond_window = younger;
  (older == kNoBlock ? pool.oldest : younger_[number(older)]) = younger;
  (younger == kNoBlock ? pool.youngest : older_[number(younger)]) = older;
}

void Blocks::fill_window(Pool& pool) {
  while (pool.beyond_window != kNoBlock && (window_ == 0 || pool.in_window < window_)) {
    const SuperblockId block = pool.beyond_window;
    pool.beyond_window = younger_[number(block)];
    pool.bins.enter(block, valid_[number(block)]);
    binned_[number(block)] = 1;
    ++pool.in_window;
  }
}

void Blocks::start_collecting(SuperblockId block) {
  change(block, BlockState::closed, BlockState::collecting);
  Pool& pool = pools_[pool_[number(block)]];
  --pool.closed;
  remove_by_age(pool, block);
  if (!binned_[number(block)]) return;
  pool.bins.leave(block, valid_[number(block)]);
  binned_[number(block)] = 0;
  --pool.in_window;
  fill_window(pool);
}

void Blocks::empty(SuperblockId block) {
  FTLAB_CHECK(valid_[number(block)] == 0, name_of(block) + " still holds current pages");
  change(block, BlockState::collecting, BlockState::pending_erase);
}

void Blocks::reopen(SuperblockId block, std::uint64_t host_pages) {
  change(block, BlockState::collecting, BlockState::open);
  opened_at_[number(block)] = host_pages;
}

void Blocks::release(SuperblockId block) {
  FTLAB_CHECK(valid_[number(block)] == 0, name_of(block) + " erased with current pages");
  change(block, BlockState::pending_erase, BlockState::free);
  append_free(block);
}

void Blocks::append_free(SuperblockId block) {
  --pools_[pool_[number(block)]].used;
  const std::uint32_t end = free_first_ + free_count_;
  free_ring_[end < count() ? end : end - count()] = block;
  ++free_count_;
}

void Blocks::retire(SuperblockId block) {
  change(block, BlockState::pending_erase, BlockState::retired);
  --pools_[pool_[number(block)]].used;
  shrink(pool_[number(block)]);
}

void Blocks::retire_unused(SuperblockId block, std::uint32_t pool) {
  change(block, BlockState::free, BlockState::retired);
  shrink(pool);
}

void Blocks::shrink(std::uint32_t pool) {
  FTLAB_CHECK(pools_[pool].quota > 0, "pool " + std::to_string(pool) + " has no superblock to give up");
  --pools_[pool].quota;
  ++retired_count_;
}

void Blocks::rebuild_free_list() {
  free_first_ = 0;
  free_count_ = 0;
  for (std::uint32_t b = 0; b < count(); ++b) {
    if (state_[b] == BlockState::free) free_ring_[free_count_++] = SuperblockId{b};
  }
}

std::span<const Rule<Blocks>> Blocks::rules() {
  static constexpr Rule<Blocks> kRules[] = {
      {"a superblock is in no state.",
       [](const Blocks& blocks) { return each_below(blocks.state_, kBlockStateNames.size()); }},
      {"a superblock is in no pool.", [](const Blocks& blocks) { return each_below(blocks.pool_, blocks.pools_.size()); }},
      {"a superblock follows one that does not exist.",
       [](const Blocks& blocks) {
         return each_below(blocks.older_, blocks.count(), kNoBlock) && each_below(blocks.younger_, blocks.count(), kNoBlock);
       }},
      {"a free superblock does not exist.",
       [](const Blocks& blocks) { return each_below(blocks.free_ring_, blocks.count()); }},
      {"a superblock has too many pages.",
       [](const Blocks& blocks) {
         return each_below(blocks.valid_, blocks.layout_.pages_per_superblock() + std::uint64_t{1});
       }},
      {"its free superblocks are too many.", [](const Blocks& blocks) { return blocks.free_count_ <= blocks.count(); }},
      {"its free superblocks begin outside of their ring.",
       [](const Blocks& blocks) { return blocks.free_first_ < blocks.count(); }},
  };
  return kRules;
}

std::span<const Rule<Blocks::Pool, std::uint32_t>> Blocks::rules_of_pools() {
  static constexpr Rule<Pool, std::uint32_t> kRules[] = {
      {"a pool begins with a superblock that does not exist.",
       [](const Pool& pool, const std::uint32_t& blocks) {
         return each_below(std::array{pool.oldest, pool.youngest, pool.beyond_window}, blocks, kNoBlock);
       }},
  };
  return kRules;
}

}  // namespace ftlab
