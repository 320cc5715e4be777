// Compares values of a drive file with those of the library's drives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Values at a dotted path, without source; one for each item of lists.
std::vector<std::string> values_at(const Node& document, std::string_view path);

// Notes with ProblemCode::unusual_value: numbers of `geometry` and `nand` below a tenth of the least or above ten times the
// largest value in the library's SSDs. The remedy names the value with the unit that was likely meant. Not judged: numbers
// in library files, defaults, keys that no library drive has, and the number of channels and dies.
std::vector<Note> unusual_values(const Node& drive);

}  // namespace ftlab
