#include "ftl/gc/reclaim_groups.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "models/nand/array/layout.h"

namespace ftlab {

ReclaimGroups::ReclaimGroups(const FtlConfig& config, const PageStore& store)
    : store_(store), identifiers_(config.placement.identifiers()), limits_(config.placement.reclaim_groups) {
  if (limits_.size() < 2) return;
  for (std::uint32_t group = 0; group < limits_.size(); ++group)
    limits_[group] = config.most_slots_in_group(store.medium().layout(), group);
  FTLAB_CHECK(*std::ranges::min_element(limits_) > 0, "a reclaim group without room for data");
  instead_.resize(identifiers_);
  std::iota(instead_.begin(), instead_.end(), 0u);
  admitted_.resize(identifiers_, kNoBlock);
}

// Slots of current data that the group of `frontier` may still take. The room that the host's frontiers have there counts as
// taken, and so does a reclaim unit that has to be opened, because nothing is checked while they fill up. Visits every
// superblock, once or twice for each superblock that the host fills.
std::int64_t ReclaimGroups::room_left(const Frontier& frontier, std::uint32_t slots) const {
  const Blocks& blocks = store_.blocks();
  const std::uint32_t group = frontier.plan().pool;
  FTLAB_DCHECK(group < limits_.size(), "reclaim group " + std::to_string(group) + " of " + std::to_string(limits_.size()));
  const std::uint32_t lost = store_.pages().largest_page() - 1;  // slots of a superblock that may be too few for a page
  const std::int64_t superblock = store_.medium().layout().data_pages() - lost;
  const bool opens = frontier.room() < slots && store_.supply().set_aside(frontier) == 0;
  std::int64_t taken = opens ? frontier.plan().superblocks * superblock : 0;
  for (std::uint32_t f = group; f < identifiers_; f += static_cast<std::uint32_t>(limits_.size())) {
    const Frontier& other = store_.frontiers()[f];
    taken += other.room() - std::min(other.room(), lost) + store_.supply().set_aside(other) * superblock;
  }
  for (std::uint32_t b = 0; b < blocks.count(); ++b)
    if (blocks.columns().pool[b] == group) taken += blocks.columns().valid[b];
  return limits_[group] - taken;
}

// The frontier's own group if it has room, else the one with most. By the size that a design needs, the limits of all groups
// together hold the user data and the room of all frontiers, so one has room.
std::uint32_t ReclaimGroups::group_with_room(const Frontier& frontier, std::uint32_t slots) const {
  const std::uint32_t own = frontier.plan().pool;
  if (room_left(frontier, slots) >= 0) return own;
  FTLAB_DCHECK(frontier.number() >= own, "the frontiers of a handle begin before the first one");
  std::vector<std::int64_t> rooms;
  for (std::uint32_t group = 0; group < limits_.size(); ++group)
    rooms.push_back(room_left(store_.frontiers()[frontier.number() - own + group], slots));
  return static_cast<std::uint32_t>(std::ranges::max_element(rooms) - rooms.begin());
}

// Judged once for each superblock that the host begins to fill; relocation may have opened it, if it shares the frontier.
const Frontier& ReclaimGroups::choose_group(const Frontier& frontier, std::uint32_t slots) {
  FTLAB_DCHECK(frontier.number() < identifiers_, "a frontier of the host that no placement identifier names");
  std::uint32_t& instead = instead_[frontier.number()];
  const Frontier& now = store_.frontiers()[instead];
  if (now.room() < slots || admitted_[instead] != now.block()) {
    instead = frontier.number() - frontier.plan().pool + group_with_room(frontier, slots);
    const Frontier& then = store_.frontiers()[instead];
    if (then.room() >= slots) admitted_[instead] = then.block();
  }
  pages_elsewhere_ += instead != frontier.number();
  return store_.frontiers()[instead];
}

}  // namespace ftlab
