// Selects the reference FTL's next victim among closed superblocks, by policy or for wear levelling.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/core/random.h"
#include "validation/checks/reference/reference_rules.h"

namespace ftlab::testing {

class ReferenceVictims {
 public:
  ReferenceVictims(const ReferenceRules& rules, const std::vector<ReferenceSuperblock>& superblocks)
      : rules_(rules), superblocks_(superblocks), random_(rules.seed, "collection 0") {}

  struct Victim {
    std::uint32_t superblock = kNone;
    bool for_wear = false;
    std::deque<std::uint32_t> to_move;  // positions
  };
  // Drive state that the choice depends on.
  struct State {
    bool has_free_soon, has_spare;  // free or to be erased; more free than the reserve
    std::uint64_t erased, pages_appended;
  };

  void close(std::uint32_t superblock, std::uint64_t pages_appended);
  // The superblock lost a valid page.
  void lost_page(std::uint32_t superblock);
  // Empty if no victim would free space.
  std::optional<Victim> choose(const State& state);

  // Choice of the compared FTL's policy, in order; used only among superblocks with equally many valid pages.
  void report(std::uint32_t superblock) { reported_.push_back(superblock); }
  std::size_t reports_left() const { return reported_.size(); }

 private:
  using Policy = ReferenceRules::Policy;
  using Ties = ReferenceRules::Ties;

  bool is_candidate(std::uint32_t superblock) const { return since_.count(superblock) > 0; }
  void admit_candidates();
  Victim begin(std::uint32_t chosen, bool for_wear);
  std::uint32_t choose_by_wear(const State& state);

  std::uint32_t emptiest() const;

  std::uint32_t choose_by_policy(const State& state);

  std::uint32_t choose_greedily();

  std::uint32_t choose_by_draws();

  std::uint32_t reported(std::size_t current);

  std::uint32_t choose_by_benefit(const State& state) const;

  const ReferenceRules& rules_;
  const std::vector<ReferenceSuperblock>& superblocks_;
  RandomStream random_;
  std::vector<std::uint32_t> closed_;  // in order of closing
  std::map<std::uint32_t, std::uint64_t> closed_at_;
  std::map<std::uint32_t, std::uint64_t> since_;  // candidates: when they reached their number of valid pages
  std::deque<std::uint32_t> reported_;
  std::uint64_t events_ = 0, futile_ = 0, wear_checked_at_ = 0;
};

}  // namespace ftlab::testing
