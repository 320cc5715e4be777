// ftlab calibrate --drive BASE --measured DIR|FILE... --fit KEY... --out NEW.json
#include <cstdio>
#include <memory>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/calibrate/calibration_report.h"
#include "bindings/calibrate/drive_file.h"
#include "bindings/calibrate/fit_key.h"
#include "bindings/calibrate/forecast.h"
#include "bindings/calibrate/observation.h"
#include "bindings/cli/commands.h"
#include "bindings/open_device.h"
#include "bindings/progress_line.h"
#include "bindings/result_folder.h"
#include "bindings/scaled_drive.h"
#include "sim/config/error.h"

namespace ftlab {
namespace {

struct CalibrateOptions {
  std::string drive;
  std::vector<std::string> settings;
  std::vector<std::string> measured;
  std::vector<std::string> fit;
  std::string out;
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

void check_options(const CalibrateOptions& options) {
  if (options.fit.empty() && !options.out.empty())
    throw ConfigError({"ftlab calibrate", 0}, "--out", "is for the drive that is fitted, and there is no --fit");
  if (!options.fit.empty() && options.out.empty())
    throw ConfigError({"ftlab calibrate", 0}, "--out", "is missing", {}, "the name of the new drive file");
}

Node base_of(const CalibrateOptions& options) {
  Node document = load_drive(options.drive, options.settings);
  if (read_device(document).disk)
    throw ConfigError({"--drive", 0}, "", "is a disk; only SSDs are calibrated", options.drive);
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

void check_numbers(const std::vector<FitKey>& keys, const std::vector<Observation>& observations) {
  std::size_t fitted = 0;
  for (const Observation& observation : observations) fitted += !observation.held_back;
  if (fitted >= keys.size() && fitted > 0) return;
  throw ConfigError({"--measured", 0}, "",
                    "leaves " + std::to_string(fitted) + " figures to fit " + std::to_string(keys.size()) + " keys to", {},
                    "as many figures as keys, or more, that are not held back");
}

CalibrationOrigin origin_of(const CalibrateOptions& options, Node base, const std::vector<Measurement>& measurements,
                            const DriveState& state) {
  CalibrationOrigin origin{drive_path(options.drive), std::move(base), options.settings, {}, name_of(state)};
  for (const Measurement& measurement : measurements)
    origin.measurements.push_back(measurement.what.empty() ? measurement.name : measurement.what);
  return origin;
}

CalibrationOptions with_progress(ProgressLine& line) {
  CalibrationOptions options;
  options.progress = [&line](std::uint32_t forecasts, double sum) {
    line.draw(fmt::format("{} forecasts, sum of squares {:.1f}", forecasts, sum));
  };
  return options;
}

int calibrate_drive(const CalibrateOptions& options, const Session& session) {
  check_options(options);
  const Node base = base_of(options);
  const std::vector<FitKey> keys = parse_fit_keys(options.fit, base);
  std::vector<FigureWish> figures;
  for (const std::string& wish : options.figures) figures.push_back(parse_figures(wish));
  const DriveState state = parse_drive_state(options.state);
  const PointFilter only = options.only.empty() ? PointFilter() : PointFilter(options.only, "--only");
  const std::vector<Measurement> measurements = read_all(options.measured);
  std::vector<std::string> notes;
  const std::vector<Point> points = points_of(measurements, only, notes);
  const std::vector<Observation> observations = observations_of(points, figures, held_back(options, points));
  check_numbers(keys, observations);
  std::optional<NewFile> file;
  if (!options.out.empty()) file.emplace(options.out, "--out");
  std::optional<ResultFolder> report;
  if (!options.report.empty()) report.emplace(options.report, false);
  for (const std::string& note : notes) spdlog::warn("{}", note);

  const Node scaled = with_fewer_blocks(base, options.scale);
  const Forecast forecast(scaled, points, {state, options.seed, options.requests, options.threads, session.interrupted});
  ProgressLine line;
  const Calibration calibration = keys.empty() ? check_drive(scaled, forecast, observations)
                                               : calibrate(scaled, keys, forecast, observations, with_progress(line));
  line.wipe();
  const CalibrationOrigin origin = origin_of(options, base, measurements, state);
  if (report) {
    report->write("calibration.json", calibration_json(calibration, origin, forecast, notes));
    report->write("points.csv", points_csv(calibration, forecast));
    report->commit();
  }
  if (file) file->commit(drive_file_text(calibration, origin, options.out));
  std::fputs(calibration_table(calibration).c_str(), stdout);
  return kDone;
}

void add_options(CLI::App& command, CalibrateOptions& options) {
  command.add_option("--drive", options.drive, "a drive of the library (see ftlab drives) or the path of a drive file")
      ->required();
  command.add_option("--set", options.settings, "KEY=VALUE: any key of the drive, before the fit; repeatable")
      ->allow_extra_args(false);
  command
      .add_option("--measured", options.measured,
                  "results: a folder of ftlab's, fio's JSON or a file of figures; repeatable, and several at once")
      ->required();
  command.add_option(
      "--fit", options.fit,
      "KEY or KEY:LOW:HIGH: numbers of nand, link, controller, dram, host, named as for --set; several at once. "
      "Without it nothing is fitted, and the errors of the drive as it is are told");
  command.add_option("--out", options.out, "the new drive file; it must not exist");
  command.add_option("--report", options.report, "a folder for calibration.json and points.csv: new or empty");
  command
      .add_option("--state", options.state,
                  "what the drive held when it was measured: unwritten, sequential, random; a share as in sequential:15%")
      ->capture_default_str();
  command
      .add_option(
          "--figures", options.figures,
          "what is fitted of each point: iops, mean, percentiles as p50,p99.9; with @ of some points only, chosen as "
          "for --only: p50,p99@rw=randread,depth=1+2; repeatable")
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--only", options.only,
                     "take only some points: rw=randread,depth=1+2+4 (rw, bs, depth, jobs, direction)");
  command.add_option("--hold-back", options.hold_back,
                     "points that test the fit, chosen as for --only, or none [the second and every third after it of the "
                     "depths]");
  command.add_option("--scale", options.scale, "simulate a drive with so many times fewer blocks and sectors")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
      ->capture_default_str();
  command.add_option("--requests", options.requests, "measured in each simulated point, at least")
      ->check(CLI::Range(std::uint64_t{100}, std::uint64_t{100'000'000}))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "of all chance")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 53))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "0: one for each core; their number changes no result")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
}

}  // namespace

void add_calibrate(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "fit numbers of a drive file to measurements");
  add_options(*command, *options);
  command->footer(
      "Bounds, where none are given: value / 2 to value * 2 of a datasheet's or measured number, 3 of a fitted or inferred "
      "one,\n"
      "10 of an assumed one. Priors, as standard deviations of the logarithm: datasheet 0.10, measured 0.05, fitted 0.20,\n"
      "inferred 0.25, assumed 0.70. +- is one standard deviation.");
  command->callback(
      [options, &session] { session.chosen = [options, &session] { return calibrate_drive(*options, session); }; });
}

}  // namespace ftlab
