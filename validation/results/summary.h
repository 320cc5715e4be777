// What a run prints for a person: one table, one chart.
#pragma once

#include <string>

#include "sim/stats/run_stats.h"
#include "validation/results/result.h"

namespace ftlab {

// `out` is where the result lies.
std::string summary(const Result& result, const RunStats& stats, const std::string& out);

// A line for each direction of each job, or of the jobs that group_reporting joins: MB/s, IOPS, mean, 99th percentile and
// largest latency.
std::string job_table(const RunStats& stats);

// MB/s (10^6 bytes) of the host over simulated time, all directions together, as a chart of text; empty when the run has
// fewer than two intervals.
std::string throughput_chart(const RunStats& stats);

// Whether the steady state was reached, when, and what is known of it.
std::string steady_summary(const SteadyWatch& watch);

}  // namespace ftlab
