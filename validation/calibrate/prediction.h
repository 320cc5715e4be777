// Predicts what a measurement of a drive file would show: simulates each measured workload briefly, on a drive in the state
// of the real one. That is the object `state` of the drive's document (drive_state.h); without it, the drive is written once,
// in order. A state is built untimed; every forecast forks it. Seeds are always the same (common random numbers), so two
// forecasts differ only by their drives. The work is split into the same pieces for any number of threads, so the result
// does not depend on it. A disk has no state: its contents do not affect timing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/document.h"
#include "sim/workload/jobs/job.h"
#include "validation/calibrate/drive_state.h"
#include "validation/calibrate/saved_states.h"
#include "validation/compare/reading/measurement.h"
#include "validation/run/open_device.h"

namespace ftlab {

struct PredictionOptions {
  std::uint64_t seed = 1;
  std::uint64_t requests = 6000;  // measured in each run; at least 2 for each outstanding request
  unsigned threads = 0;           // 0: one per core
  const std::atomic<bool>* interrupted = nullptr;
  // Runs like those of a planned job file (planned_jobs.h): within planned_region() and with planned_writes() at most.
  bool planned = false;
};

// Simulated figures of one point. Latency counts from the return of the submission, like that of points.
struct PredictedFigures {
  double iops = 0;
  double latency_mean_ns = 0;
  std::vector<double> percentiles_ns;  // the percentiles that the point has
};

class Prediction {
 public:
  // Builds the state. Throws ConfigError if the drive cannot execute a point's workload.
  Prediction(const Node& drive, std::vector<Point> points, const PredictionOptions& options);
  // The same drive and states, other points.
  Prediction(const Prediction& like, std::vector<Point> points);

  // Figures of every point for each drive. The drives may differ from the constructor's only by their state, times, rates
  // and queue depths. Throws ConfigError if the state does not fit a drive; throws Interrupted.
  std::vector<std::vector<PredictedFigures>> of(const std::vector<Node>& drives) const { return of(drives, options_.seed); }
  std::vector<std::vector<PredictedFigures>> of(const std::vector<Node>& drives, std::uint64_t seed) const;

  const std::vector<Point>& points() const { return points_; }
  std::uint64_t seed() const { return options_.seed; }

 private:
  // One workload, with the points of its directions.
  struct Run {
    std::vector<std::size_t> points;
  };
  // Runs executed in sequence on one fork of the state: only reads, or few writes, which hardly change the state.
  struct Piece {
    std::vector<std::size_t> runs;
  };
  void plan();
  JobFile jobs_for(const Run& run, std::uint64_t capacity) const;
  std::vector<StateArchive> states_of(const std::vector<Node>& drives) const;
  void execute(const DeviceConfig& config, const StateArchive& state, const Piece& piece, std::uint64_t seed,
               std::vector<PredictedFigures>& figures) const;
  template <class Simulated>
  void run_piece(Simulated& drive, const HostSoftwareConfig& host_software, const Piece& piece, std::uint64_t seed,
                 std::vector<PredictedFigures>& figures) const;
  std::unique_ptr<Drive> forked(const DriveConfig& config, const std::string& state) const;

  std::vector<Point> points_;
  PredictionOptions options_;
  DriveState state_;  // of the constructor's drive
  std::vector<Run> runs_;
  std::vector<Piece> pieces_;
  std::shared_ptr<SavedStates> states_;  // SSDs only
};

}  // namespace ftlab
