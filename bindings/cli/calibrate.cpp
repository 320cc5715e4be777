// ftlab calibrate --drive BASE --measured DIR|FILE... --fit KEY... --out NEW.json: fits to points of a measurement
// ftlab calibrate --drive BASE --plan OUT.fio --fit KEY...: plans the measurements (plan.h)
// ftlab calibrate --drive BASE... --board [FOLDER] --fit KEY... --out NEW.json...: fits to rows of the scoreboard
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/commands.h"
#include "bindings/cli/plan.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/board_report.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/drive_state.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/observation.h"
#include "validation/calibrate/planned_jobs.h"
#include "validation/calibrate/point_targets.h"
#include "validation/calibrate/prediction.h"
#include "validation/results/progress_line.h"
#include "validation/results/result_folder.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {
namespace {

struct CalibrateOptions {
  std::vector<std::string> drives;
  bool from_library = false;
  std::string host;
  std::string host_out;
  std::vector<std::string> settings;
  std::vector<std::string> measured;
  bool to_board = false;
  std::string board;  // a folder; empty: the library's
  std::vector<std::string> rows;
  bool claims = false;
  std::vector<std::string> fit;
  std::vector<std::string> out;
  std::string report;
  std::vector<std::string> state;
  std::vector<std::string> figures = {kDefaultFigures.begin(), kDefaultFigures.end()};
  std::string only;
  std::string hold_back;
  std::uint64_t scale = 1;
  std::uint64_t seed = 1;
  std::uint64_t requests = 6000;
  unsigned threads = 0;
  PlanCommand plan;  // its own options only
};

constexpr char kNothingHeldBack[] = "none";

[[noreturn]] void refuse(const char* option, const char* problem, const char* allowed = "") {
  throw ConfigError({"ftlab calibrate", 0}, option, problem, {}, allowed);
}

bool is_of_host(const std::string& key) { return key.starts_with("host."); }
bool is_of_state(const std::string& key) { return key.starts_with(kStateKeys); }

void check_files(const CalibrateOptions& options) {
  const auto of_host = static_cast<std::size_t>(std::count_if(options.fit.begin(), options.fit.end(), is_of_host));
  const auto of_state = static_cast<std::size_t>(std::count_if(options.fit.begin(), options.fit.end(), is_of_state));
  const bool of_drives = of_host + of_state < options.fit.size();
  if (options.fit.empty() && !options.out.empty()) refuse("--out", "is for the drive that is fitted, and there is no --fit");
  if (!of_drives && !options.out.empty())
    refuse("--out", "is for drives, and only keys of the host or state are fitted", "--host-out");
  if (of_drives && options.out.empty()) refuse("--out", "is missing", "the name of the new drive file");
  const std::size_t drives = options.from_library ? 1 : options.drives.size();
  if (of_drives && options.out.size() != drives)
    refuse("--out", "is not there once for each --drive", "as many new files as drives, in their order");
  if (of_host > 0 && options.host.empty()) refuse("--host", "is missing, and keys of the host are fitted");
  if (of_host > 0 && options.host_out.empty()) refuse("--host-out", "is missing", "the name of the new host file");
  if (of_host == 0 && !options.host_out.empty())
    refuse("--host-out", "is for a host that is fitted: no key of --fit is of it");
}

constexpr char kStateIsFitted[] = "fit";

bool fits_state(const CalibrateOptions& options) {
  return std::count(options.state.begin(), options.state.end(), kStateIsFitted) > 0 ||
         std::any_of(options.fit.begin(), options.fit.end(), is_of_state);
}

// `--state fit` stands for both keys of the state.
void add_state_keys(CalibrateOptions& options) {
  if (options.state != std::vector<std::string>{kStateIsFitted}) return;
  options.state.clear();
  for (const char* const key : {"state.unwritten", "state.random"}) {
    const auto names_it = [key](const std::string& fitted) { return fitted.substr(0, fitted.find(':')) == key; };
    if (std::none_of(options.fit.begin(), options.fit.end(), names_it)) options.fit.emplace_back(key);
  }
}

bool is_planned(const CalibrateOptions& options) {
  return std::count(options.state.begin(), options.state.end(), kStateIsPlanned) > 0;
}

void check_planned(const CalibrateOptions& options) {
  if (options.drives.size() != 1 || options.state.size() != 1 || options.to_board)
    refuse("--state", "plan is for one --drive and its measurements", "a state for each drive");
  if (fits_state(options)) refuse("--state", "plan names the state of each point, and --fit a key of the state");
}

// Options that have no meaning while measurements are planned.
void check_plan(const CalibrateOptions& options) {
  const std::pair<const char*, bool> others[] = {
      {"--measured", !options.measured.empty()}, {"--board", options.to_board},
      {"--rows", !options.rows.empty()},         {"--claims", options.claims},
      {"--out", !options.out.empty()},           {"--host-out", !options.host_out.empty()},
      {"--report", !options.report.empty()},     {"--only", !options.only.empty()},
      {"--hold-back", !options.hold_back.empty()}, {"--start-from-library", options.from_library}};
  for (const auto& [option, given] : others) {
    if (given) refuse(option, "and --plan do not go together");
  }
  if (options.drives.size() != 1) refuse("--drive", "is not there once, for the drive that the plan is for");
  if (options.fit.empty()) refuse("--fit", "is missing", "the keys that the measurements shall determine");
  if (std::any_of(options.fit.begin(), options.fit.end(), is_of_state))
    refuse("--fit", "names a key of the state, and the jobs of a plan prepare the state", "keys of the drive or host");
}

PlanCommand plan_of(const CalibrateOptions& options) {
  PlanCommand command = options.plan;
  command.drive = options.drives.front();
  command.host = options.host;
  command.settings = options.settings;
  command.fit = options.fit;
  command.figures = options.figures;
  command.states = options.state;
  command.scale = options.scale;
  command.seed = options.seed;
  command.requests = options.requests;
  command.threads = options.threads;
  return command;
}

void check_options(const CalibrateOptions& options) {
  check_files(options);
  if (options.to_board == !options.measured.empty())
    refuse("--measured", options.to_board ? "and --board do not go together" : "is missing, and so is --board");
  if (options.to_board && !options.host.empty())
    refuse("--host", "and --board do not go together", "the runs of the scoreboard state their hosts");
  if (options.drives.empty() != options.from_library)
    refuse("--drive", options.from_library ? "and --start-from-library do not go together" : "is missing");
  if (options.from_library && options.to_board) refuse("--start-from-library", "needs --measured");
  const std::size_t drives = options.drives.size();
  if (!options.to_board && drives > 1 && options.measured.size() != drives)
    refuse("--measured", "is not there once for each --drive", "as many results as drives, in their order");
  if (options.state.size() > 1 && options.state.size() != drives)
    refuse("--state", "is not there once for each --drive", "one for all, or as many as drives, in their order");
  if (drives > 1 && fits_state(options)) refuse("--state", "fit is for one drive", "a state for each drive");
  if (is_planned(options)) check_planned(options);
  if (options.claims && (!options.to_board || options.fit.empty())) refuse("--claims", "needs --board and --fit");
  if (!options.to_board && !options.rows.empty()) refuse("--rows", "are those of the scoreboard, and there is no --board");
}

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

void check_numbers(const std::vector<FitKey>& keys, const std::vector<Target>& targets, const char* option) {
  std::size_t fitted = 0;
  for (const Target& target : targets) fitted += !target.held_back;
  if (fitted >= keys.size() && fitted > 0) return;
  throw ConfigError({option, 0}, "",
                    "leaves " + std::to_string(fitted) + " figures to fit " + std::to_string(keys.size()) + " keys to", {},
                    "as many figures as keys, or more, that are not held back");
}

CalibrationOptions with_progress(ProgressLine& line) {
  CalibrationOptions options;
  options.progress = [&line](std::uint32_t predictions, std::uint32_t most, std::optional<double> sum) {
    line.draw(sum ? fmt::format("{} forecasts, sum of squares {:.1f}", predictions, *sum)
                  : fmt::format("{} forecasts for the noise of the simulation", predictions),
              ProgressShare{static_cast<double>(predictions) / most, true});
  };
  return options;
}

// Output files. Their paths are reserved before the work starts.
struct NewFiles {
  std::vector<std::unique_ptr<NewFile>> drives;
  std::optional<NewFile> host;
  std::optional<ResultFolder> report;

  explicit NewFiles(const CalibrateOptions& options) {
    if (!options.report.empty()) report.emplace(options.report, false);
    for (const std::string& path : options.out)
      drives.push_back(std::make_unique<NewFile>(path, "--out", report ? report->place_of(path) : path));
    if (!options.host_out.empty())
      host.emplace(options.host_out, "--host-out", report ? report->place_of(options.host_out) : options.host_out);
  }
};

// Without --fit, reporting the errors of a drive is success.
int status_of(const Calibration& calibration) {
  return !calibration.keys.empty() && has_misfits(calibration) ? kResultFailed : kDone;
}

// A drive and its measurements.
struct Subject {
  std::string name;  // as named on the command line
  Node base;         // includes its host
  std::vector<Measurement> measurements;
  DriveState state;
  std::vector<Point> points;
  std::vector<Observation> observations;
};

Node without_host(Node drive) {
  std::erase_if(drive.members, [](const Node::Member& member) { return member.first == "host"; });
  return drive;
}

std::vector<std::string> named(const std::vector<Measurement>& measurements) {
  std::vector<std::string> names;
  for (const Measurement& measurement : measurements)
    names.push_back(measurement.what.empty() ? measurement.name : measurement.what);
  return names;
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

// Selects the measurements of one drive that are used.
Subject measured_subject(const CalibrateOptions& options, const std::string& drive, const std::vector<std::string>& measured,
                         const std::string& state, std::vector<std::string>& notes) {
  const Subject subject = subject_of(options, drive, measured, state);
  return with_points(subject, options, selected_points(options, subject.measurements, notes));
}

// The drive in each of the states of a plan's result, with the points of this state.
std::vector<Subject> planned_subjects(const CalibrateOptions& options, std::vector<std::string>& notes) {
  Subject subject = subject_of(options, options.drives.front(), options.measured, kStateIsPlanned);
  const auto points = planned_points(selected_points(options, subject.measurements, notes));
  if (points.empty()) refuse("--measured", "has only jobs that prepare a state, and --state is plan");
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

std::vector<Target> targets_of(const std::vector<Subject>& subjects, const CalibrateOptions& options) {
  std::vector<Target> all;
  std::size_t points_before = 0;
  for (const Subject& subject : subjects) {
    for (Target& target : targets_of(subject.observations, subject.points, options.requests)) {
      target.together += points_before;
      all.push_back(std::move(target));
    }
    points_before += subject.points.size();
  }
  return all;
}

PredictionOptions how_to_predict(const CalibrateOptions& options, const Session& session) {
  return {options.seed, options.requests, options.threads, session.interrupted, is_planned(options)};
}

Node scaled(const Node& drive, const CalibrateOptions& options) {
  if (options.scale > 1 && is_disk(drive)) refuse("--scale", "is for SSDs, and this is a disk", "1");
  return with_fewer_blocks(drive, options.scale);
}

// The document that is simulated: an SSD has a state.
Node in_state(const Node& drive, const DriveState& state) { return is_disk(drive) ? drive : with_state(drive, state); }

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
  const std::vector<Target> targets = targets_of(subjects, options);
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

int calibrate_to_points(const CalibrateOptions& options, const Session& session) {
  std::vector<std::string> notes;
  const std::vector<Subject> subjects = subjects_of(options, notes);
  const std::vector<FitKey> keys = keys_of(options, subjects);
  check_numbers(keys, targets_of(subjects, options), "--measured");
  NewFiles files(options);
  for (const std::string& note : notes) spdlog::warn("{}", note);

  const Outcome outcome = calibrated(options, session, subjects, keys);
  const Calibration& calibration = outcome.calibration;
  std::vector<CalibrationOrigin> origins;
  for (const Subject& subject : subjects)
    origins.push_back(origin_of(options, subject, state_after(subject, calibration)));
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

// Reports the nearest drives of the library and starts the fit from the nearest.
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
  if (all.empty()) refuse("--start-from-library", "finds no drive that can carry out the measured workloads");
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

// Splits lists such as "s003-001,s003-002".
std::vector<std::string> split_all(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    for (const std::string_view name : split(text, ',')) names.emplace_back(name);
  }
  return names;
}

std::vector<Review> reviews_of(const CalibrateOptions& options) {
  const std::string library = (std::filesystem::path(config_folder()) / "scoreboard").string();
  return load_reviews(options.board.empty() ? library : options.board);
}

DriveSet bases_of(const CalibrateOptions& options) {
  DriveSet bases;
  for (const std::string& drive : options.drives) bases.push_back(load_drive(drive, options.settings));
  return bases;
}

std::vector<CalibrationOrigin> origins_of(const CalibrateOptions& options, const DriveSet& bases,
                                          const std::vector<ReviewedRow>& rows) {
  std::vector<std::string> titles;
  for (const ReviewedRow& row : rows) {
    if (titles.empty() || titles.back() != row.review->title) titles.push_back(row.review->title);
  }
  std::vector<CalibrationOrigin> origins;
  for (std::size_t d = 0; d < bases.size(); ++d)
    origins.push_back({drive_path(options.drives[d]), without_host(bases[d]), options.settings, titles,
                       "the runs of the scoreboard leave it", false});
  return origins;
}

DriveSet fitted_drives(const DriveSet& bases, const Calibration& calibration) {
  DriveSet drives = bases;
  for (Node& drive : drives) {
    for (const FittedKey& fitted : calibration.keys) set_key(drive, fitted.key, fitted.value);
  }
  return drives;
}

int calibrate_to_board(const CalibrateOptions& options, const Session& session) {
  const DriveSet bases = bases_of(options);
  const std::vector<FitKey> keys = parse_fit_keys(options.fit, bases, Reach::all);
  const std::vector<Review> reviews = reviews_of(options);
  const std::vector<std::string> hold_back =
      options.hold_back.empty() || options.hold_back == kNothingHeldBack ? std::vector<std::string>()
                                                                         : split_all({options.hold_back});
  std::vector<std::string> notes;
  const std::vector<ReviewedRow> rows = fittable_rows(reviews, {options.drives, split_all(options.rows)}, notes);
  const std::vector<Target> targets = targets_of(rows, hold_back);
  check_numbers(keys, targets, "--board");
  NewFiles files(options);
  for (const std::string& note : notes) spdlog::warn("{}", note);

  ProgressLine line;
  const ScoreboardRunOptions scoreboard_run{options.seed, options.threads, session.interrupted, {}};
  BoardPrediction prediction(options.drives, rows, scoreboard_run);
  CalibrationOptions how = board_calibration(!options.settings.empty());  // a start with --set may be far off
  how.progress = with_progress(line).progress;
  const Calibration calibration =
      keys.empty() ? check_drives(bases, prediction, targets, how) : calibrate(bases, keys, prediction, targets, how);
  std::vector<ChangedClaim> changed;
  if (options.claims)
    changed = changed_claims(reviews, options.drives, bases, fitted_drives(bases, calibration), scoreboard_run);
  line.wipe();
  const std::vector<CalibrationOrigin> origins = origins_of(options, bases, rows);
  if (files.report) {
    files.report->write("calibration.json", calibration_json(calibration, origins.front(), notes));
    files.report->write("rows.csv", rows_csv(calibration, rows));
    if (options.claims) files.report->write("claims.csv", claims_csv(changed));
    files.report->commit();
  }
  for (std::size_t d = 0; d < files.drives.size(); ++d)
    files.drives[d]->commit(drive_file_text(calibration, origins[d], options.out[d]));
  const std::string rows_text = rows_table(calibration, rows);
  std::fputs((calibration_headline(calibration) + rows_text + "\n" + calibration_table(calibration)).c_str(), stdout);
  if (options.claims) std::fputs(claims_table(changed).c_str(), stdout);
  return status_of(calibration);
}

int calibrate_drives(CalibrateOptions options, const Session& session) {
  if (!options.plan.out.empty()) {
    check_plan(options);
    return write_plan(plan_of(options), session);
  }
  add_state_keys(options);
  check_options(options);
  if (options.from_library) return calibrate_to_points(start_from_library(options, session), session);
  return options.to_board ? calibrate_to_board(options, session) : calibrate_to_points(options, session);
}

void add_plan_options(CLI::App& command, PlanCommand& plan) {
  CLI::Option* const out =
      command.add_option("--plan", plan.out,
                         "write a job file of the measurements that tell most about the keys of --fit, by what the drive "
                         "file predicts: for ftlab measure and fio; it must not exist. --state names states that may be "
                         "prepared [unwritten, sequential and random]");
  command.add_option("--points", plan.points, "with --plan: number of measurements")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100}))
      ->needs(out)
      ->capture_default_str();
  command.add_option("--minutes", plan.minutes, "with --plan: time on the real drive, with the preparation of its states")
      ->check(CLI::Range(0.1, 100'000.0))
      ->needs(out)
      ->capture_default_str();
}

void add_options(CLI::App& command, CalibrateOptions& options) {
  command
      .add_option("--drive", options.drives,
                  "a drive of the library (see ftlab drives) or a drive file; repeatable: keys whose value they share, "
                  "as those of their host, are fitted to what was measured of all")
      ->allow_extra_args(false);
  command.add_flag(
      "--start-from-library", options.from_library,
      "instead of --drive: compare every drive of the library with the measurement, name the nearest, and start "
      "from it");
  command.add_option("--host", options.host,
                     "the computer that they were measured in: a host of the library (see ftlab hosts) or a host file "
                     "[ideal: no overhead]");
  command.add_option("--host-out", options.host_out, "new host file, where keys of the host (host.*) are fitted");
  command.add_option("--set", options.settings, "KEY=VALUE: set any key of the drive before the fit; repeatable")
      ->allow_extra_args(false);
  command.add_option(
      "--measured", options.measured,
      "measured results: a result folder, fio's JSON or a figure file; repeatable, several at once. With several "
      "--drive one for each, in their order");
  command
      .add_option("--board", options.board,
                  "fit to the scoreboard's published figures of the drives: a folder of reviews [configs/scoreboard]")
      ->expected(0, 1);
  command
      .add_option("--rows", options.rows,
                  "with --board: only figures of these facts, separated by commas, and `marked`: the rows that a number was "
                  "fitted to; repeatable [all rows that concern these drives alone and publish a figure]")
      ->allow_extra_args(false);
  command.add_flag("--claims", options.claims,
                   "with --board: also run, with the drives before and after the fit, the orderings and shapes about them, "
                   "and report which of these hold no more, or hold now");
  command.add_option(
      "--fit", options.fit,
      "KEY or KEY:LOW:HIGH: numbers of nand, link, controller, dram, host, and the shares state.unwritten and state.random "
      "(of a disk all but geometry and user_sectors), "
      "with --board any number, named as for --set; "
      "several at once. "
      "Default: nothing is fitted; the errors of the drive as it is are reported");
  command.add_option("--out", options.out, "new drive file; it must not exist. One for each --drive")
      ->allow_extra_args(false);
  command.add_option(
      "--report", options.report,
      "folder for calibration.json and points.csv (rows.csv and claims.csv with --board); it must be new or empty");
  command
      .add_option(
          "--state", options.state,
          "contents of the drive when it was measured: unwritten, sequential, random; a share as in sequential:15%, or both "
          "as in unwritten=0.8,random=0.25; fit: fits both, as --fit state.unwritten state.random does; plan: as the names "
          "of the jobs say, in results of a --plan's job file [sequential]. "
          "Repeatable: one for each --drive")
      ->allow_extra_args(false);
  command
      .add_option("--figures", options.figures,
                  "figures of each point to fit, where it has them: iops, mean, percentiles as p50,p99.9; with @ of some "
                  "points only: p50,p99@rw=randread,depth=1+2, selected as for --only, or p95@unsaturated, of those below "
                  "saturation; repeatable [iops,mean,p50 and p95@unsaturated]")
      ->allow_extra_args(false);
  command.add_option("--only", options.only,
                     "use only some points: rw=randread,depth=1+2+4 (rw, bs, depth, jobs, direction)");
  command.add_option("--hold-back", options.hold_back,
                     "points held back to test the fit, selected as for --only, or none [the second and every third "
                     "depth after it]; with --board: facts, separated by commas [none]");
  command.add_option("--scale", options.scale, "simulate a smaller drive: divide its blocks and sectors by this number")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
      ->capture_default_str();
  command.add_option("--requests", options.requests, "requests measured in each simulated point, at least")
      ->check(CLI::Range(std::uint64_t{100}, std::uint64_t{100'000'000}))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "seed of all random numbers")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 53))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "number of threads; 0: one for each core. It does not change results")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
}

}  // namespace

void add_calibrate(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "fit numbers of a drive file to measurements or published figures");
  add_options(*command, *options);
  add_plan_options(*command, options->plan);
  const CLI::Option* const board = command->get_option("--board");
  command->footer(
      "Bounds, where none are given: value / 2 to value * 2 of a datasheet's or measured number, 3 of a fitted or inferred "
      "one,\n"
      "10 of an assumed one. Priors, as standard deviations of the logarithm: datasheet 0.10, measured 0.05, fitted 0.20,\n"
      "inferred 0.25, assumed 0.70. +- is one standard deviation.\n"
      "A figure is off when its error exceeds its limit: 4 %, of percentiles 10 %, with --board the width of its row.\n\n"
      "Exit status: 0 done, 4 fitted, but figures are off by more than their limits, 2 refused.");
  command->callback([options, board, &session] {
    options->to_board = board->count() > 0;
    session.chosen = [options, &session] {
      session.heed_interruption();
      return calibrate_drives(*options, session);
    };
  });
}

}  // namespace ftlab
