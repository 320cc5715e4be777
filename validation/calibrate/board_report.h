// Reports of a fit to rows of the scoreboard: each row, and the orderings and shapes whose verdict changed.
#pragma once

#include <string>
#include <vector>

#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/calibration.h"

namespace ftlab {

// REQUIRES for both: the targets are those of the rows, in their order.
std::string rows_table(const Calibration& calibration, const std::vector<ReviewedRow>& rows);
std::string rows_csv(const Calibration& calibration, const std::vector<ReviewedRow>& rows);

std::string claims_table(const std::vector<ChangedClaim>& changed);
std::string claims_csv(const std::vector<ChangedClaim>& changed);

}  // namespace ftlab
