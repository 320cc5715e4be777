// How fast block traces are read.
#pragma once

#include "validation/benchmarks/bench.h"

namespace ftlab {

std::vector<BenchRow> trace_rows(bool small);

}  // namespace ftlab
