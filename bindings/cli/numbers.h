// A document printed: every number with where it comes from.
#pragma once

#include "sim/config/document.h"

namespace ftlab {

// A line for each value, by its dotted path.
void print_numbers(const Node& document);

}  // namespace ftlab
