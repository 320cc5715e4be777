#include "validation/checks/reference/reference_frontiers.h"

namespace ftlab::testing {

ReferenceFrontiers::ReferenceFrontiers(const ReferenceRules& rules)
    : rules_(rules),
      positions_(rules.data_positions()),
      frontiers_(rules.host_frontiers * (rules.separate_relocation ? 2 : 1)) {
  for (std::uint32_t i = 0; i < frontiers_.size(); ++i) frontiers_[i].index = i;
}

ReferenceFrontiers::Frontier& ReferenceFrontiers::of_relocation(std::uint32_t frontier) {
  return frontiers_[frontier % rules_.host_frontiers + (rules_.separate_relocation ? rules_.host_frontiers : 0)];
}

std::size_t ReferenceFrontiers::room(const Frontier& frontier) const {
  return frontier.superblock == kNone ? 0 : positions_.size() - frontier.used;
}

bool ReferenceFrontiers::takes_relocated(const Frontier& frontier) const {
  return !rules_.separate_relocation || frontier.index >= rules_.host_frontiers;
}

bool ReferenceFrontiers::may_mix(const Frontier& a, const Frontier& b) const {
  return !rules_.handles || a.index % rules_.host_frontiers == b.index % rules_.host_frontiers;
}

std::size_t ReferenceFrontiers::room_for_relocated() const {
  std::size_t places = 0;
  for (const Frontier& frontier : frontiers_) places += takes_relocated(frontier) ? room(frontier) : 0;
  return places;
}

std::uint32_t ReferenceFrontiers::stage(Frontier& frontier, bool from_host) {
  if (frontier.staged++ == 0) frontier.stage = ++newest_stage_;
  frontier.staged_by_host += from_host;
  return positions_[frontier.used++];
}

void ReferenceFrontiers::programmed(Frontier& frontier) {
  frontier.staged = frontier.staged_by_host = 0;
  frontier.replaces.clear();
}

bool ReferenceFrontiers::is_staged(const ReferencePlace& place) const {
  return std::any_of(frontiers_.begin(), frontiers_.end(), [&](const Frontier& frontier) {
    const auto last = positions_.begin() + frontier.used;
    return frontier.superblock == place.superblock && std::find(last - frontier.staged, last, place.position) != last;
  });
}

std::vector<std::uint32_t> ReferenceFrontiers::take_erasable() {
  std::vector<std::uint32_t> erasable;
  std::erase_if(pending_, [&](const PendingErase& pending) {
    const bool waits = std::any_of(frontiers_.begin(), frontiers_.end(),
                                   [&](const Frontier& frontier) { return holds_up(frontier, pending); });
    if (!waits) erasable.push_back(pending.superblock);
    return !waits;
  });
  return erasable;
}

ReferenceFrontiers::Frontier& ReferenceFrontiers::oldest_staged() {
  Frontier* oldest = nullptr;
  for (Frontier& frontier : frontiers_) {
    const bool waited_for = std::any_of(pending_.begin(), pending_.end(),
                                        [&](const PendingErase& pending) { return holds_up(frontier, pending); });
    if (waited_for && (oldest == nullptr || frontier.stage < oldest->stage)) oldest = &frontier;
  }
  if (oldest == nullptr) throw std::logic_error("the reference waits for an erase, but nothing is staged");
  return *oldest;
}

bool ReferenceFrontiers::holds_up(const Frontier& frontier, const PendingErase& pending) const {
  if (frontier.staged == 0) return false;
  return rules_.handles ? frontier.replaces.count(pending.superblock) > 0 : frontier.stage <= pending.stage;
}

}  // namespace ftlab::testing
