// Totals of the runs, and the rare states that a night of tests must reach. Most states follow from the drive's counters at
// the end of a run; the others are looked for between requests through the drive's public interface, so the drive needs no
// hooks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/counters.h"

namespace ftlab::soak {

enum class Count : std::uint8_t {
  // Totals.
  runs,
  operations,
  pages_compared,
  inspections,
  out_of_room,
  // States at power cuts, each cut counts.
  cuts,
  nested,
  amid_recovery,
  by_index,
  by_time,
  first_stripe,
  last_stripe,
  erase,
  collection,
  suspended,
  reserve,
  trim,
  with_running,
  with_waiting,
  with_suspended,
  torn_slots,
  destroyed_lower_slots,
  half_erased,
  lost_trims,
  // States of drives, each run counts once.
  victim_overtaken,
  reserve_in_use,
  nothing_free,
  several_collecting,
  no_spare_left,
  spare_came_in,
  read_only,
  renumbered,
  trim_seen_late,
  trim_called_back,
  pages_held,
  host_waits,
  whole_drive_mapped,
  all_trimmed,
  loaded_state,
};

// For one run or several.
class Counts {
 public:
  // Those of `Count`, then a state for each counter that must have moved, then the timed operations by scheduling policy.
  // `total`: always of interest; `cut`: a night of power cuts must reach it; `state`: a night of the swarm must.
  enum class Group : std::uint8_t { total, cut, state };
  struct Name {
    std::string name;
    Group group;
  };
  static std::span<const Name> names();

  Counts() : counts_(names().size()) {}
  void add(Count count, std::uint64_t n = 1) { counts_[static_cast<std::size_t>(count)] += n; }
  // The run has reached the state.
  void hit(Count state) { counts_[static_cast<std::size_t>(state)] = 1; }
  // Takes a run's counters at its end.
  void take(const Counters& counters);
  void add_timed(std::size_t scheduling_policy, std::uint64_t operations);
  void add(const Counts& run);
  std::uint64_t operator[](Count count) const { return counts_[static_cast<std::size_t>(count)]; }
  std::uint64_t at(std::size_t index) const { return counts_[index]; }

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace ftlab::soak
