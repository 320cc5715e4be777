#include "validation/calibrate/prediction.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ftl/drive/drive.h"
#include "sim/core/archive.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/host/stack/host_stack.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/workload/files/job_file.h"
#include "validation/calibrate/planned_jobs.h"
#include "validation/results/machine_memory.h"
#include "validation/run/side_by_side.h"

namespace ftlab {
namespace {

constexpr std::size_t kRunsWithWrites = 8;  // per fork of the state
constexpr std::uint64_t kRunsPerOutstanding = 2;
constexpr std::uint64_t kRampPerOutstanding = 1;
constexpr std::uint64_t kLeastRamp = 500;

// `region_bytes`: the part of the drive, from its beginning, that requests go to; 0: all of it.
std::string job_text(const Workload& workload, std::uint64_t ramp_us, std::uint64_t runtime_us, std::uint64_t region_bytes) {
  std::string text = "[point]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\nrefill_buffers=1\ntime_based\n";
  if (region_bytes > 0) text += "size=" + std::to_string(region_bytes) + "\n";
  text += "norandommap\nrandrepeat=0\nrw=" + workload.rw + "\nbs=" + std::to_string(workload.block_bytes) + "\n";
  if (workload.read_percent > 0) text += "rwmixread=" + std::to_string(workload.read_percent) + "\n";
  text += "iodepth=" + std::to_string(workload.depth) + "\nnumjobs=" + std::to_string(workload.jobs) + "\n";
  return text + "ramp_time=" + std::to_string(ramp_us) + "us\nruntime=" + std::to_string(runtime_us) + "us\n";
}

JobFile jobs_of(const std::string& text, std::uint64_t capacity) {
  JobContext context;
  context.capacity_bytes = capacity;
  return parse_job_file(text, "point", context);
}

// Rate of a run, both directions together, as measured. It determines how long to simulate.
double requests_per_s(const std::vector<Point>& points, const std::vector<std::size_t>& run) {
  double sum = 0;
  for (const std::size_t p : run) sum += *points[p].iops;
  return sum;
}

// Requests before the measurement, and measured ones.
struct RunLength {
  double ramp = 0, measured = 0;
};

RunLength length_of(const Workload& workload, std::uint64_t requests) {
  const std::uint64_t outstanding = workload.depth * workload.jobs;
  return {static_cast<double>(outstanding * kRampPerOutstanding + kLeastRamp),
          static_cast<double>(std::max(requests, outstanding * kRunsPerOutstanding))};
}

struct Measured {
  Histogram latency;
  double seconds = 0;
};

Measured measured_of(const RunStats& stats, Direction direction) {
  Measured all;
  Nanoseconds started = kNever, ended{0};
  for (const JobStats& job : stats.jobs) {
    all.latency.merge(job.directions[static_cast<std::size_t>(direction)].latency);
    started = std::min(started, job.started);
    ended = std::max(ended, job.ended);
  }
  all.seconds = static_cast<double>((ended - started).count()) / 1e9;
  return all;
}

// If nothing completed in the time of thousands of requests on the measured drive, counts one: a bound of the rate.
PredictedFigures figures_of(const Measured& measured, const Point& asked, double before_issue) {
  const double count = static_cast<double>(std::max<std::uint64_t>(measured.latency.count(), 1));
  const auto counted = [before_issue](double ns) { return std::max(ns - before_issue, 1.0); };
  PredictedFigures figures;
  figures.iops = count / measured.seconds;
  figures.latency_mean_ns = counted(measured.latency.mean_ns());
  for (const Percentile& percentile : asked.percentiles)
    figures.percentiles_ns.push_back(counted(static_cast<double>(measured.latency.percentile_ns(percentile.percent))));
  return figures;
}

[[noreturn]] void refuse_point(const Point& point, std::string_view problem, std::string_view value = {},
                               std::string_view allowed = {}) {
  throw ConfigError({point.file, point.line}, name_of(point.workload), problem, value, allowed);
}

void check_point(const Point& point, std::uint64_t capacity) {
  const std::uint64_t block = point.workload.block_bytes;
  if (block % kSectorBytes != 0)
    refuse_point(point, "has a block size that the drive does not support", std::to_string(block), "multiples of 512 bytes");
  if (block > capacity) {
    refuse_point(point, "has a block size beyond the drive's capacity", std::to_string(block),
                 "at most " + std::to_string(capacity) + " bytes");
  }
  if (point.workload.depth * point.workload.jobs > 65536)
    refuse_point(point, "has more requests outstanding than are simulated",
                 std::to_string(point.workload.depth * point.workload.jobs), "at most 65536");
}

}  // namespace

Prediction::Prediction(const Node& drive, std::vector<Point> points, const PredictionOptions& options)
    : points_(std::move(points)), options_(options), state_(state_of(drive).value_or(DriveState())) {
  const DeviceConfig config = read_device(without_state(drive));
  for (const Point& asked : points_) check_point(asked, config.user_bytes());
  plan();
  if (!config.ssd) return;
  states_ = std::make_unique<SavedStates>(*config.ssd, options_.seed, options_.interrupted);
  states_of({drive});
}

Prediction::Prediction(const Prediction& like, std::vector<Point> points)
    : points_(std::move(points)), options_(like.options_), state_(like.state_), states_(like.states_) {
  plan();
}

JobFile Prediction::jobs_for(const Run& run, std::uint64_t capacity) const {
  const Point& first = points_[run.points.front()];
  RunLength length = length_of(first.workload, options_.requests);
  std::uint64_t region = 0;
  if (options_.planned) {
    region = planned_region(capacity, state_);
    const bool writes = run.points.size() > 1 || first.direction != Direction::read;
    const double most = planned_writes(state_, first.workload, region);
    length.ramp = writes ? std::min(length.ramp, kPlannedRamp * most) : length.ramp;
    length.measured = writes ? std::min(length.measured, most - length.ramp) : length.measured;
  }
  const double iops = requests_per_s(points_, run.points);
  const auto in_us = [](double seconds) { return static_cast<std::uint64_t>(std::ceil(seconds * 1e6)); };
  return jobs_of(job_text(first.workload, in_us(length.ramp / iops), in_us(length.measured / iops), region), capacity);
}

void Prediction::plan() {
  const auto same_run = [this](std::size_t a, std::size_t b) {
    return points_[a].workload == points_[b].workload && points_[a].direction != points_[b].direction;
  };
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) {
      return run.points.size() == 1 && same_run(run.points.front(), p);
    });
    if (found == runs_.end()) {
      runs_.push_back({{p}});
    } else {
      found->points.push_back(p);
    }
  }
  constexpr std::size_t kRunsOfReads = 16;
  std::optional<std::size_t> open[2];
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const bool writes = runs_[r].points.size() > 1 || points_[runs_[r].points.front()].direction != Direction::read;
    const std::size_t most = writes ? kRunsWithWrites : kRunsOfReads;
    if (!open[writes] || pieces_[*open[writes]].runs.size() >= most) {
      open[writes] = pieces_.size();
      pieces_.emplace_back();
    }
    pieces_[*open[writes]].runs.push_back(r);
  }
}

std::vector<std::vector<PredictedFigures>> Prediction::of(const std::vector<Node>& drives, std::uint64_t seed) const {
  std::vector<DeviceConfig> configs;
  for (const Node& drive : drives) {
    configs.push_back(read_device(without_state(drive)));
    if (configs.back().disk) continue;
    refuse_beyond_memory(*configs.back().ssd, true, configs.back().name(),
                         at_once(drives.size() * pieces_.size(), options_.threads));
  }
  const std::vector<StateArchive> states = states_of(drives);
  std::vector<std::vector<PredictedFigures>> all(drives.size(), std::vector<PredictedFigures>(points_.size()));
  side_by_side(drives.size() * pieces_.size(), options_.threads, [&](std::size_t i) {
    const std::size_t drive = i / pieces_.size();
    execute(configs[drive], states[drive], pieces_[i % pieces_.size()], seed, all[drive]);
  });
  return all;
}

// Of disks: empty ones.
std::vector<StateArchive> Prediction::states_of(const std::vector<Node>& drives) const {
  if (!states_) return std::vector<StateArchive>(drives.size());
  std::vector<DriveState> states;
  for (const Node& drive : drives) states.push_back(state_of(drive).value_or(DriveState()));
  return states_->of(states, options_.threads);
}

std::unique_ptr<Drive> Prediction::forked(const DriveConfig& config, const std::string& state) const {
  auto drive = std::make_unique<Drive>(config, Clock::untimed, options_.seed);
  try {
    drive->load(state);
  } catch (const ArchiveError& error) {
    throw ConfigError({"--fit", 0}, config.name, "differs from its base by more than times, rates and queue depths",
                      error.what());
  }
  drive->set_clock(Clock::timed);
  return drive;
}

void Prediction::execute(const DeviceConfig& config, const StateArchive& state, const Piece& piece, std::uint64_t seed,
                         std::vector<PredictedFigures>& figures) const {
  if (config.disk) {
    Disk disk(*config.disk, true, options_.seed);
    run_piece(disk, config.disk->host, piece, seed, figures);
  } else {
    run_piece(*forked(*config.ssd, *state), config.ssd->host, piece, seed, figures);
  }
}

template <class Simulated>
void Prediction::run_piece(Simulated& drive, const HostSoftwareConfig& host_software, const Piece& piece, std::uint64_t seed,
                           std::vector<PredictedFigures>& figures) const {
  for (const std::size_t r : piece.runs) {
    const Run& run = runs_[r];
    const JobFile jobs = jobs_for(run, drive.info().capacity_bytes);
    HostOptions host;
    host.seed = seed + r;
    host.interrupted = options_.interrupted;
    RebasedDevice device(drive, drive.idle_from());
    HostStack stack(device, host_software, seed + r);
    const RunStats stats = run_jobs(stack.front(), jobs.jobs, host);
    for (const std::size_t p : run.points) {
      const bool reads = points_[p].direction == Direction::read;
      const auto submit_ns = static_cast<double>(host_software.submit.of(reads ? Op::read : Op::write).count());
      figures[p] = figures_of(measured_of(stats, points_[p].direction), points_[p], submit_ns);
    }
  }
}

}  // namespace ftlab
