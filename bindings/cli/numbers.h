// Prints a document with the source of every number.
#pragma once

#include <string>

#include "sim/config/document.h"

namespace ftlab {

// One line per value, with its dotted path.
void print_numbers(const Node& document);

// Lists the numbers without a stated source: one line for the assumed ones and one for the defaults, each preceded by a line
// break. REQUIRES: `document` was validated.
std::string unstated(const Node& document);

}  // namespace ftlab
