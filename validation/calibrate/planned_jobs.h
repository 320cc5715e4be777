// Job files of planned measurements (plan.h), for `ftlab measure`, `ftlab run` and fio. Jobs run one after the other: points
// of the unwritten drive, a job that fills it in order, points of that state, a job that overwrites it at random, points of
// that state. The name of each job says in which state the drive is, so that the result can be fitted with `--state plan`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validation/calibrate/drive_state.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Longest time of a point, with its ramp. Long enough that rates of real drives repeat to a per cent.
inline constexpr double kPlannedSeconds = 10;
// A point of writes ends earlier if it would write more than this share of its part of the drive: the state must last. Small
// random writes of a drive that they overwrote before keep its state, and may last, to cover many collections.
inline constexpr double kPlannedWrites = 0.02;
inline constexpr double kPlannedRamp = 0.1;  // share of a point's time that is not measured

inline constexpr char kStateIsPlanned[] = "plan";  // --state plan

// Bytes, from the drive's beginning, that planned requests go to: the written part, or all of an unwritten drive.
std::uint64_t planned_region(std::uint64_t capacity_bytes, const DriveState& state);

// The most requests that a point of writes may write in this part of the drive.
double planned_writes(const DriveState& state, const Workload& workload, std::uint64_t region_bytes);

struct PlannedJob {
  DriveState state;
  Workload workload;
  double seconds = 0;   // with its ramp
  std::string comment;  // what it tells
};

// "sequential-randread-4k-qd32"; "sequential15-..." if 15 % are written. REQUIRES: a whole per cent is written.
std::string planned_name(const PlannedJob& job);

// The state that a job's name says; empty for jobs that prepare a state. Throws ConfigError if it is not of a plan.
std::optional<DriveState> planned_state(const Point& point);

// The points of a plan's result by state, without those that prepare a state. Throws ConfigError.
std::map<DriveState, std::vector<Point>> planned_points(const std::vector<Point>& points);

// The jobs in this order, with those that prepare their states. `heading`: comment lines, without '#'.
// REQUIRES: `jobs` are ordered by state: unwritten, sequential, random.
std::string planned_job_file(const std::vector<PlannedJob>& jobs, const std::vector<std::string>& heading);

// Job file that only prepares: fills `share` per cent in order and then, if `overwritten`, writes it twice at random.
std::string preparing_job_file(std::uint32_t share, bool overwritten);

}  // namespace ftlab
