// A naive second FTL: maps, sets and lists, and every search is linear. It shares only the rules with ftl/ and is compared
// with it: given the same requests, it must have the same placement and counters. It implements a page map with one pool:
// frontiers, reserve, GC paced by host writes or all at once, static wear levelling, trims, partial pages held in RAM,
// padding by flushes, parity.
//
// Random choices use the same random numbers. The rules do not define the order of superblocks with equally many valid
// pages. In these cases the FTL reports its choice, and the reference checks that it has the number of valid pages of the
// random choice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "validation/checks/reference/reference_frontiers.h"
#include "validation/checks/reference/reference_victims.h"

namespace ftlab::testing {

// Pages that the reference FTL holds in RAM, in order of arrival.
class ReferenceBuffer {
 public:
  struct Part {
    std::uint32_t lpn, version, first, end;
    bool gapless;
    std::uint32_t stream;
  };

  std::size_t size() const { return held_.size(); }
  // Null if no part of the page is held.
  const Part* find(std::uint32_t lpn) const {
    const auto held = std::find_if(held_.begin(), held_.end(), [lpn](const Part& part) { return part.lpn == lpn; });
    return held == held_.end() ? nullptr : &*held;
  }
  void drop(std::uint32_t lpn) {
    std::erase_if(held_, [lpn](const Part& part) { return part.lpn == lpn; });
  }
  Part take_oldest() {
    const Part part = held_.front();
    held_.erase(held_.begin());
    return part;
  }
  // Returns true if the page was already held.
  bool overlay(const Part& part) {
    const auto held = std::find_if(held_.begin(), held_.end(), [&](const Part& other) { return other.lpn == part.lpn; });
    if (held == held_.end()) {
      held_.push_back(part);
      return false;
    }
    const bool covers = part.first <= held->first && held->end <= part.end;
    const bool touches = part.first <= held->end && held->first <= part.end;
    *held = {part.lpn,
             part.version,
             std::min(held->first, part.first),
             std::max(held->end, part.end),
             covers || (held->gapless && touches),
             part.stream};
    return true;
  }

 private:
  std::vector<Part> held_;
};

class ReferenceFtl {
 public:
  struct Counts {
    std::uint64_t host = 0, relocated = 0, relocated_for_wear = 0, padded = 0, parity = 0, erased = 0, collected = 0;
    std::uint64_t coalesced = 0, read_modify_writes = 0, filled_bytes = 0, trimmed = 0;
  };

  explicit ReferenceFtl(const ReferenceRules& rules);
  ReferenceFtl(const ReferenceFtl&) = delete;
  ReferenceFtl& operator=(const ReferenceFtl&) = delete;

  // Host operations.
  void write(std::uint32_t lpn, std::uint32_t first, std::uint32_t end, std::uint32_t stream);

  void trim(std::uint32_t first, std::uint32_t end);

  void flush();

  // See ReferenceVictims::report().
  void report_choice(std::uint32_t superblock) { victims_.report(superblock); }
  std::size_t choices_left() const { return victims_.reports_left(); }

  // Results.
  const std::map<std::uint32_t, ReferencePlace>& map() const { return map_; }
  std::uint32_t version(std::uint32_t lpn) const;
  const Counts& counts() const { return counts_; }
  std::uint64_t erases(std::uint32_t superblock) const { return superblocks_[superblock].erases; }
  const std::deque<std::uint32_t>& free() const { return free_; }

 private:
  using Part = ReferenceBuffer::Part;
  using Frontier = ReferenceFrontiers::Frontier;

  bool is_whole(const Part& part) const { return part.gapless && part.first == 0 && part.end == rules_.page_bytes; }
  void append_oldest_coalesced();

  // Pages in flash.
  void trim_now(std::uint32_t lpn);
  void forget(std::uint32_t lpn);
  void put(const Part& part);
  bool execute_trim();
  void stage(Frontier& frontier, const ReferencePage& page, bool from_host);
  void program(Frontier& frontier);
  void pad(Frontier& frontier);

  // Superblocks.
  void open(Frontier& frontier);
  void erase_pending();

  // Garbage collection.
  std::size_t reserve() const { return rules_.host_frontiers; }
  std::size_t free_or_pending_erase() const { return free_.size() + frontiers_.postponed(); }
  void watch_free_space();
  bool host_may_write(const Frontier& frontier) const;
  void make_room(Frontier& frontier);
  void free_what_waits();
  void end_victim();
  void relocate_some();
  bool choose_victim();
  // Moves the rest of the victim's next stripe, or finishes the victim.
  std::uint32_t advance();
  void move(std::uint32_t position);
  Frontier& destination(Frontier& own);

  ReferenceRules rules_;
  std::vector<ReferenceSuperblock> superblocks_;
  ReferenceFrontiers frontiers_;
  ReferenceVictims victims_;
  ReferenceBuffer buffer_;
  std::map<std::uint32_t, ReferencePlace> map_;
  std::deque<std::uint32_t> free_;
  std::deque<std::uint32_t> trims_to_do_;
  std::set<std::uint32_t> pending_trims_;
  ReferenceVictims::Victim victim_;
  Counts counts_;
  std::uint32_t newest_version_ = 0;
  std::uint64_t pages_appended_ = 0;
  bool active_ = false;
};

}  // namespace ftlab::testing
