// Calibration to the published figures of the scoreboard.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <spdlog/spdlog.h>

#include "bindings/cli/calibrate/command.h"
#include "sim/config/split.h"
#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/calibrate/drive_file.h"
#include "validation/run/open_device.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {
namespace {

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

}  // namespace

int calibrate_to_board(const CalibrateOptions& options, const Session& session) {
  const DriveSet bases = bases_of(options);
  const std::vector<FitKey> keys = parse_fit_keys(options.fit, bases, Reach::all);
  const std::vector<Review> reviews = reviews_of(options);
  const std::vector<std::string> hold_back = options.hold_back.empty() || options.hold_back == kNothingHeldBack
                                                 ? std::vector<std::string>()
                                                 : split_all({options.hold_back});
  std::vector<std::string> notes;
  const std::vector<ReviewedRow> rows = fittable_rows(reviews, {options.drives, split_all(options.rows)}, notes);
  const std::vector<Target> targets = targets_of(rows, hold_back);
  const auto fitted = std::ranges::count(targets, false, &Target::held_back);
  check_numbers(keys, static_cast<std::size_t>(fitted), "--board");
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

}  // namespace ftlab
