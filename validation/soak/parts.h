// The parts of ftlab-soak beside the swarm, one source each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/plan.h"

namespace ftlab::soak {

// Jobs whose hashes must be equal on every machine and in every run: over the stream of completions (time, tag, status) and
// over the final state.

// Runs a job. Returns one line: number of the job, hash of the completions, hash of the state.
std::string hashes_of_job(std::uint64_t seed, std::uint64_t job);

struct DeterminismAsked {
  std::uint64_t seed = 1;
  std::uint64_t jobs = 200;
  std::vector<std::string> programs;  // other builds of ftlab-soak, which must give the same hashes
};

// Runs each job twice in this process, with another job in between; once in a second process of this program, which must be
// ftlab-soak; and once in each of the other programs.
std::vector<Figure> compare_runs(const DeterminismAsked& asked);

// Drives with exactly the flash that they need, and with slightly less. Either the drive file is refused with the
// arithmetic, or the drive accepts random writes of ten times its capacity. There is nothing in between.

struct EdgesReached {
  std::uint64_t drives = 0;    // tested on both sides of the limit
  std::uint64_t refusals = 0;  // with correct arithmetic
  std::uint64_t lives = 0;     // ten times the capacity written to a drive of the allowed size
  std::uint64_t failures = 0;
  std::string first_failure;
};

EdgesReached try_edges(std::uint64_t seed, std::uint64_t first, std::uint64_t count);

std::vector<Figure> figures_of(std::uint64_t asked, const EdgesReached& reached);

// Drives that are written until they die, by wear or by permanent failures, with every collection policy.

// Plan of a small drive; the policies alternate.
SwarmPlan ending(std::uint64_t index);

struct EndingsReached {
  std::uint64_t drives = 0;  // became read-only with all acknowledged data intact
  std::uint64_t failures = 0;
  std::string first_failure;
};
EndingsReached end_drives(std::uint64_t first, std::uint64_t count, const std::string& corpus);

std::vector<Figure> figures_of(std::uint64_t asked, const EndingsReached& reached);

// Sweeps in which one program, erase or read of the flash after the other fails, until the run has no more of them: as a
// single failure, with all later ones, and as pairs.

enum class FlashFault : std::uint8_t { program, erase, read };
enum class FaultSpan : std::uint8_t { single, from_then_on };

// A short run on a small, full drive during garbage collection. All scenarios are drawn at the first call. REQUIRES: index <
// kScenarios.
inline constexpr std::uint32_t kScenarios = 30;
const SwarmPlan& scenario(std::uint32_t index);

struct SweepReached {
  std::uint64_t scenarios = 0;  // swept completely
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::string first_failure;  // with the command that repeats it
  void add(const SweepReached& other);
};

// Fails operations 1, 1 + stride, 1 + 2 stride and so on. `corpus`: folder for failing plans; empty: they are not kept.
SweepReached sweep_faults(std::uint32_t scenario_index, FlashFault kind, FaultSpan span, std::uint64_t stride,
                          const std::string& corpus);
// Draws and tests this many pairs of operations.
SweepReached sweep_pairs(std::uint32_t scenario_index, FlashFault kind, std::uint64_t pairs, const std::string& corpus);

struct SweepAsked {
  std::uint32_t scenarios = kScenarios;
  std::uint64_t stride = 1;
  std::uint64_t pairs = 0;  // per scenario and kind
  std::string corpus;
};
std::vector<Figure> sweep_all(const SweepAsked& asked);

}  // namespace ftlab::soak
