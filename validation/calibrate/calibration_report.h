// A calibration told: to people as a table, to programs as JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "validation/calibrate/calibration.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/point_targets.h"

namespace ftlab {

// Errors of the figures of one kind, on points of one side: fitted or held back.
struct ErrorGroup {
  bool held_back = false;
  std::string figure;  // "iops" ...; "all"
  ErrorSpread before, after;
};
std::vector<ErrorGroup> error_groups(const Calibration& calibration);

// Whether figures are off by more than their limits, in one line: what is to be read first.
std::string calibration_headline(const Calibration& calibration);
// Keys before and after, which of them are known only together, errors of all figures, and where those that are off lie.
std::string calibration_table(const Calibration& calibration);
bool has_misfits(const Calibration& calibration);

// A text as one field of CSV.
std::string csv_text(const std::string& text);

// calibration.json and points.csv.
std::string calibration_json(const Calibration& calibration, const CalibrationOrigin& origin,
                             const std::vector<std::string>& notes);
// REQUIRES: targets of these drives' observations, in their order.
std::string points_csv(const Calibration& calibration, const std::vector<MeasuredDrive>& drives);

}  // namespace ftlab
