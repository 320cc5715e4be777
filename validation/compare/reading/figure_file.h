// Figure files: published measurements as numbers with their source. See validation/measured.
//   {"what": DEVICE, "source": WHERE, "tool": HOW, "points": [{"rw": "randread", "direction": "read", "bs": "4k",
//    "iodepth": 32, "numjobs": 1, "runtime_ms": 60001, "iops": 52600, "bw_bytes": .., "clat_mean_us": .., "p99_us": ..,
//    "p99_9_us": ..}, ..]}
//   {"what": DEVICE, "source": WHERE, "minute": [0, 1, ..], "read_iops_mean": [..], "write_iops_mean": [..]}
#pragma once

#include "validation/compare/reading/json_field.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

bool is_figure_file(const JsonField& root);

// Adds the points or curves and a description of the device. Throws ConfigError, also for unknown keys.
void add_figures(const JsonField& root, Measurement& measurement);

}  // namespace ftlab
