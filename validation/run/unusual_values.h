// Values of a drive file held against what the library's drives have in their place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// What stands at a dotted path, without its source; of the items of lists each.
std::vector<std::string> values_at(const Node& document, std::string_view path);

// A note with ProblemCode::unusual_value on each number of `geometry` and `nand` that is less than a tenth of the least one
// of the library's SSDs, or more than ten times the largest; the remedy names the value with the unit that was likely meant.
// Numbers that stand in a file of the library, defaults, keys that no library drive has, and the number of channels and dies
// are not judged.
std::vector<Note> unusual_values(const Node& drive);

}  // namespace ftlab
