#include "bindings/cli/calibrate/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "validation/calibrate/drive_state.h"
#include "validation/calibrate/planned_jobs.h"
#include "validation/run/options.h"

namespace ftlab {
namespace {

constexpr char kStateIsFitted[] = "fit";

bool is_of_state(const std::string& key) { return key.starts_with(kStateKeys); }

}  // namespace

bool fits_state(const CalibrateOptions& options) {
  return std::count(options.state.begin(), options.state.end(), kStateIsFitted) > 0 ||
         std::any_of(options.fit.begin(), options.fit.end(), is_of_state);
}

bool is_planned(const CalibrateOptions& options) {
  return std::count(options.state.begin(), options.state.end(), kStateIsPlanned) > 0;
}

void check_numbers(const std::vector<FitKey>& keys, std::size_t fitted, const char* option) {
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

int status_of(const Calibration& calibration) {
  return !calibration.keys.empty() && has_misfits(calibration) ? kResultFailed : kDone;
}

Node without_host(Node drive) {
  std::erase_if(drive.members, [](const Node::Member& member) { return member.first == "host"; });
  return drive;
}

namespace {

bool is_of_host(const std::string& key) { return key.starts_with("host."); }

void check_files(const CalibrateOptions& options) {
  const auto of_host = static_cast<std::size_t>(std::count_if(options.fit.begin(), options.fit.end(), is_of_host));
  const auto of_state = static_cast<std::size_t>(std::count_if(options.fit.begin(), options.fit.end(), is_of_state));
  const bool of_drives = of_host + of_state < options.fit.size();
  if (options.fit.empty() && !options.out.empty())
    refuse_calibration("--out", "is for the drive that is fitted, and there is no --fit");
  if (!of_drives && !options.out.empty())
    refuse_calibration("--out", "is for drives, and only keys of the host or state are fitted", "--host-out");
  if (of_drives && options.out.empty()) refuse_calibration("--out", "is missing", "the name of the new drive file");
  const std::size_t drives = options.from_library ? 1 : options.drives.size();
  if (of_drives && options.out.size() != drives)
    refuse_calibration("--out", "is not there once for each --drive", "as many new files as drives, in their order");
  if (of_host > 0 && options.host.empty()) refuse_calibration("--host", "is missing, and keys of the host are fitted");
  if (of_host > 0 && options.host_out.empty())
    refuse_calibration("--host-out", "is missing", "the name of the new host file");
  if (of_host == 0 && !options.host_out.empty())
    refuse_calibration("--host-out", "is for a host that is fitted: no key of --fit is of it");
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

void check_planned(const CalibrateOptions& options) {
  if (options.drives.size() != 1 || options.state.size() != 1 || options.to_board)
    refuse_calibration("--state", "plan is for one --drive and its measurements", "a state for each drive");
  if (fits_state(options)) refuse_calibration("--state", "plan names the state of each point, and --fit a key of the state");
}

// Options that have no meaning while measurements are planned.
void check_plan_options(const CalibrateOptions& options) {
  const std::pair<const char*, bool> others[] = {{"--measured", !options.measured.empty()},
                                                 {"--board", options.to_board},
                                                 {"--rows", !options.rows.empty()},
                                                 {"--claims", options.claims},
                                                 {"--out", !options.out.empty()},
                                                 {"--host-out", !options.host_out.empty()},
                                                 {"--report", !options.report.empty()},
                                                 {"--only", !options.only.empty()},
                                                 {"--hold-back", !options.hold_back.empty()},
                                                 {"--start-from-library", options.from_library}};
  for (const auto& [option, given] : others) {
    if (given) refuse_calibration(option, "and --plan do not go together");
  }
  if (options.drives.size() != 1) refuse_calibration("--drive", "is not there once, for the drive that the plan is for");
  if (options.fit.empty()) refuse_calibration("--fit", "is missing", "the keys that the measurements shall determine");
  if (std::any_of(options.fit.begin(), options.fit.end(), is_of_state))
    refuse_calibration("--fit", "names a key of the state, and the jobs of a plan prepare the state",
                       "keys of the drive or host");
}

void check_options(const CalibrateOptions& options) {
  check_files(options);
  if (options.to_board == !options.measured.empty())
    refuse_calibration("--measured", options.to_board ? "and --board do not go together" : "is missing, and so is --board");
  if (options.to_board && !options.host.empty())
    refuse_calibration("--host", "and --board do not go together", "the runs of the scoreboard state their hosts");
  if (options.drives.empty() != options.from_library)
    refuse_calibration("--drive", options.from_library ? "and --start-from-library do not go together" : "is missing");
  if (options.from_library && options.to_board) refuse_calibration("--start-from-library", "needs --measured");
  const std::size_t drives = options.drives.size();
  if (!options.to_board && drives > 1 && options.measured.size() != drives)
    refuse_calibration("--measured", "is not there once for each --drive", "as many results as drives, in their order");
  if (options.state.size() > 1 && options.state.size() != drives)
    refuse_calibration("--state", "is not there once for each --drive", "one for all, or as many as drives, in their order");
  if (drives > 1 && fits_state(options)) refuse_calibration("--state", "fit is for one drive", "a state for each drive");
  if (is_planned(options)) check_planned(options);
  if (options.claims && (!options.to_board || options.fit.empty()))
    refuse_calibration("--claims", "needs --board and --fit");
  if (!options.to_board && !options.rows.empty())
    refuse_calibration("--rows", "are those of the scoreboard, and there is no --board");
}

int calibrate_drives(CalibrateOptions options, const Session& session) {
  if (!options.plan.out.empty()) {
    check_plan_options(options);
    return write_plan(options, session);
  }
  add_state_keys(options);
  check_options(options);
  if (options.from_library) return calibrate_to_points(start_from_library(options, session), session);
  return options.to_board ? calibrate_to_board(options, session) : calibrate_to_points(options, session);
}

void add_plan_options(CLI::App& command, CalibrateOptions& options) {
  CLI::Option* const out =
      command.add_option("--plan", options.plan.out,
                         "write a job file of the measurements that tell most about the keys of --fit, by what the drive "
                         "file predicts: for ftlab measure and fio; it must not exist. --state names states that may be "
                         "prepared [unwritten, sequential and random]");
  add_number(command, "--points", options.plan.points, 1, 100, "with --plan: number of measurements")->needs(out);
  add_number(command, "--minutes", options.plan.minutes, 0.1, 100'000.0,
             "with --plan: time on the real drive, with the preparation of its states")->needs(out);
}

void add_options(CLI::App& command, CalibrateOptions& options) {
  add_repeated(command, "--drive", options.drives,
               "a drive of the library (see ftlab drives) or a drive file; repeatable: keys whose value they share, as "
               "those of their host, are fitted to what was measured of all");
  command.add_flag(
      "--start-from-library", options.from_library,
      "instead of --drive: compare every drive of the library with the measurement, name the nearest, and start "
      "from it");
  command.add_option("--host", options.host,
                     "the computer that they were measured in: a host of the library (see ftlab hosts) or a host file "
                     "[ideal: no overhead]");
  command.add_option("--host-out", options.host_out, "new host file, where keys of the host (host.*) are fitted");
  add_repeated(command, "--set", options.settings, "KEY=VALUE: set any key of the drive before the fit; repeatable");
  command.add_option(
      "--measured", options.measured,
      "measured results: a result folder, fio's JSON or a figure file; repeatable, several at once. With several "
      "--drive one for each, in their order");
  command
      .add_option("--board", options.board,
                  "fit to the scoreboard's published figures of the drives: a folder of reviews [configs/scoreboard]")
      ->expected(0, 1);
  add_repeated(command, "--rows", options.rows,
               "with --board: only figures of these facts, separated by commas, and `marked`: the rows that a number was "
               "fitted to; repeatable [all rows that concern these drives alone and publish a figure]");
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
  add_repeated(command, "--out", options.out, "new drive file; it must not exist. One for each --drive");
  command.add_option(
      "--report", options.report,
      "folder for calibration.json and points.csv (rows.csv and claims.csv with --board); it must be new or empty");
  add_repeated(command, "--state", options.state,
               "contents of the drive when it was measured: unwritten, sequential, random; a share as in sequential:15%, "
               "or both as in unwritten=0.8,random=0.25; fit: fits both, as --fit state.unwritten state.random does; "
               "plan: as the names of the jobs say, in results of a --plan's job file [sequential]. Repeatable: one for "
               "each --drive");
  add_repeated(command, "--figures", options.figures,
               "figures of each point to fit, where it has them: iops, mean, percentiles as p50,p99.9; with @ of some "
               "points only: p50,p99@rw=randread,depth=1+2, selected as for --only, or p95@unsaturated, of those below "
               "saturation; repeatable [iops,mean,p50 and p95@unsaturated]");
  command.add_option("--only", options.only,
                     "use only some points: rw=randread,depth=1+2+4 (rw, bs, depth, jobs, direction)");
  command.add_option("--hold-back", options.hold_back,
                     "points held back to test the fit, selected as for --only, or none [the second and every third "
                     "depth after it]; with --board: facts, separated by commas [none]");
  add_number(command, "--scale", options.scale, 1, std::uint64_t{1} << 20,
             "simulate a smaller drive: divide its blocks and sectors by this number");
  add_number(command, "--requests", options.requests, 100, 100'000'000,
             "requests measured in each simulated point, at least");
  add_number(command, "--seed", options.seed, 0, std::uint64_t{1} << 53, "seed of all random numbers");
  add_number(command, "--threads", options.threads, 0u, 1024u,
             "number of threads; 0: one for each core. It does not change results");
}

}  // namespace

void add_calibrate(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "fit numbers of a drive file to measurements or published figures");
  add_options(*command, *options);
  add_plan_options(*command, *options);
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
