// Plans the measurements that tell most about a drive: which workloads, in which states of the drive, determine the keys of
// a fit best within a time. Candidates are a small table of workloads in three states. The drive file predicts their
// figures, and how these change with each key; select_points() chooses by these derivatives, the tolerances of the figures
// and the priors of the keys. So a plan is best for drives near the drive file; a key that no candidate shows there may
// still show on the real drive.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/observation.h"
#include "validation/calibrate/planned_jobs.h"
#include "validation/calibrate/selection.h"

namespace ftlab {

struct PlanOptions {
  std::vector<DriveState> states = whole_states();  // that may be prepared; whole ones
  std::vector<FigureChoice> figures;                // of each point
  std::size_t points = 12;
  double minutes = 10;  // of the real drive, in all
  std::uint64_t scale = 1;
  std::uint64_t seed = 1;
  std::uint64_t requests = 6000;  // simulated of each candidate
  unsigned threads = 0;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string& what, double share)> progress;
};

struct PlannedPoint {
  PlannedJob job;
  SelectedPoint selected;
  std::size_t rank = 0;  // 0: chosen first
};

struct MeasuringPlan {
  std::vector<FitKey> keys;
  std::vector<PlannedPoint> points;  // in the order of the jobs
  Eigen::VectorXd after;             // by key: expected deviation as a share of the prior's
  Eigen::VectorXd of_all;            // the same after all candidates
  std::size_t candidates = 0;
  double preparation_s = 0;  // of the states of the points
  double seconds = 0;        // in all
  std::vector<std::string> notes;
};

// Plans for an SSD's document. `fit`: keys as for parse_fit_keys(), not of the state. Throws ConfigError, also if the time
// does not suffice for any written state; throws Interrupted.
MeasuringPlan plan_measurements(const Node& drive, const std::vector<std::string>& fit, const PlanOptions& options);

// The job file. `heading`: comment lines that it begins with.
std::string job_file_of(const MeasuringPlan& plan, const std::vector<std::string>& heading);

// Tables of the points and the keys.
std::string plan_table(const MeasuringPlan& plan);

}  // namespace ftlab
