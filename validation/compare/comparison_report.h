// Output of a comparison as text, JSON and CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "validation/compare/comparison.h"

namespace ftlab {

// All points and unmatched points, up to 40 lines of each, then errors, shapes and the verdict.
std::string comparison_text(const Comparison& comparison);

nlohmann::ordered_json comparison_json(const Comparison& comparison);

// One line for each pair and quantity: rw, read_percent, block_bytes, block_sizes, depth, jobs, direction, label_a, label_b,
// quantity, a, b, error. Unmatched points follow with one value missing and the reason. Missing values are empty cells.
std::string comparison_csv(const Comparison& comparison);

// Curves on their common x, for plots with residuals: over (time_s, depth, block_bytes, jobs), curve, quantity, x_begin,
// x_end, a, b, error. x_begin equals x_end where x is not an interval.
std::string curves_csv(const Comparison& comparison);

}  // namespace ftlab
