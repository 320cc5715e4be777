// A document printed: every number with where it comes from.
#pragma once

#include <string>

#include "sim/config/document.h"

namespace ftlab {

// A line for each value, by its dotted path.
void print_numbers(const Node& document);

// The numbers of a document without a source of their own: lines of those that are assumed and of those that are defaults,
// each with a line break before it. REQUIRES: it was read.
std::string unstated(const Node& document);

}  // namespace ftlab
