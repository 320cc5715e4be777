#include "ftl/counting/counted_store.h"

#include <algorithm>
#include <string>

namespace ftlab {

CountedStore::CountedStore(const PageStore& store, std::uint32_t host, std::uint32_t relocation, std::uint32_t host_lpns,
                           bool least_worn_first, std::uint64_t seed)
    : blocks_(store.blocks()),
      erases_(store.medium().superblocks().erase_column()),
      opened_by_(blocks_.count()),
      stretches_(blocks_.count(), seed),
      host_(host),
      aside_(store, relocation + 1, host_lpns),
      least_worn_first_(least_worn_first),
      random_(seed, "counted writes"),
      logical_pages_(host_lpns - aside_.host_pages()),
      counts_{store.counts().pages_appended},
      host_pages_(store.counts().host_pages_appended) {
  FTLAB_CHECK(relocation < fronts_.size() && host <= relocation, "a design that keeps data apart");
  for (const Frontier& frontier : store.frontiers())
    if (frontier.number() <= relocation && frontier.has_room() && !aside_.has(frontier.block()))
      fronts_[frontier.number()] = {frontier.block(), frontier.room(), in_stripe(frontier.room())};
  std::uint32_t mapped = 0;
  for (std::uint32_t b = 0; b < blocks_.count(); ++b) {
    const SuperblockId block{b};
    opened_by_[b] = store.medium().superblocks().frontier(block);
    if (blocks_.state(block) == BlockState::pending_erase) pending_.push_back({block, newest_stripe_});
    if (blocks_.state(block) == BlockState::free) continue;
    const std::uint32_t valid = blocks_.valid(block);
    if (aside_.has(block)) {  // no page is drawn from it, and it is no victim
      if (blocks_.state(block) == BlockState::closed) blocks_.start_collecting(block);
      blocks_.lose_pages(block, valid);
      continue;
    }
    mapped += valid;
    std::uint32_t room = 0;
    for (const Front& front : fronts_)
      if (front.block == block) room = front.room;
    stretches_.append(block, {slots() - room, valid, b, 0, valid});
  }
  FTLAB_CHECK(mapped <= logical_pages_, "more pages are mapped than the drive has");
  unmapped_ = logical_pages_ - mapped;
  erase_pending();
}

// The superblock of a page drawn from all, found by drawing slots until one is valid; kNoBlock if the page is not mapped.
// `valid`: valid pages by superblock.
inline SuperblockId CountedStore::draw_valid(std::span<const std::uint32_t> valid, RandomStream& random) {
  if (unmapped_ > 0 && random.below(logical_pages_) < unmapped_) {
    --unmapped_;
    return kNoBlock;
  }
  const std::uint32_t slots_each = slots();
  for (;;) {
    const std::uint64_t bits = random.bits();
    const auto block = static_cast<std::uint32_t>((bits >> 32) * valid.size() >> 32);
    const auto rank = static_cast<std::uint32_t>((bits & 0xffff'ffff) * slots_each >> 32);
    if (rank < valid[block]) return SuperblockId{block};
  }
}

void CountedStore::write(std::uint32_t pages) {
  const SuperblockId open = fronts_[host_].block;
  FTLAB_CHECK(pages <= room(host_), "the host writes where there is no room");
  if (pages > blocks_.count() / 4) {
    write_many(open, pages);
  } else {
    for (std::uint32_t i = 0; i < pages; ++i) {
      const SuperblockId block = draw_valid(blocks_.columns().valid.view(), random_);
      if (block != kNoBlock) blocks_.lose_pages(block);
      blocks_.gain_pages(open);
    }
  }
  append(host_, {pages, pages});
  stretches_.settle(open, blocks_.valid(open));
  host_pages_ += pages;
}

// Draws as for single pages, but from a copy of the counts: Blocks is told once how many pages each superblock has lost.
void CountedStore::write_many(SuperblockId open, std::uint32_t pages) {
  const std::span<const std::uint32_t> valid = blocks_.columns().valid.view();
  std::vector<std::uint32_t> left(valid.begin(), valid.end());
  RandomStream random = random_;  // a copy stays in registers
  std::uint32_t written = 0;
  for (; written < pages && unmapped_ > 0; ++written) {
    const SuperblockId block = draw_valid(left, random);
    if (block != kNoBlock) --left[number(block)];
    ++left[number(open)];
  }
  const std::uint64_t superblocks = valid.size(), slots_each = slots();
  while (written < pages) {  // like draw_valid(), without a branch, which would be mispredicted
    const std::uint64_t bits = random.bits();
    std::uint32_t& of_block = left[(bits >> 32) * superblocks >> 32];
    const std::uint32_t hit = ((bits & 0xffff'ffff) * slots_each >> 32) < of_block;
    of_block -= hit;
    left[number(open)] += hit;
    written += hit;
  }
  random_ = random;
  blocks_.gain_pages(open, pages);
  FTLAB_DCHECK(valid[number(open)] >= left[number(open)], "more pages are written than there is room for");
  for (std::uint32_t b = 0; b < blocks_.count(); ++b)
    if (valid[b] > left[b]) blocks_.lose_pages(SuperblockId{b}, valid[b] - left[b]);
}

void CountedStore::settle() {
  for (std::uint32_t b = 0; b < blocks_.count(); ++b) stretches_.settle(SuperblockId{b}, blocks_.valid(SuperblockId{b}));
}

void CountedStore::move(SuperblockId from, std::uint32_t pages, std::uint32_t frontier) {
  FTLAB_CHECK(pages <= room(frontier), "pages are moved to where there is no room");
  const SuperblockId to = fronts_[frontier].block;
  stretches_.settle(from, blocks_.valid(from));
  stretches_.settle(to, blocks_.valid(to));
  blocks_.move_pages(from, to, pages);
  while (pages > 0) {
    const Stretch part = stretches_.take(from, pages);
    pages -= part.current;
    append(frontier, part);
  }
}

// A stripe begins with its first page and is complete with its last one.
void CountedStore::append(std::uint32_t frontier, const Stretch& part) {
  Front& front = fronts_[frontier];
  const std::uint32_t before = front.left_in_stripe;
  const bool begun_anew = before == 0 || part.slots >= before;
  stretches_.append(front.block, part);
  if (begun_anew && blocks_.layout().has_parity()) {
    const std::uint32_t stripe = blocks_.layout().pages_per_stripe(), used = slots() - front.room;
    const std::uint32_t row = (blocks_.layout().dies_per_superblock() - 1) * stripe;
    counts_.parity_pages += std::uint64_t{(used + part.slots) / row - used / row} * stripe;
  }
  front.room -= part.slots;
  front.left_in_stripe = begun_anew ? in_stripe(front.room) : before - part.slots;
  if (begun_anew && mid_stripe(frontier)) front.stripe = ++newest_stripe_;
  if (front.room == 0) blocks_.close(front.block, counts_.pages_appended + part.current);
  counts_.pages_appended += part.current;
  if (begun_anew || part.slots == before) erase_pending();
}

void CountedStore::pad(std::uint32_t frontier) {
  if (!mid_stripe(frontier)) return;
  const std::uint32_t slots = fronts_[frontier].left_in_stripe;
  counts_.pages_padded += slots;
  append(frontier, {slots, 0});
}

std::uint32_t CountedStore::oldest_stripe() const {
  if (!mid_stripe(0)) return 1;
  return mid_stripe(1) && fronts_[1].stripe < fronts_[0].stripe ? 1 : 0;
}

void CountedStore::open(std::uint32_t frontier) {
  FTLAB_CHECK(room(frontier) == 0, "a frontier leaves a superblock that has room");
  const SuperblockId block =
      least_worn_first_ ? blocks_.open(0, host_pages_, FreeOrder::least_worn, erases_.view()) : blocks_.open(0, host_pages_);
  fronts_[frontier] = {block, slots(), in_stripe(slots())};
  opened_by_[number(block)] = static_cast<std::uint8_t>(frontier);
}

void CountedStore::reclaim(SuperblockId block) {
  blocks_.empty(block);
  pending_.push_back({block, newest_stripe_});
  erase_pending();
}

void CountedStore::erase_pending() {
  std::uint64_t oldest = ~std::uint64_t{0};  // oldest incomplete stripe
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    if (mid_stripe(f)) oldest = std::min(oldest, fronts_[f].stripe);
  }
  std::size_t erased = 0;
  for (; erased < pending_.size() && pending_[erased].stripe < oldest; ++erased) {
    const SuperblockId block = pending_[erased].block;
    blocks_.erased(block);
    ++erases_[number(block)];
    stretches_.clear(block);
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(erased));
}

}  // namespace ftlab
