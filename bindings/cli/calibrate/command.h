// ftlab calibrate --drive BASE --measured DIR|FILE... --fit KEY... --out NEW.json: fits to points of a measurement
// ftlab calibrate --drive BASE --plan OUT.fio --fit KEY...: plans the measurements (plan.h)
// ftlab calibrate --drive BASE... --board [FOLDER] --fit KEY... --out NEW.json...: fits to rows of the scoreboard
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"
#include "sim/core/error.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/observation.h"
#include "validation/results/progress_line.h"
#include "validation/results/result_folder.h"

namespace ftlab {

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
  // Options of a plan.
  struct {
    std::string out;  // the new job file
    std::uint64_t points = 12;
    double minutes = 10;
  } plan;
};

inline constexpr char kNothingHeldBack[] = "none";

[[noreturn]] inline void refuse_calibration(const char* option, const char* problem, const char* allowed = "") {
  throw ConfigError({"ftlab calibrate", 0}, option, problem, {}, allowed);
}

// True if keys of the state are fitted.
bool fits_state(const CalibrateOptions& options);
// True if the names of the measured jobs say in which state each was measured.
bool is_planned(const CalibrateOptions& options);

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

// Refuses fewer `fitted` figures than keys. `option` names the figures.
void check_numbers(const std::vector<FitKey>& keys, std::size_t fitted, const char* option);

CalibrationOptions with_progress(ProgressLine& line);

// Without --fit, reporting the errors of a drive is success.
int status_of(const Calibration& calibration);

// The drive alone, as new files of drives are based on it.
Node without_host(Node drive);

// Writes the job file of --plan and prints the plan. Throws ConfigError.
int write_plan(const CalibrateOptions& options, const Session& session);

// Each fits, writes the files, prints its report and returns the exit status. Throws ConfigError.
int calibrate_to_points(const CalibrateOptions& options, const Session& session);
int calibrate_to_board(const CalibrateOptions& options, const Session& session);

// Reports the nearest drives of the library; the options of a fit that starts from the nearest. Throws ConfigError.
CalibrateOptions start_from_library(CalibrateOptions options, const Session& session);

}  // namespace ftlab
