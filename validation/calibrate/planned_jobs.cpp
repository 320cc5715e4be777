#include "validation/calibrate/planned_jobs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <spdlog/fmt/fmt.h>

#include "sim/config/split.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "validation/calibrate/saved_states.h"

namespace ftlab {
namespace {

constexpr char kFill[] = "fill";
constexpr char kOverwrite[] = "overwrite";
constexpr std::uint64_t kOverwriteBytes = 4096;
constexpr std::uint32_t kPercent = kPartsOfShare / 100;
constexpr char kGlobal[] =
    "[global]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\nrefill_buffers\nnorandommap\nrandrepeat=0\nstonewall\n";

std::uint32_t written_percent(const DriveState& state) { return (kPartsOfShare - state.unwritten) / kPercent; }

// size=15% of jobs that use only a part.
std::string size_of(std::uint32_t percent) { return percent == 100 ? "" : fmt::format("size={}%\n", percent); }

std::string fill_text(std::uint32_t percent) {
  return fmt::format("\n# Writes the drive in order.\n[{}]\nrw=write\nbs=128k\niodepth=32\n{}", kFill, size_of(percent));
}

std::string overwrite_text(std::uint32_t percent) {
  return fmt::format("\n# Overwrites the drive twice at random.\n[{}]\nrw=randwrite\nbs={}\niodepth=32\nloops=2\n{}", kOverwrite,
                     kOverwriteBytes, size_of(percent));
}

std::string state_name(const DriveState& state) {
  if (state.unwritten == kPartsOfShare) return "unwritten";
  const std::string name = state.random == 0 ? "sequential" : "random";
  return state.unwritten == 0 ? name : fmt::format("{}{}", name, written_percent(state));
}

std::string job_text(const PlannedJob& job) {
  const Workload& workload = job.workload;
  const auto ramp_ms = static_cast<std::uint64_t>(std::ceil(1000 * job.seconds * kPlannedRamp));
  const auto all_ms = static_cast<std::uint64_t>(std::ceil(1000 * job.seconds));
  std::string text = fmt::format("\n# {}\n[{}]\nrw={}\nbs={}k\niodepth={}\n", job.comment, planned_name(job), workload.rw,
                                 workload.block_bytes / 1024, workload.depth);
  if (job.state.unwritten != kPartsOfShare) text += size_of(written_percent(job.state));
  return text + fmt::format("time_based\nramp_time={}ms\nruntime={}ms\n", ramp_ms, std::max<std::uint64_t>(1, all_ms - ramp_ms));
}

// Reads the per cent behind the name of a state, as 15 in "sequential15". Nothing means 100; 0: it is not a number.
std::uint32_t written_percent(std::string_view digits) {
  if (digits.empty()) return 100;
  const std::uint32_t percent = parsed<std::uint32_t>(digits).value_or(0);
  return percent < 100 ? percent : 0;
}

}  // namespace

std::uint64_t planned_region(std::uint64_t capacity_bytes, const DriveState& state) {
  return state.unwritten == kPartsOfShare ? capacity_bytes : written_bytes(capacity_bytes, state);
}

double planned_writes(const DriveState& state, const Workload& workload, std::uint64_t region_bytes) {
  const bool keeps = state.random > 0 && workload.rw == "randwrite" && workload.block_bytes == kOverwriteBytes;
  if (keeps) return std::numeric_limits<double>::infinity();
  return kPlannedWrites * static_cast<double>(region_bytes / workload.block_bytes);
}

std::string planned_name(const PlannedJob& job) {
  return fmt::format("{}-{}-{}k-qd{}", state_name(job.state), job.workload.rw, job.workload.block_bytes / 1024,
                     job.workload.depth);
}

std::optional<DriveState> planned_state(const Point& point) {
  if (point.label == kFill || point.label == kOverwrite) return std::nullopt;
  const std::string_view name = std::string_view(point.label).substr(0, point.label.find('-'));
  if (name == "unwritten") return DriveState{kPartsOfShare, 0};
  for (const char* const state : {"sequential", "random"}) {
    if (!name.starts_with(state)) continue;
    const std::uint32_t percent = written_percent(name.substr(std::string_view(state).size()));
    if (percent == 0) break;
    return DriveState{kPartsOfShare - percent * kPercent, state == std::string_view("random") ? kPartsOfShare : 0};
  }
  throw ConfigError({point.file, point.line}, "--state plan", "needs job names that begin with the drive's state", point.label,
                    "results of the job files that ftlab calibrate --plan writes");
}

std::map<DriveState, std::vector<Point>> planned_points(const std::vector<Point>& points) {
  std::map<DriveState, std::vector<Point>> all;
  for (const Point& point : points) {
    if (const auto state = planned_state(point)) all[*state].push_back(point);
  }
  return all;
}

std::string planned_job_file(const std::vector<PlannedJob>& jobs, const std::vector<std::string>& heading) {
  std::string text;
  for (const std::string& line : heading) text += "# " + line + "\n";
  text += kGlobal;
  bool filled = false, overwritten = false;
  for (const PlannedJob& job : jobs) {
    const bool written = job.state.unwritten != kPartsOfShare, random = job.state.random != 0;
    FTLAB_CHECK((written || !filled) && (random || !overwritten), "jobs ordered by state");
    if (written && !filled) text += fill_text(written_percent(job.state));
    if (random && !overwritten) text += overwrite_text(written_percent(job.state));
    filled = written;
    overwritten = random;
    text += job_text(job);
  }
  return text;
}

std::string preparing_job_file(std::uint32_t share, bool overwritten) {
  return kGlobal + fill_text(share) + (overwritten ? overwrite_text(share) : "");
}

}  // namespace ftlab
