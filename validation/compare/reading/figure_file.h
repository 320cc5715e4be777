// Figure files: what others measured and published, as numbers with their source. validation/measured holds some.
//   {"what": DEVICE, "source": WHERE, "tool": HOW, "points": [{"rw": "randread", "direction": "read", "bs": "4k",
//    "iodepth": 32, "numjobs": 1, "runtime_ms": 60001, "iops": 52600, "bw_bytes": .., "clat_mean_us": .., "p99_us": ..,
//    "p99_9_us": ..}, ...]}
//   {"what": DEVICE, "source": WHERE, "minute": [0, 1, ...], "read_iops_mean": [...], "write_iops_mean": [...]}
#pragma once

#include "validation/compare/reading/json_field.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

bool is_figure_file(const JsonField& root);

// Adds its points or its curves, and says what was measured. Throws ConfigError; keys that are not known are refused.
void add_figures(const JsonField& root, Measurement& measurement);

}  // namespace ftlab
