#include "validation/calibrate/saved_states.h"

#include "sim/host/host.h"
#include "sim/workload/files/job_file.h"
#include "validation/results/machine_memory.h"
#include "validation/run/side_by_side.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kWriteBytes = 65536;  // of one request, in order; states differ by multiples of it
constexpr std::uint64_t kRandomWriteBytes = 4096;

// A share of the bytes, rounded down to a multiple.
std::uint64_t bytes_of(std::uint64_t bytes, std::uint32_t share, std::uint64_t multiple) {
  const double exact = static_cast<double>(bytes) * share / kPartsOfShare;
  return static_cast<std::uint64_t>(exact) / multiple * multiple;
}

void write(Drive& drive, std::uint64_t bytes, const std::string& options, const std::atomic<bool>* interrupted) {
  if (bytes == 0) return;
  JobContext context;
  context.capacity_bytes = drive.info().capacity_bytes;
  const std::string text =
      "[fill]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\nsize=" + std::to_string(bytes) + "\n" + options;
  const JobFile jobs = parse_job_file(text, "fill", context);
  HostOptions host;
  host.interrupted = interrupted;
  run_jobs(drive, jobs.jobs, host);
}

}  // namespace

std::uint64_t written_bytes(std::uint64_t capacity_bytes, const DriveState& state) {
  return bytes_of(capacity_bytes, kPartsOfShare - state.unwritten, kWriteBytes);
}

std::vector<StateArchive> SavedStates::of(const std::vector<DriveState>& states, unsigned threads) {
  std::map<DriveState, StateArchive> now;
  std::vector<DriveState> missing;
  for (const DriveState& state : states) {
    const auto found = kept_.find(state);
    const bool added = now.emplace(state, found == kept_.end() ? nullptr : found->second).second;
    if (added && found == kept_.end()) missing.push_back(state);
  }
  kept_ = now;
  std::vector<std::string> texts(missing.size());
  side_by_side(missing.size(), threads, [&](std::size_t i) { texts[i] = built(missing[i]); });
  for (std::size_t i = 0; i < missing.size(); ++i)
    now[missing[i]] = std::make_shared<const std::string>(std::move(texts[i]));
  kept_ = now;
  std::vector<StateArchive> all;
  for (const DriveState& state : states) all.push_back(now[state]);
  return all;
}

std::string SavedStates::built(const DriveState& state) const {
  refuse_beyond_memory(config_, true, config_.name);
  Drive drive(config_, Clock::untimed, seed_);
  const std::uint64_t bytes = drive.info().capacity_bytes;
  const std::uint64_t written = written_bytes(bytes, state);
  write(drive, written, "rw=write\nbs=64k\n", interrupted_);
  write(drive, bytes_of(written, state.random, kRandomWriteBytes),
        "rw=randwrite\nbs=4k\nnorandommap\nrandrepeat=0\nloops=2\n", interrupted_);
  return drive.save();
}

}  // namespace ftlab
