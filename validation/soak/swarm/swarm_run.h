// Executes one plan against a shadow, in two phases. Safety: the flash fails as planned, every read is compared, every
// completion is checked, and the whole state is inspected at intervals. Liveness: the drive is saved and loaded into one
// whose flash no longer fails; it continues and must become idle in a bounded number of steps with nothing outstanding.
//
//   every completion      was requested, and only once; is not earlier than its request; the parts of its latency sum to its
//                         latency; its status is one that the plan allows
//   every read            returns the version last written there, or no data after a trim
//   at intervals          inspect(), every page against the shadow, and the counters of layer and medium against each other
//                         and against the host's own
//   overall               no request takes more flash steps than moving the whole drive four times
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "ftl/drive/drive.h"
#include "sim/core/signature.h"
#include "sim/counters.h"
#include "validation/soak/swarm/plan.h"

namespace ftlab::soak {

// Rare states that a night of the swarm must reach, by name. Most follow from the drive's counters at the end of a run; some
// are looked for between requests through the drive's public interface, so the drive needs no hooks.

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

struct SwarmOutcome {
  std::string failure;  // the first error; empty if none
  std::uint64_t operations = 0;
  std::uint64_t pages_compared = 0;
  std::uint64_t inspections = 0;
  bool read_only = false;
  ProbeCounts probes;
  Counters counters;
  std::uint64_t skipped_erases = 0;  // erases saved because a program had failed in the block
  std::uint64_t spoiled_reads = 0;   // planned to fail, and executed
  Signature completions;             // times, tags and states, in order
  Signature state;                   // the drive at the end
};

// A hook for tests of the swarm itself: requests that the shadow misses, so that a correct drive seems wrong.
using Lie = std::function<bool(const Request& request, const SwarmPlan& plan)>;

// Never throws: an exception from the drive is a failure.
SwarmOutcome execute(const SwarmPlan& plan, const Lie& lie = nullptr);

}  // namespace ftlab::soak
