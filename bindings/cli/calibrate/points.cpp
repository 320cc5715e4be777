// Calibration to the points of measurements, and the library's drive to start it from.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/calibrate/command.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/drive_state.h"
#include "validation/calibrate/planned_jobs.h"
#include "validation/calibrate/point_targets.h"
#include "validation/calibrate/prediction.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
namespace {

struct Subject {
  std::string name;  // as named on the command line
  Node base;         // includes its host
  std::vector<Measurement> measurements;
  DriveState state;
  std::vector<Point> points;
  std::vector<Observation> observations;
};

std::vector<Measurement> read_all(const std::vector<std::string>& paths) {
  std::vector<Measurement> all;
  for (const std::string& path : paths) all.push_back(read_measurement(path));
  return all;
}

std::vector<bool> held_back(const CalibrateOptions& options, const std::vector<Point>& points) {
  const bool all = options.hold_back == kNothingHeldBack || (options.hold_back.empty() && is_planned(options));
  if (options.fit.empty() || all) return std::vector<bool>(points.size(), false);
  if (options.hold_back.empty()) return held_back_by_depth(points);
  const PointFilter selection(options.hold_back, "--hold-back");
  std::vector<bool> held;
  for (const Point& asked : points) held.push_back(selection.holds(asked));
  return held;
}

std::vector<std::string> named(const std::vector<Measurement>& measurements) {
  std::vector<std::string> names;
  for (const Measurement& measurement : measurements)
    names.push_back(measurement.what.empty() ? measurement.name : measurement.what);
  return names;
}

std::vector<FigureChoice> figures_of(const CalibrateOptions& options) {
  std::vector<FigureChoice> figures;
  for (const std::string& choice : options.figures) figures.push_back(parse_figures(choice));
  return figures;
}

std::vector<Point> selected_points(const CalibrateOptions& options, const std::vector<Measurement>& measurements,
                                   std::vector<std::string>& notes) {
  return points_of(measurements, options.only.empty() ? PointFilter() : PointFilter(options.only, "--only"), notes);
}

// The drive, without points.
Subject subject_of(const CalibrateOptions& options, const std::string& drive, const std::vector<std::string>& measured,
                   const std::string& state) {
  Subject subject;
  subject.name = drive;
  subject.base = load_drive(drive, options.settings, options.host);
  const bool disk = is_disk(subject.base);
  if (disk && !options.state.empty())
    throw ConfigError({"--state", 0}, "", "is of SSDs; what a disk holds changes nothing of its speed", state);
  read_device(subject.base);
  if (!disk && state != kStateIsPlanned) subject.state = parse_drive_state(state);
  subject.measurements = read_all(measured);
  return subject;
}

Subject with_points(Subject subject, const CalibrateOptions& options, std::vector<Point> points) {
  subject.points = std::move(points);
  subject.observations = observations_of(subject.points, figures_of(options), held_back(options, subject.points));
  return subject;
}

Subject measured_subject(const CalibrateOptions& options, const std::string& drive, const std::vector<std::string>& measured,
                         const std::string& state, std::vector<std::string>& notes) {
  const Subject subject = subject_of(options, drive, measured, state);
  return with_points(subject, options, selected_points(options, subject.measurements, notes));
}

// The drive in each of the states of a plan's result, with the points of this state.
std::vector<Subject> planned_subjects(const CalibrateOptions& options, std::vector<std::string>& notes) {
  Subject subject = subject_of(options, options.drives.front(), options.measured, kStateIsPlanned);
  const auto points = planned_points(selected_points(options, subject.measurements, notes));
  if (points.empty()) refuse_calibration("--measured", "has only jobs that prepare a state, and --state is plan");
  std::vector<Subject> subjects;
  for (const auto& [state, own] : points) {
    subject.state = state;
    subjects.push_back(with_points(subject, options, own));
  }
  return subjects;
}

std::vector<Subject> subjects_of(const CalibrateOptions& options, std::vector<std::string>& notes) {
  if (is_planned(options)) return planned_subjects(options, notes);
  std::vector<Subject> subjects;
  const std::size_t drives = options.drives.size();
  for (std::size_t d = 0; d < drives; ++d) {
    const std::string state = options.state.empty()      ? "sequential"
                              : options.state.size() > 1 ? options.state[d]
                                                         : options.state.front();
    const auto measured = drives > 1 ? std::vector<std::string>{options.measured[d]} : options.measured;
    subjects.push_back(measured_subject(options, options.drives[d], measured, state, notes));
  }
  return subjects;
}

CalibrationOrigin origin_of(const CalibrateOptions& options, const Subject& subject, const DriveState& state) {
  return {drive_path(subject.name), without_host(subject.base),
          options.settings,         named(subject.measurements),
          name_of(state),           false};
}

CalibrationOrigin origin_of_host(const CalibrateOptions& options, const std::vector<Subject>& subjects) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) {
    for (std::string& name : named(subject.measurements)) names.push_back(std::move(name));
  }
  return {host_path(options.host), *subjects.front().base.find("host"), options.settings, names, "", true};
}

PredictionOptions how_to_predict(const CalibrateOptions& options, const Session& session) {
  return {options.seed, options.requests, options.threads, session.interrupted, is_planned(options)};
}
// The document that is simulated: an SSD has a state.
Node in_state(const Node& drive, const DriveState& state) { return is_disk(drive) ? drive : with_state(drive, state); }

std::size_t fitted_figures(const std::vector<Subject>& subjects) {
  std::ptrdiff_t count = 0;
  for (const Subject& subject : subjects) count += std::ranges::count(subject.observations, false, &Observation::held_back);
  return static_cast<std::size_t>(count);
}

Node scaled(const Node& drive, const CalibrateOptions& options) {
  if (options.scale > 1 && is_disk(drive)) refuse_calibration("--scale", "is for SSDs, and this is a disk", "1");
  return with_fewer_blocks(drive, options.scale);
}

// The state after the fit.
DriveState state_after(const Subject& subject, const Calibration& calibration) {
  Node drive = with_state(subject.base, subject.state);
  for (const FittedKey& fitted : calibration.keys) {
    if (fitted.key.is_of_state()) set_key(drive, fitted.key, fitted.value);
  }
  return *state_of(drive);
}

// "unwritten, sequential" of a plan's result.
std::string names_of_states(const std::vector<Subject>& subjects) {
  std::string names;
  for (const Subject& subject : subjects) names += (names.empty() ? "" : ", ") + name_of(subject.state);
  return names;
}

struct Outcome {
  Calibration calibration;
  std::string points_csv;
};

Outcome calibrated(const CalibrateOptions& options, const Session& session, const std::vector<Subject>& subjects,
                   const std::vector<FitKey>& keys) {
  ProgressLine line;
  std::vector<std::unique_ptr<Prediction>> predictions;
  std::vector<MeasuredDrive> measured;
  DriveSet bases;
  for (const Subject& subject : subjects) {
    bases.push_back(in_state(scaled(subject.base, options), subject.state));
    predictions.push_back(std::make_unique<Prediction>(bases.back(), subject.points, how_to_predict(options, session)));
    measured.push_back({predictions.back().get(), &subject.observations});
  }
  PointTargets prediction(measured);
  const std::vector<Target> targets = targets_of(measured, options.requests);
  Calibration found = keys.empty() ? check_drives(bases, prediction, targets, with_progress(line))
                                   : calibrate(bases, keys, prediction, targets, with_progress(line));
  line.wipe();
  std::string csv = points_csv(found, measured);
  return {std::move(found), std::move(csv)};
}

std::vector<FitKey> keys_of(const CalibrateOptions& options, const std::vector<Subject>& subjects) {
  std::vector<Node> bases;
  for (const Subject& subject : subjects) bases.push_back(in_state(subject.base, subject.state));
  return parse_fit_keys(options.fit, bases);
}

// How far a drive of the library is from the measurements, and in which state: the mean of |log(simulated / measured)|.
struct LibraryDrive {
  std::string name;
  std::string state;
  double distance = 0;
  ErrorSpread errors;
};

constexpr std::uint64_t kLibraryRequests = 500;  // per point; enough to rank the drives
constexpr std::size_t kLibraryShown = 8;

// Reduces the scale until the drive accepts it, for drives that are too small.
Node scaled_as_far_as_possible(const Node& drive, std::uint64_t scale) {
  for (; scale > 1; scale /= 2) {
    try {
      Node smaller = with_fewer_blocks(drive, scale);
      read_device(smaller);
      return smaller;
    } catch (const ConfigError&) {
      continue;  // try half the scale
    }
  }
  return drive;
}

LibraryDrive distance_from(const Subject& subject, const DriveState& state, const CalibrateOptions& options,
                           const Session& session) {
  PredictionOptions how = how_to_predict(options, session);
  how.requests = std::min(how.requests, kLibraryRequests);
  const bool disk = is_disk(subject.base);
  const Node drive = in_state(disk ? subject.base : scaled_as_far_as_possible(subject.base, options.scale), state);
  const Prediction prediction(drive, subject.points, how);
  PointTargets values(prediction, subject.observations);
  const std::vector<double> simulated = values.of({{drive}}, 0).front();
  const std::vector<Target> targets = targets_of(subject.observations, subject.points, how.requests);
  LibraryDrive found{subject.name, disk ? "" : name_of(state), 0, {}};
  std::vector<double> errors;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    errors.push_back(error_of(targets[t], simulated[t]));
    found.distance += std::abs(std::log(std::max(simulated[t] / targets[t].measured, 1e-3)));
  }
  found.distance /= static_cast<double>(targets.size());
  found.errors = spread_of(std::move(errors));
  return found;
}

}  // namespace

int calibrate_to_points(const CalibrateOptions& options, const Session& session) {
  std::vector<std::string> notes;
  const std::vector<Subject> subjects = subjects_of(options, notes);
  const std::vector<FitKey> keys = keys_of(options, subjects);
  check_numbers(keys, fitted_figures(subjects), "--measured");
  NewFiles files(options);
  for (const std::string& note : notes) spdlog::warn("{}", note);

  const Outcome outcome = calibrated(options, session, subjects, keys);
  const Calibration& calibration = outcome.calibration;
  std::vector<CalibrationOrigin> origins;
  for (const Subject& subject : subjects) origins.push_back(origin_of(options, subject, state_after(subject, calibration)));
  if (is_planned(options)) origins.front().state = names_of_states(subjects);
  std::string state_line;
  if (fits_state(options)) state_line = "state of the drive: " + origins.front().state + "\n";
  if (files.report) {
    files.report->write("calibration.json", calibration_json(calibration, origins.front(), notes));
    files.report->write("points.csv", outcome.points_csv);
    files.report->commit();
  }
  for (std::size_t d = 0; d < files.drives.size(); ++d)
    files.drives[d]->commit(drive_file_text(calibration, origins[d], options.out[d]));
  if (files.host) files.host->commit(drive_file_text(calibration, origin_of_host(options, subjects), options.host_out));
  std::fputs((calibration_headline(calibration) + state_line + calibration_table(calibration)).c_str(), stdout);
  return status_of(calibration);
}

CalibrateOptions start_from_library(CalibrateOptions options, const Session& session) {
  ProgressLine line;
  std::vector<LibraryDrive> all;
  std::size_t done = 0;
  const std::vector<std::string> names = drive_names();
  const bool any_state = fits_state(options);
  for (const std::string& name : names) {
    line.draw(fmt::format("drive {} of {} of the library: {}", done + 1, names.size(), name),
              ProgressShare{static_cast<double>(done) / static_cast<double>(names.size())});
    ++done;
    CalibrateOptions own = options;
    own.fit.clear();
    std::vector<std::string> notes;
    if (is_disk(load_drive(name, {}))) own.state.clear();
    try {
      const std::string state = options.state.empty() ? "sequential" : options.state.front();
      const Subject subject = measured_subject(own, name, options.measured, state, notes);
      const bool any = any_state && !is_disk(subject.base);
      for (const DriveState& one : any ? whole_states() : std::vector<DriveState>{subject.state})
        all.push_back(distance_from(subject, one, options, session));
    } catch (const ConfigError& error) {
      line.wipe();
      spdlog::warn("{}: left out: {}", name, error.what());
    }
  }
  line.wipe();
  if (all.empty()) refuse_calibration("--start-from-library", "finds no drive that can carry out the measured workloads");
  std::sort(all.begin(), all.end(), [](const LibraryDrive& a, const LibraryDrive& b) { return a.distance < b.distance; });
  std::printf("%-28s %-14s %10s %10s %10s\n", "drive of the library", "state", "mean |log|", "median", "95 %");
  for (std::size_t i = 0; i < std::min(all.size(), kLibraryShown); ++i)
    std::printf("%-28s %-14s %10.3f %8.1f %% %8.1f %%\n", all[i].name.c_str(), all[i].state.c_str(), all[i].distance,
                100 * all[i].errors.median, 100 * all[i].errors.at_95);
  std::printf("nearest: %s%s%s\n\n", all.front().name.c_str(), all.front().state.empty() ? "" : ", ",
              all.front().state.c_str());
  options.drives = {all.front().name};
  options.state.clear();
  if (!all.front().state.empty()) options.state = {all.front().state};
  return options;
}

}  // namespace ftlab
