// Decides if two runs may be compared: looks for differences other than the compared values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// One sentence with a remedy for each reason why A and B are not comparable: problems of either run (reads of space never
// written, depth counted as 1), runs that ended early, runs without a clock, a capacity ratio of two or more, one drive
// steady and the other not, a page cache between job and device, a simulation of another host than `host`.
std::vector<std::string> obstacles(const Measurement& a, const Measurement& b, const std::string& host = {});

// True for simulations of two different drives, which are two designs and not a model and its reference.
bool are_two_designs(const Measurement& a, const Measurement& b);

// Differences of two designs that no point shows. One row per quantity that both have.
struct DesignRow {
  std::string name;  // with its unit
  double a = 0, b = 0;
  bool less_is_better = true;
};
std::vector<DesignRow> design_rows(const Measurement& a, const Measurement& b);

}  // namespace ftlab
