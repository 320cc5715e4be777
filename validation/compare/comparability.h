// Whether two runs may be held against each other at all: what differs in them beside what is compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// One sentence for each circumstance that makes A and B incomparable, with the remedy: problems of either run (reads of
// space never written, depth counted as 1, ...), runs that ended early, no clock, sizes that differ by a factor of two or
// more, one drive steady and the other not, the page cache between job and device.
std::vector<std::string> obstacles(const Measurement& a, const Measurement& b, const std::string& host = {});

// Two simulations of different drives: not a model against its reference, but two designs.
bool are_two_designs(const Measurement& a, const Measurement& b);

// How two designs differ in what has no points: one quantity a row, where both have it.
struct DesignRow {
  std::string name;  // with its unit
  double a = 0, b = 0;
  bool less_is_better = true;
};
std::vector<DesignRow> design_rows(const Measurement& a, const Measurement& b);

}  // namespace ftlab
