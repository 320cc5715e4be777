// Rare states that a night of the swarm must reach, by name. Most follow from the drive's counters at the end of a run; some
// are looked for between requests through the drive's public interface, so the drive needs no hooks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "ftl/drive/drive.h"

namespace ftlab::soak {

// States that no counter shows.
enum class Probe : std::uint8_t {
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
  last_sector,
  whole_drive_mapped,
  all_trimmed,
  loaded_state,
};
inline constexpr std::size_t kProbeCount = 16;

struct ProbeName {
  std::string name;
  bool required;  // a night fails if none of its runs reached the state
};

// For one run or several: the number of runs that reached each state.
class ProbeCounts {
 public:
  // The states of `Probe` in order, then one per counter that must have moved.
  static std::span<const ProbeName> names();

  ProbeCounts();
  void hit(Probe probe) { counts_[static_cast<std::size_t>(probe)] = 1; }
  // Takes a run's counters at its end.
  void take(const Counters& counters);
  void add(const ProbeCounts& run);
  std::uint64_t count(std::size_t index) const { return counts_[index]; }

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace ftlab::soak
