// A problem makes figures of a run invalid or unreliable. It is shown wherever the figures are shown: in the summary, on
// stderr, in `ftlab.problems` of result.json, as a column of sweeps, as a Python warning, at the top of the page.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace ftlab {

enum class ProblemCode {
  unwritten_reads,
  depth_counted_as_1,
  option_ignored,
  placement_without_effect,
  placed_elsewhere,
  several_devices,
  not_steady,
  window_below_superblock,
  not_written_over,
  unusual_value,
  other_size,
  nothing_done,
};

struct ProblemKind {
  const char* name;     // in result.json
  const char* meaning;  // for docs/figures.md
};

// Indexed by ProblemCode.
inline constexpr std::array<ProblemKind, 12> kProblemKinds{{
    {"unwritten_reads", "The job read space that was never written: no flash was read."},
    {"depth_counted_as_1", "iodepth was set for a synchronous engine, which keeps one request outstanding."},
    {"option_ignored", "An option of the job has no effect on the simulated drive."},
    {"placement_without_effect", "The job names placement handles or write hints, and the drive places by none."},
    {"placed_elsewhere", "Pages went to another reclaim group or handle than the job names: full, or unknown to the drive."},
    {"several_devices", "The job names several devices; all of them are parts of the one simulated drive."},
    {"not_steady", "Throughput or write amplification was still changing, or is not known within 2 %."},
    {"window_below_superblock", "The host wrote less than a superblock: write amplification of this run says nothing."},
    {"not_written_over", "The host has not written the drive over: wear and life cannot be extrapolated."},
    {"unusual_value", "A value of the drive file lies far outside what the library's drives have."},
    {"other_size", "Runs on devices are compared whose sizes differ by a factor of two or more."},
    {"nothing_done", "No job carried out a request."},
}};

inline const char* name_of(ProblemCode code) { return kProblemKinds[static_cast<std::size_t>(code)].name; }

struct Problem {
  ProblemCode code;
  std::string text;    // one sentence, with its figures
  std::string remedy;  // action for the user
};

}  // namespace ftlab
