// Reports of a calibration: tables for people, JSON and CSV for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/calibration.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/point_targets.h"

namespace ftlab {

// Errors of one kind of figure, over fitted or held-back points.
struct ErrorGroup {
  bool held_back = false;
  std::string figure;                  // Target::kind, or "all"
  std::optional<bool> saturated = {};  // of all figures only: points on the plateau of the rate, or below it
  ErrorSpread before, after;
};
std::vector<ErrorGroup> error_groups(const Calibration& calibration);

// To be read first: how many figures are off by more than their limits, and the worst one; then, if there are saturated
// points, the median errors of points below saturation and at it.
std::string calibration_headline(const Calibration& calibration);
// Keys before and after, keys known only in combination, errors of all figures, and where the misfits are.
std::string calibration_table(const Calibration& calibration);
bool has_misfits(const Calibration& calibration);

// Quotes a text as one field of CSV.
std::string csv_text(const std::string& text);

// Text of calibration.json.
std::string calibration_json(const Calibration& calibration, const CalibrationOrigin& origin,
                             const std::vector<std::string>& notes);
// Text of points.csv. REQUIRES: the targets are those of these drives' observations, in their order.
std::string points_csv(const Calibration& calibration, const std::vector<MeasuredDrive>& drives);

// Reports of a fit to rows of the scoreboard: each row, and the orderings and shapes whose verdict changed.

// REQUIRES for both: the targets are those of the rows, in their order.
std::string rows_table(const Calibration& calibration, const std::vector<ReviewedRow>& rows);
std::string rows_csv(const Calibration& calibration, const std::vector<ReviewedRow>& rows);

std::string claims_table(const std::vector<ChangedClaim>& changed);
std::string claims_csv(const std::vector<ChangedClaim>& changed);

}  // namespace ftlab
