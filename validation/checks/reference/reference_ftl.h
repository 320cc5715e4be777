// A second translation layer, as naive as one can be written: maps, sets and lists, every search a pass over everything. It
// has nothing of ftl/ but the rules, and is there to be compared with it: fed the same requests, it must put every page at
// the same place and count the same. The rules are those of a page map with one pool: frontiers, reserve, collection beside
// the host's writes or at once, static wear levelling, trims, parts of pages held in RAM, padding by flushes, parity.
//
// Where the rules leave something to chance it draws the same numbers. Which of several superblocks with equally many
// current pages stands at the number drawn is not in the rules: there it is told what was chosen, and checks that the number
// of current pages is that of the draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/random.h"

namespace ftlab::testing {

struct ReferenceRules {
  enum class Policy { greedy, drawn, fifo, cost_benefit, cost_benefit_kawaguchi };
  enum class Ties {
    latest,
    first,
    drawn
  };  // of superblocks with equally many current pages, by when they came to have them
  enum class Trim { at_once, later, never };

  std::uint32_t page_bytes = 0;
  std::uint32_t superblocks = 0, stripes = 0, pages_per_stripe = 0;  // of each superblock
  std::uint32_t parity_every = 0;                                    // the last of so many stripes is parity; 0: none
  std::uint32_t host_frontiers = 1;                                  // by stream
  bool handles = false;              // streams are kept apart, and an erase waits for what replaces its pages alone
  bool separate_relocation = false;  // else relocated pages go behind the host's
  Policy policy = Policy::greedy;
  Ties ties = Ties::latest;
  std::uint32_t drawn = 1;   // superblocks
  std::uint32_t window = 0;  // greedy among the oldest so many; 0: all
  bool shuffle = false;
  std::uint32_t start_free = 1, stop_free = 2, pages_per_host_write = 0;
  bool least_worn_first = false;
  std::uint32_t static_spread = 0, check_every_erases = 1;
  std::uint32_t coalescing_pages = 0;
  bool coalesce = false, power_loss_protected = false;
  Trim trim = Trim::at_once;
  std::uint32_t trims_per_host_write = 0;
  std::uint64_t seed = 0;
};

class ReferenceFtl {
 public:
  struct Place {
    std::uint32_t superblock, position;
    auto operator<=>(const Place&) const = default;
  };
  struct Counts {
    std::uint64_t host = 0, relocated = 0, relocated_for_wear = 0, padded = 0, parity = 0, erased = 0, collected = 0;
    std::uint64_t coalesced = 0, read_modify_writes = 0, filled_bytes = 0, trimmed = 0;
  };

  explicit ReferenceFtl(const ReferenceRules& rules)
      : rules_(rules),
        random_(rules.seed, "collection 0"),
        superblocks_(rules.superblocks),
        frontiers_(rules.host_frontiers * (rules.separate_relocation ? 2 : 1)) {
    for (std::uint32_t stripe = 0; stripe < rules.stripes; ++stripe) {
      if (rules.parity_every > 0 && stripe % rules.parity_every == rules.parity_every - 1) continue;
      for (std::uint32_t p = 0; p < rules.pages_per_stripe; ++p) places_.push_back(stripe * rules.pages_per_stripe + p);
    }
    for (std::uint32_t b = 0; b < rules.superblocks; ++b) {
      superblocks_[b].pages.resize(std::size_t{rules.stripes} * rules.pages_per_stripe);
      free_.push_back(b);
    }
    watch_free_space();
  }

  // --- what the host does ---
  void write(std::uint32_t lpn, std::uint32_t first, std::uint32_t end, std::uint32_t stream) {
    pending_trims_.erase(lpn);
    const Part part{lpn, ++newest_version_, first, end, true, stream};
    const bool whole = first == 0 && end == rules_.page_bytes;
    if (whole && !rules_.coalesce) {
      drop_coalesced(lpn);
      return put(part);
    }
    overlay_coalesced(part);
    const auto kept = find_coalesced(lpn);
    if (!rules_.coalesce && is_whole(*kept)) {
      const Part all = *kept;
      held_.erase(kept);
      return put(all);
    }
    if (held_.size() > rules_.coalescing_pages) append_oldest_coalesced();
  }

  void trim(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t lpn = first; lpn < end && rules_.trim != ReferenceRules::Trim::never; ++lpn) {
      if (rules_.trim == ReferenceRules::Trim::at_once) {
        trim_now(lpn);
      } else {
        pending_trims_.insert(lpn);
        trims_to_do_.push_back(lpn);
      }
    }
  }

  void flush() {
    if (rules_.power_loss_protected) return;
    while (!held_.empty()) append_oldest_coalesced();
    for (Frontier& frontier : frontiers_) {
      if (frontier.staged_by_host == 0) continue;
      if (takes_relocated(frontier) && free_.size() < reserve()) end_victim();
      pad(frontier);
    }
  }

  // What the other layer's policy has chosen, in order; only asked where equals are left to it.
  void report_choice(std::uint32_t superblock) { reported_.push_back(superblock); }
  std::size_t choices_left() const { return reported_.size(); }

  // --- what came of it ---
  const std::map<std::uint32_t, Place>& map() const { return map_; }
  std::uint32_t version(std::uint32_t lpn) const {
    if (pending_trims_.count(lpn) > 0) return 0;
    for (const Part& part : held_) {
      if (part.lpn == lpn) return part.version;
    }
    const auto place = map_.find(lpn);
    return place == map_.end() ? 0 : superblocks_[place->second.superblock].pages.at(place->second.position).version;
  }
  const Counts& counts() const { return counts_; }
  std::uint64_t erases(std::uint32_t superblock) const { return superblocks_[superblock].erases; }
  const std::deque<std::uint32_t>& free() const { return free_; }

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  using Policy = ReferenceRules::Policy;
  using Ties = ReferenceRules::Ties;

  struct Part {
    std::uint32_t lpn, version, first, end;
    bool gapless;
    std::uint32_t stream;
  };
  struct Page {
    std::uint32_t lpn, version;
  };
  struct Superblock {
    std::vector<Page> pages;          // by position
    std::set<std::uint32_t> current;  // positions
    std::uint64_t erases = 0, closed_at = 0;
    std::uint64_t candidate_since = 0;  // when it last came to have so many current pages; 0: not in the window
    std::uint32_t frontier = 0;
  };
  struct Frontier {
    std::uint32_t superblock = kNobody, used = 0, staged = 0, staged_by_host = 0;
    std::uint64_t stage = 0;
    std::set<std::uint32_t> replaces;  // superblocks with pages in whose place staged ones come
  };
  struct PendingErase {
    std::uint32_t superblock;
    std::uint64_t stage;
  };

  // --- pages in RAM ---
  bool is_whole(const Part& part) const { return part.gapless && part.first == 0 && part.end == rules_.page_bytes; }
  std::vector<Part>::iterator find_coalesced(std::uint32_t lpn) {
    return std::find_if(held_.begin(), held_.end(), [lpn](const Part& part) { return part.lpn == lpn; });
  }
  void drop_coalesced(std::uint32_t lpn) {
    if (const auto held = find_coalesced(lpn); held != held_.end()) held_.erase(held);
  }
  void overlay_coalesced(const Part& part) {
    const auto held = find_coalesced(part.lpn);
    if (held == held_.end()) {
      held_.push_back(part);
      return;
    }
    ++counts_.coalesced;
    const bool covers = part.first <= held->first && held->end <= part.end;
    const bool touches = part.first <= held->end && held->first <= part.end;
    *held = {part.lpn,
             part.version,
             std::min(held->first, part.first),
             std::max(held->end, part.end),
             covers || (held->gapless && touches),
             part.stream};
  }
  void append_oldest_coalesced() {
    const Part part = held_.front();
    held_.erase(held_.begin());
    if (pending_trims_.erase(part.lpn) > 0) return trim_now(part.lpn);
    const auto old = map_.find(part.lpn);
    if (!is_whole(part) && old != map_.end() && !is_staged(old->second)) ++counts_.read_modify_writes;
    put(part);
    counts_.filled_bytes += rules_.page_bytes - (part.end - part.first);
  }
  bool is_staged(const Place& place) const {
    return std::any_of(frontiers_.begin(), frontiers_.end(), [&](const Frontier& frontier) {
      if (frontier.superblock != place.superblock) return false;
      for (std::uint32_t i = frontier.used - frontier.staged; i < frontier.used; ++i) {
        if (places_[i] == place.position) return true;
      }
      return false;
    });
  }

  // --- pages in the flash ---
  void trim_now(std::uint32_t lpn) {
    drop_coalesced(lpn);
    if (map_.count(lpn) == 0) return;
    forget(lpn);
    ++counts_.trimmed;
  }
  void forget(std::uint32_t lpn) {
    const auto old = map_.find(lpn);
    if (old == map_.end()) return;
    Superblock& superblock = superblocks_[old->second.superblock];
    superblock.current.erase(old->second.position);
    if (superblock.candidate_since > 0) superblock.candidate_since = ++events_;
    map_.erase(old);
  }
  void put(const Part& part) {
    for (std::uint32_t left = rules_.trims_per_host_write; left > 0 && execute_trim(); --left) {
    }
    Frontier& frontier = frontiers_[part.stream < rules_.host_frontiers ? part.stream : 0];
    if (active_ && rules_.pages_per_host_write > 0) relocate_some();
    make_room(frontier);
    if (const auto old = map_.find(part.lpn); old != map_.end()) frontier.replaces.insert(old->second.superblock);
    forget(part.lpn);
    stage(frontier, {part.lpn, part.version}, true);
    ++counts_.host;
  }
  bool execute_trim() {
    while (!trims_to_do_.empty()) {
      const std::uint32_t lpn = trims_to_do_.front();
      trims_to_do_.pop_front();
      if (pending_trims_.erase(lpn) == 0) continue;
      trim_now(lpn);
      return true;
    }
    return false;
  }
  void stage(Frontier& frontier, const Page& page, bool from_host) {
    if (frontier.staged == 0) frontier.stage = ++newest_stage_;
    const std::uint32_t position = places_[frontier.used++];
    superblocks_[frontier.superblock].pages[position] = page;
    ++frontier.staged;
    frontier.staged_by_host += from_host;
    if (page.lpn != kNobody) {
      map_[page.lpn] = {frontier.superblock, position};
      superblocks_[frontier.superblock].current.insert(position);
      ++pages_appended_;
    }
    if (frontier.staged == rules_.pages_per_stripe) program(frontier);
  }
  void program(Frontier& frontier) {
    frontier.staged = frontier.staged_by_host = 0;
    frontier.replaces.clear();
    if (rules_.parity_every > 0 && frontier.used % ((rules_.parity_every - 1) * rules_.pages_per_stripe) == 0)
      counts_.parity += rules_.pages_per_stripe;
    if (!has_room(frontier)) close(frontier.superblock);
    erase_pending();
  }
  void pad(Frontier& frontier) {
    while (frontier.staged > 0) {
      ++counts_.padded;
      stage(frontier, {kNobody, 0}, false);
    }
  }

  // --- superblocks ---
  bool has_room(const Frontier& frontier) const { return room(frontier) > 0; }
  std::size_t room(const Frontier& frontier) const {
    return frontier.superblock == kNobody ? 0 : places_.size() - frontier.used;
  }
  void open(Frontier& frontier) {
    auto chosen = free_.begin();
    for (auto other = free_.begin(); rules_.least_worn_first && other != free_.end(); ++other) {
      if (superblocks_[*other].erases < superblocks_[*chosen].erases) chosen = other;
    }
    if (chosen == free_.end()) throw std::logic_error("the reference has no free superblock");
    frontier.superblock = *chosen;
    frontier.used = 0;
    superblocks_[*chosen].frontier = static_cast<std::uint32_t>(&frontier - frontiers_.data());
    free_.erase(chosen);
  }
  void close(std::uint32_t superblock) {
    superblocks_[superblock].closed_at = pages_appended_;
    closed_.push_back(superblock);
    let_candidates_in();
  }
  void let_candidates_in() {
    for (std::size_t i = 0; i < closed_.size() && (rules_.window == 0 || i < rules_.window); ++i) {
      Superblock& superblock = superblocks_[closed_[i]];
      if (superblock.candidate_since == 0) superblock.candidate_since = ++events_;
    }
  }
  bool holds_up(const Frontier& frontier, const PendingErase& pending) const {
    if (frontier.staged == 0) return false;
    return rules_.handles ? frontier.replaces.count(pending.superblock) > 0 : frontier.stage <= pending.stage;
  }
  bool holds_up_any(const Frontier& frontier) const {
    return std::any_of(pending_erases_.begin(), pending_erases_.end(),
                       [&](const PendingErase& pending) { return holds_up(frontier, pending); });
  }
  void erase_pending() {
    for (auto pending_erase = pending_erases_.begin(); pending_erase != pending_erases_.end();) {
      if (std::any_of(frontiers_.begin(), frontiers_.end(),
                      [&](const Frontier& frontier) { return holds_up(frontier, *pending_erase); })) {
        ++pending_erase;
        continue;
      }
      Superblock& superblock = superblocks_[pending_erase->superblock];
      ++superblock.erases;
      ++counts_.erased;
      free_.push_back(pending_erase->superblock);
      pending_erase = pending_erases_.erase(pending_erase);
    }
  }

  // --- collection ---
  bool takes_relocated(const Frontier& frontier) const {
    return !rules_.separate_relocation || &frontier >= &frontiers_[rules_.host_frontiers];
  }
  std::size_t reserve() const { return rules_.host_frontiers; }
  std::size_t free_soon() const { return free_.size() + pending_erases_.size(); }
  void watch_free_space() {
    if (free_soon() <= rules_.start_free) active_ = true;
    if (free_soon() >= rules_.stop_free) active_ = false;
  }
  bool host_may_write(const Frontier& frontier) const {
    if (!has_room(frontier)) return false;
    if (free_soon() >= reserve()) return true;
    if (victim_ == kNobody) return false;
    return !takes_relocated(frontier) || room(frontier) >= superblocks_[victim_].current.size() + 1;
  }
  void make_room(Frontier& frontier) {
    for (int patience = 0; !host_may_write(frontier); ++patience) {
      if (patience > 1'000'000) throw std::logic_error("the reference collects for ever");
      if (!has_room(frontier) && free_.size() > reserve()) {
        open(frontier);
        watch_free_space();
      } else if (victim_ != kNobody || choose_victim()) {
        end_victim();
      } else {
        free_what_waits();
      }
    }
  }
  void free_what_waits() {
    if (pending_erases_.empty()) throw std::logic_error("the reference finds nothing to collect");
    while (!pending_erases_.empty() && free_.size() <= reserve()) pad(oldest_staged());
  }
  Frontier& oldest_staged() {
    Frontier* oldest = nullptr;
    for (Frontier& frontier : frontiers_) {
      if (holds_up_any(frontier) && (oldest == nullptr || frontier.stage < oldest->stage)) oldest = &frontier;
    }
    if (oldest == nullptr) throw std::logic_error("the reference waits for an erase, but nothing is staged");
    return *oldest;
  }
  void end_victim() {
    while (victim_ != kNobody) advance();
  }
  void relocate_some() {
    for (std::uint32_t moved = 0; active_ && moved < rules_.pages_per_host_write;) {
      if (victim_ == kNobody && (!room_for_victim() || !choose_victim())) return;
      moved += advance();
    }
  }
  bool room_for_victim() const {
    std::size_t places = free_.size() * places_.size();
    for (const Frontier& frontier : frontiers_) places += takes_relocated(frontier) ? room(frontier) : 0;
    return places >= reserve() * places_.size();
  }
  // Moves what is left of the next stripe of the victim, or is done with it.
  std::uint32_t advance() {
    if (to_move_.empty()) {
      pending_erases_.push_back({victim_, newest_stage_});
      victim_ = kNobody;
      erase_pending();
      ++counts_.collected;
      watch_free_space();
      return 0;
    }
    std::uint32_t moved = 0;
    const std::uint32_t stripe = to_move_.front() / rules_.pages_per_stripe;
    while (!to_move_.empty() && to_move_.front() / rules_.pages_per_stripe == stripe) {
      const std::uint32_t position = to_move_.front();
      to_move_.pop_front();
      if (superblocks_[victim_].current.count(position) == 0) continue;
      move(position);
      ++moved;
    }
    return moved;
  }
  void move(std::uint32_t position) {
    Superblock& victim = superblocks_[victim_];
    const Page page = victim.pages.at(position);
    const std::uint32_t of_class = victim.frontier % rules_.host_frontiers;
    Frontier& frontier = destination(frontiers_[of_class + (rules_.separate_relocation ? rules_.host_frontiers : 0)]);
    frontier.replaces.insert(victim_);
    victim.current.erase(position);
    stage(frontier, page, false);
    ++(for_wear_ ? counts_.relocated_for_wear : counts_.relocated);
  }
  bool may_mix(const Frontier& a, const Frontier& b) const {
    return !rules_.handles || (&a - &b) % static_cast<std::ptrdiff_t>(rules_.host_frontiers) == 0;
  }
  Frontier& destination(Frontier& own) {
    if (has_room(own)) return own;
    while (free_.empty() && !pending_erases_.empty()) {
      Frontier& oldest = oldest_staged();
      if (has_room(oldest) && may_mix(own, oldest)) return oldest;
      pad(oldest);
    }
    if (!free_.empty()) {
      open(own);
      return own;
    }
    for (Frontier& frontier : frontiers_) {
      if (has_room(frontier) && may_mix(own, frontier)) return frontier;
    }
    throw std::logic_error("the reference has no room for a relocated page");
  }

  // --- the choice of a victim ---
  bool choose_victim() {
    const std::uint32_t worn = choose_by_wear();
    if (worn != kNobody) return begin(worn, true);
    if (closed_.empty()) return false;
    std::uint32_t chosen = free_soon() == 0 ? emptiest() : choose();
    const bool full = superblocks_[chosen].current.size() >= places_.size();
    const bool any_stale = std::any_of(closed_.begin(), closed_.end(),
                                       [this](std::uint32_t b) { return superblocks_[b].current.size() < places_.size(); });
    if (full && !any_stale) return false;
    futile_ = full ? futile_ + 1 : 0;
    if (futile_ > 64 * closed_.size()) chosen = emptiest();
    return begin(chosen, false);
  }
  bool begin(std::uint32_t chosen, bool for_wear) {
    closed_.erase(std::find(closed_.begin(), closed_.end(), chosen));
    superblocks_[chosen].candidate_since = 0;
    let_candidates_in();
    victim_ = chosen;
    for_wear_ = for_wear;
    to_move_.assign(superblocks_[chosen].current.begin(), superblocks_[chosen].current.end());
    if (rules_.shuffle) {
      for (std::size_t left = to_move_.size(); left > 1; --left)
        std::swap(to_move_[left - 1], to_move_[random_.below(left)]);
      std::reverse(to_move_.begin(), to_move_.end());  // the last of the shuffled ones is taken first
    }
    return true;
  }
  std::uint32_t choose_by_wear() {
    if (rules_.static_spread == 0 || counts_.erased < wear_checked_at_ + rules_.check_every_erases) return kNobody;
    if (free_.size() <= reserve()) return kNobody;
    wear_checked_at_ = counts_.erased;
    std::uint64_t most = 0;
    for (const Superblock& superblock : superblocks_) most = std::max(most, superblock.erases);
    const auto least = std::min_element(closed_.begin(), closed_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return superblocks_[a].erases < superblocks_[b].erases;
    });
    return least != closed_.end() && most - superblocks_[*least].erases > rules_.static_spread ? *least : kNobody;
  }
  std::uint32_t emptiest() const {
    return *std::min_element(closed_.begin(), closed_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return superblocks_[a].current.size() < superblocks_[b].current.size();
    });
  }
  std::uint32_t choose() {
    switch (rules_.policy) {
      case Policy::greedy: return choose_greedily();
      case Policy::drawn: return choose_by_draws();
      case Policy::fifo: return closed_.front();
      default: return choose_by_benefit();
    }
  }
  std::uint32_t choose_greedily() {
    std::vector<std::uint32_t> best;
    for (const std::uint32_t b : closed_) {
      if (superblocks_[b].candidate_since == 0) continue;
      const std::size_t current = superblocks_[b].current.size();
      if (!best.empty() && current > superblocks_[best[0]].current.size()) continue;
      if (!best.empty() && current < superblocks_[best[0]].current.size()) best.clear();
      best.push_back(b);
    }
    if (rules_.ties == Ties::drawn) {
      if (best.size() > 1) random_.below(best.size());
      return reported(superblocks_[best[0]].current.size());
    }
    std::sort(best.begin(), best.end(), [this](std::uint32_t a, std::uint32_t b) {
      return superblocks_[a].candidate_since < superblocks_[b].candidate_since;
    });
    return rules_.ties == Ties::latest ? best.back() : best.front();
  }
  std::uint32_t choose_by_draws() {
    std::uint64_t rank = closed_.size();
    for (std::uint32_t i = 0; i < rules_.drawn; ++i) rank = std::min(rank, random_.below(closed_.size()));
    std::vector<std::size_t> sorted;
    for (const std::uint32_t b : closed_) sorted.push_back(superblocks_[b].current.size());
    std::sort(sorted.begin(), sorted.end());
    return reported(sorted[rank]);
  }
  std::uint32_t reported(std::size_t current) {
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
  std::uint32_t choose_by_benefit() const {
    std::uint32_t best = kNobody;
    double best_score = -1;
    const double pages = rules_.stripes * rules_.pages_per_stripe;
    for (const std::uint32_t b : closed_) {
      const double current = static_cast<double>(superblocks_[b].current.size());
      const double cost = rules_.policy == Policy::cost_benefit ? pages + current : 2 * current;
      const double age = static_cast<double>(pages_appended_ - superblocks_[b].closed_at);
      const double score = (cost > 0 ? (pages - current) / cost : 1e12) * age;
      if (score <= best_score) continue;
      best = b;
      best_score = score;
    }
    return best;
  }

  ReferenceRules rules_;
  RandomStream random_;
  std::vector<std::uint32_t> places_;  // positions for data in a superblock, in order
  std::map<std::uint32_t, Place> map_;
  std::vector<Superblock> superblocks_;
  std::vector<Frontier> frontiers_;  // the host's, then those of relocation
  std::deque<std::uint32_t> free_;
  std::vector<std::uint32_t> closed_;  // in order of closing
  std::vector<PendingErase> pending_erases_;
  std::vector<Part> held_;  // in order of arrival
  std::deque<std::uint32_t> trims_to_do_, reported_;
  std::set<std::uint32_t> pending_trims_;
  std::deque<std::uint32_t> to_move_;
  Counts counts_;
  std::uint32_t newest_version_ = 0;
  std::uint64_t newest_stage_ = 0, pages_appended_ = 0, events_ = 0, futile_ = 0, wear_checked_at_ = 0;
  std::uint32_t victim_ = kNobody;
  bool active_ = false, for_wear_ = false;
};

}  // namespace ftlab::testing
