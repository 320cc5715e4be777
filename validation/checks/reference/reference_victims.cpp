#include "validation/checks/reference/reference_victims.h"

namespace ftlab::testing {

void ReferenceVictims::close(std::uint32_t superblock, std::uint64_t pages_appended) {
  closed_at_[superblock] = pages_appended;
  closed_.push_back(superblock);
  admit_candidates();
}

void ReferenceVictims::lost_page(std::uint32_t superblock) {
  if (is_candidate(superblock)) since_[superblock] = ++events_;
}

std::optional<ReferenceVictims::Victim> ReferenceVictims::choose(const State& state) {
  const std::uint32_t worn = choose_by_wear(state);
  if (worn != kNone) return begin(worn, true);
  if (closed_.empty()) return std::nullopt;
  const std::size_t pages = rules_.data_positions().size();
  std::uint32_t chosen = state.has_free_soon ? choose_by_policy(state) : emptiest();
  const bool full = superblocks_[chosen].current.size() >= pages;
  if (full && superblocks_[emptiest()].current.size() >= pages) return std::nullopt;
  futile_ = full ? futile_ + 1 : 0;
  if (futile_ > 64 * closed_.size()) chosen = emptiest();
  return begin(chosen, false);
}

void ReferenceVictims::admit_candidates() {
  for (std::size_t i = 0; i < closed_.size() && (rules_.window == 0 || i < rules_.window); ++i)
    if (!is_candidate(closed_[i])) since_[closed_[i]] = ++events_;
}

ReferenceVictims::Victim ReferenceVictims::begin(std::uint32_t chosen, bool for_wear) {
  closed_.erase(std::find(closed_.begin(), closed_.end(), chosen));
  since_.erase(chosen);
  admit_candidates();
  const std::set<std::uint32_t>& current = superblocks_[chosen].current;
  Victim victim{chosen, for_wear, {current.begin(), current.end()}};
  if (!rules_.shuffle) return victim;
  for (std::size_t left = victim.to_move.size(); left > 1; --left)
    std::swap(victim.to_move[left - 1], victim.to_move[random_.below(left)]);
  std::reverse(victim.to_move.begin(), victim.to_move.end());  // pages are taken from the end of the shuffled list
  return victim;
}

std::uint32_t ReferenceVictims::choose_by_wear(const State& state) {
  if (rules_.static_spread == 0 || state.erased < wear_checked_at_ + rules_.check_every_erases) return kNone;
  if (!state.has_spare) return kNone;
  wear_checked_at_ = state.erased;
  std::uint64_t most = 0;
  for (const ReferenceSuperblock& superblock : superblocks_) most = std::max(most, superblock.erases);
  const auto least = std::min_element(closed_.begin(), closed_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return superblocks_[a].erases < superblocks_[b].erases;
  });
  return least != closed_.end() && most - superblocks_[*least].erases > rules_.static_spread ? *least : kNone;
}

std::uint32_t ReferenceVictims::emptiest() const {
  return *std::min_element(closed_.begin(), closed_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return superblocks_[a].current.size() < superblocks_[b].current.size();
  });
}

std::uint32_t ReferenceVictims::choose_by_policy(const State& state) {
  switch (rules_.policy) {
    case Policy::greedy: return choose_greedily();
    case Policy::drawn: return choose_by_draws();
    case Policy::fifo: return closed_.front();
    default: return choose_by_benefit(state);
  }
}

std::uint32_t ReferenceVictims::choose_greedily() {
  std::vector<std::uint32_t> best;
  for (const std::uint32_t b : closed_) {
    if (!is_candidate(b)) continue;
    const std::size_t current = superblocks_[b].current.size();
    if (!best.empty() && current > superblocks_[best[0]].current.size()) continue;
    if (!best.empty() && current < superblocks_[best[0]].current.size()) best.clear();
    best.push_back(b);
  }
  if (rules_.ties == Ties::drawn) {
    if (best.size() > 1) random_.below(best.size());
    return reported(superblocks_[best[0]].current.size());
  }
  std::sort(best.begin(), best.end(), [this](std::uint32_t a, std::uint32_t b) { return since_.at(a) < since_.at(b); });
  return rules_.ties == Ties::latest ? best.back() : best.front();
}

std::uint32_t ReferenceVictims::choose_by_draws() {
  std::uint64_t rank = closed_.size();
  for (std::uint32_t i = 0; i < rules_.drawn; ++i) rank = std::min(rank, random_.below(closed_.size()));
  std::vector<std::size_t> sorted;
  for (const std::uint32_t b : closed_) sorted.push_back(superblocks_[b].current.size());
  std::sort(sorted.begin(), sorted.end());
  return reported(sorted[rank]);
}

std::uint32_t ReferenceVictims::reported(std::size_t current) {
  if (reported_.empty()) throw std::logic_error("the reference chooses a victim where none was chosen");
  const std::uint32_t chosen = reported_.front();
  reported_.pop_front();
  if (std::find(closed_.begin(), closed_.end(), chosen) == closed_.end())
    throw std::logic_error("superblock " + std::to_string(chosen) + " was chosen, which is not closed");
  if (superblocks_[chosen].current.size() != current)
    throw std::logic_error("a superblock with " + std::to_string(superblocks_[chosen].current.size()) +
                           " current pages was chosen, not one with " + std::to_string(current));
  return chosen;
}

std::uint32_t ReferenceVictims::choose_by_benefit(const State& state) const {
  std::uint32_t best = kNone;
  double best_score = -1;
  const double pages = rules_.stripes * rules_.pages_per_stripe;
  for (const std::uint32_t b : closed_) {
    const double current = static_cast<double>(superblocks_[b].current.size());
    const double cost = rules_.policy == Policy::cost_benefit ? pages + current : 2 * current;
    const double age = static_cast<double>(state.pages_appended - closed_at_.at(b));
    const double score = (cost > 0 ? (pages - current) / cost : 1e12) * age;
    if (score <= best_score) continue;
    best = b;
    best_score = score;
  }
  return best;
}

}  // namespace ftlab::testing
