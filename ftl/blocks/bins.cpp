#include "ftl/blocks/bins.h"

#include <algorithm>

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

std::span<const Rule<Bins>> Bins::rules() {
  static constexpr Rule<Bins> kRules[] = {
      {"it names a superblock that does not exist.",
       [](const Bins& bins) {
         const auto exist = [&](const Column<SuperblockId>& links) { return each_below(links, bins.blocks(), kNoBlock); };
         return exist(bins.order_) && exist(bins.next_) && exist(bins.previous_) && exist(bins.list_first_) &&
                exist(bins.list_last_);
       }},
      {"a superblock has no place in it.", [](const Bins& bins) { return each_below(bins.place_, bins.blocks()); }},
      {"a bin begins outside of it.", [](const Bins& bins) { return each_below(bins.first_, bins.blocks() + 1); }},
      {"it holds more than there is.", [](const Bins& bins) { return bins.blocks() == 0 || bins.count_ <= bins.blocks(); }},
      {"its lowest bin does not exist.", [](const Bins& bins) { return bins.lowest_ <= bins.most_ + 1; }},
      {"its members contradict each other.", [](const Bins& bins) { return bins.sorted() ? bins.in_order() : bins.ends(); }},
  };
  return kRules;
}

// True if the links of each list agree in both directions and the lists together have count_ members.
bool Bins::ends() const {
  std::uint32_t found = 0;
  for (std::size_t bin = 0; bin < list_first_.size(); ++bin) {
    SuperblockId before = kNoBlock;
    for (SuperblockId block = list_first_[bin]; block != kNoBlock; block = next_[number(block)]) {
      if (previous_[number(block)] != before || ++found > count_) return false;
      before = block;
    }
    if (list_last_[bin] != before) return false;
  }
  return list_first_.size() == 0 || found == count_;
}

// True if each bin begins where the one below ends, and place_ is right for each member.
bool Bins::in_order() const {
  if (first_[0] != 0 || first_[most_ + 1] != count_ || !std::is_sorted(first_.data(), first_.data() + first_.size()))
    return false;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (order_[i] == kNoBlock || place_[number(order_[i])] != i) return false;
  return true;
}

void Bins::enter(SuperblockId block, std::uint32_t valid) {
  ++count_;
  if (keeping_ == Keeping::none) return;
  if (keeping_ != Keeping::sorted) {
    link(block, valid);
    return;
  }
  std::uint32_t hole = first_[most_ + 1]++;
  for (std::uint32_t bin = most_; bin > valid; --bin) {  // each bin above moves up one place: its first goes to its end
    const std::uint32_t first = first_[bin]++;
    if (first != hole) put(hole, order_[first]);
    hole = first;
  }
  put(hole, block);
}

void Bins::leave(SuperblockId block, std::uint32_t valid) {
  FTLAB_CHECK(count_ > 0, "no superblock is in the bins");
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
