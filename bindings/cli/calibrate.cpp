// ftlab calibrate --drive BASE --measured DIR|FILE... --fit KEY... --out NEW.json: to points of a measurement
// ftlab calibrate --drive BASE... --board [FOLDER] --fit KEY... --out NEW.json...: to rows of the scoreboard
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/commands.h"
#include "sim/config/error.h"
#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/board_report.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/observation.h"
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
  std::vector<std::string> settings;
  std::vector<std::string> measured;
  bool to_board = false;
  std::string board;  // a folder; empty: that of the library
  std::vector<std::string> rows;
  bool claims = false;
  std::vector<std::string> fit;
  std::vector<std::string> out;
  std::string report;
  std::string state = "sequential";
  std::vector<std::string> figures = {"iops,mean"};
  std::string only;
  std::string hold_back;
  std::uint64_t scale = 1;
  std::uint64_t seed = 1;
  std::uint64_t requests = 6000;
  unsigned threads = 0;
};

constexpr char kNothingHeldBack[] = "none";

[[noreturn]] void refuse(const char* option, const char* problem, const char* allowed = "") {
  throw ConfigError({"ftlab calibrate", 0}, option, problem, {}, allowed);
}

void check_options(const CalibrateOptions& options) {
  if (options.fit.empty() && !options.out.empty()) refuse("--out", "is for the drive that is fitted, and there is no --fit");
  if (!options.fit.empty() && options.out.empty()) refuse("--out", "is missing", "the name of the new drive file");
  if (!options.fit.empty() && options.out.size() != options.drives.size())
    refuse("--out", "is not there once for each --drive", "as many new files as drives, in their order");
  if (options.to_board == !options.measured.empty())
    refuse("--measured", options.to_board ? "and --board do not go together" : "is missing, and so is --board");
  if (!options.to_board && options.drives.size() > 1)
    refuse("--drive", "is one where it was measured", "several with --board");
  if (options.claims && (!options.to_board || options.fit.empty())) refuse("--claims", "needs --board and --fit");
  if (!options.to_board && !options.rows.empty()) refuse("--rows", "are those of the scoreboard, and there is no --board");
}

Node base_of(const CalibrateOptions& options) {
  const std::string& name = options.drives.front();
  Node document = load_drive(name, options.settings);
  if (read_device(document).disk)
    throw ConfigError({"--drive", 0}, "", "is a disk; measured points are those of SSDs", name, "a disk with --board");
  return document;
}

std::vector<Measurement> read_all(const std::vector<std::string>& paths) {
  std::vector<Measurement> all;
  for (const std::string& path : paths) all.push_back(read_measurement(path));
  return all;
}

std::vector<bool> held_back(const CalibrateOptions& options, const std::vector<Point>& points) {
  if (options.fit.empty() || options.hold_back == kNothingHeldBack) return std::vector<bool>(points.size(), false);
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

CalibrationOrigin origin_of(const CalibrateOptions& options, Node base, const std::vector<Measurement>& measurements,
                            const DriveState& state) {
  CalibrationOrigin origin{drive_path(options.drives.front()), std::move(base), options.settings, {}, name_of(state)};
  for (const Measurement& measurement : measurements)
    origin.measurements.push_back(measurement.what.empty() ? measurement.name : measurement.what);
  return origin;
}

CalibrationOptions with_progress(ProgressLine& line) {
  CalibrationOptions options;
  options.progress = [&line](std::uint32_t predictions, double sum) {
    line.draw(fmt::format("{} forecasts, sum of squares {:.1f}", predictions, sum));
  };
  return options;
}

// What a calibration writes: places are reserved before the work starts.
struct NewFiles {
  std::vector<std::unique_ptr<NewFile>> drives;
  std::optional<ResultFolder> report;

  explicit NewFiles(const CalibrateOptions& options) {
    if (!options.report.empty()) report.emplace(options.report, false);
    for (const std::string& path : options.out)
      drives.push_back(std::make_unique<NewFile>(path, "--out", report ? report->place_of(path) : path));
  }
};

// Who only asks for the errors of a drive has got what he asked for.
int status_of(const Calibration& calibration) {
  return !calibration.keys.empty() && has_misfits(calibration) ? kResultFailed : kDone;
}

int calibrate_to_points(const CalibrateOptions& options, const Session& session) {
  const Node base = base_of(options);
  const std::vector<FitKey> keys = parse_fit_keys(options.fit, {base});
  std::vector<FigureChoice> figures;
  for (const std::string& choice : options.figures) figures.push_back(parse_figures(choice));
  const std::vector<DriveState> states = parse_drive_states(options.state);
  const PointFilter only = options.only.empty() ? PointFilter() : PointFilter(options.only, "--only");
  const std::vector<Measurement> measurements = read_all(options.measured);
  std::vector<std::string> notes;
  const std::vector<Point> points = points_of(measurements, only, notes);
  const std::vector<Observation> observations = observations_of(points, figures, held_back(options, points));
  const std::vector<Target> targets = targets_of(observations, points, options.requests);
  check_numbers(keys, targets, "--measured");
  NewFiles files(options);
  for (const std::string& note : notes) spdlog::warn("{}", note);

  const Node scaled = with_fewer_blocks(base, options.scale);
  ProgressLine line;
  std::optional<Calibration> best;
  DriveState state;
  std::string tried;  // "random 12, sequential 340"
  for (const DriveState& one : states) {
    const Prediction simulated(scaled, points, {one, options.seed, options.requests, options.threads, session.interrupted});
    PointTargets prediction(simulated, observations);
    Calibration found = keys.empty() ? check_drives({scaled}, prediction, targets)
                                     : calibrate({scaled}, keys, prediction, targets, with_progress(line));
    tried += fmt::format("{}{} {:.0f}", tried.empty() ? "" : ", ", name_of(one), distance_of(found));
    if (best && distance_of(found) >= distance_of(*best)) continue;
    best = std::move(found);
    state = one;
  }
  const Calibration& calibration = *best;
  if (states.size() > 1) notes.push_back(fmt::format("state of the drive: {} (sums of squares: {})", name_of(state), tried));
  line.wipe();
  const CalibrationOrigin origin = origin_of(options, base, measurements, state);
  if (files.report) {
    files.report->write("calibration.json", calibration_json(calibration, origin, notes));
    files.report->write("points.csv", points_csv(calibration, observations, points));
    files.report->commit();
  }
  for (const auto& file : files.drives) file->commit(drive_file_text(calibration, origin, options.out.front()));
  const std::string chosen = states.size() > 1 ? notes.back() + "\n" : "";
  std::fputs((calibration_headline(calibration) + chosen + calibration_table(calibration)).c_str(), stdout);
  return status_of(calibration);
}

// "s003-001,s003-002".
std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    names.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

std::vector<std::string> split_all(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    for (std::string& name : split_names(text)) names.push_back(std::move(name));
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
    origins.push_back(
        {drive_path(options.drives[d]), bases[d], options.settings, titles, "the runs of the scoreboard leave it"});
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
      options.hold_back == kNothingHeldBack ? std::vector<std::string>{} : split_names(options.hold_back);
  std::vector<std::string> notes;
  const std::vector<ReviewedRow> rows = fittable_rows(reviews, {options.drives, split_all(options.rows)}, notes);
  const std::vector<Target> targets = targets_of(rows, hold_back);
  check_numbers(keys, targets, "--board");
  NewFiles files(options);
  for (const std::string& note : notes) spdlog::warn("{}", note);

  ProgressLine line;
  const ScoreboardRunOptions scoreboard_run{options.seed, options.threads, session.interrupted, {}};
  BoardPrediction prediction(options.drives, rows, scoreboard_run);
  CalibrationOptions how = board_calibration(!options.settings.empty());  // a start that was set may be far off
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

int calibrate_drives(const CalibrateOptions& options, const Session& session) {
  check_options(options);
  return options.to_board ? calibrate_to_board(options, session) : calibrate_to_points(options, session);
}

void add_options(CLI::App& command, CalibrateOptions& options) {
  command
      .add_option("--drive", options.drives,
                  "a drive of the library (see ftlab drives) or a drive file; with --board repeatable: keys that "
                  "all of them have alike are fitted to the rows of all")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--set", options.settings, "KEY=VALUE: set any key of the drive before the fit; repeatable")
      ->allow_extra_args(false);
  command.add_option("--measured", options.measured,
                     "measured results: a result folder, fio's JSON or a figure file; repeatable, several at once");
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
      "KEY or KEY:LOW:HIGH: numbers of nand, link, controller, dram, host, with --board any number, named as for --set; "
      "several at once. "
      "Default: nothing is fitted; the errors of the drive as it is are reported");
  command.add_option("--out", options.out, "new drive file; it must not exist. One for each --drive")
      ->allow_extra_args(false);
  command.add_option(
      "--report", options.report,
      "folder for calibration.json and points.csv (rows.csv and claims.csv with --board); it must be new or empty");
  command
      .add_option("--state", options.state,
                  "contents of the drive when it was measured: unwritten, sequential, random; a share as in sequential:15%; "
                  "fit: each of the three is tried, and the one that agrees best is taken")
      ->capture_default_str();
  command
      .add_option("--figures", options.figures,
                  "figures of each point to fit: iops, mean, percentiles as p50,p99.9; with @ of some points only, selected "
                  "as for --only: p50,p99@rw=randread,depth=1+2; repeatable")
      ->allow_extra_args(false)
      ->capture_default_str();
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
