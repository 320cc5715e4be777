#include "ftl/blocks/bins.h"

#include "sim/core/check.h"

namespace ftlab {

Bins::Bins(Keeping keeping, std::uint32_t blocks, std::uint32_t most)
    : keeping_(keeping),
      most_(most),
      order_(keeping == Keeping::sorted ? blocks : 0, kNoBlock),
      place_(keeping == Keeping::sorted ? blocks : 0),
      first_(keeping == Keeping::sorted ? most + 2 : 0),
      next_(keeping == Keeping::lifo || keeping == Keeping::fifo ? blocks : 0, kNoBlock),
      previous_(next_.size(), kNoBlock),
      list_first_(next_.size() > 0 ? most + 1 : 0, kNoBlock),
      list_last_(list_first_.size(), kNoBlock),
      lowest_(most + 1) {}

void Bins::enter(SuperblockId block, std::uint32_t valid) {
  FTLAB_DCHECK(valid <= most_, "a superblock has " + std::to_string(valid) + " pages of " + std::to_string(most_));
  ++count_;
  if (keeping_ == Keeping::none) return;
  if (keeping_ != Keeping::sorted) {
    link(block, valid);
    return;
  }
  std::uint32_t hole = first_[most_ + 1]++;
  FTLAB_DCHECK(hole < order_.size(), "more superblocks are in the bins than there are");
  for (std::uint32_t bin = most_; bin > valid; --bin) {  // each bin above moves up one place: its first goes to its end
    const std::uint32_t first = first_[bin]++;
    if (first != hole) put(hole, order_[first]);
    hole = first;
  }
  put(hole, block);
}

void Bins::leave(SuperblockId block, std::uint32_t valid) {
  FTLAB_CHECK(count_ > 0, "no superblock is in the bins");
  FTLAB_DCHECK(valid <= most_, "a superblock leaves bin " + std::to_string(valid) + " of " + std::to_string(most_));
  --count_;
  if (keeping_ == Keeping::none) return;
  if (keeping_ != Keeping::sorted) {
    unlink(block, valid);
    return;
  }
  std::uint32_t hole = place_[number(block)];
  FTLAB_CHECK(order_[hole] == block && hole >= first_[valid] && hole < first_[valid + 1],
              "superblock " + std::to_string(number(block)) + " is not in bin " + std::to_string(valid));
  for (std::uint32_t bin = valid; bin <= most_; ++bin) {  // each bin above moves down one place: its last goes to its front
    const std::uint32_t last = --first_[bin + 1];
    if (last != hole) put(hole, order_[last]);
    hole = last;
  }
}

SuperblockId Bins::fewest(RandomStream& random) const {
  FTLAB_CHECK(keeping_ != Keeping::none, "these bins are not kept");
  if (count_ == 0) return kNoBlock;
  if (keeping_ == Keeping::sorted) {
    if (lowest_ > most_) lowest_ = 0;
    while (first_[lowest_] > 0) --lowest_;       // bins below have members now
    while (first_[lowest_ + 1] == 0) ++lowest_;  // this bin is empty now
    const std::uint32_t ties = first_[lowest_ + 1];
    return order_[ties == 1 ? 0 : random.below(ties)];
  }
  while (list_first_[lowest_] == kNoBlock) ++lowest_;
  return list_first_[lowest_];
}

}  // namespace ftlab
