// Output of a run for people: one table, one chart.
#pragma once

#include <string>

#include "sim/procedures/execute.h"
#include "sim/stats/run_stats.h"
#include "validation/results/result.h"

namespace ftlab {

// `out`: path of the result.
std::string summary(const Result& result, const RunStats& stats, const std::string& out);

// A line for each direction of each job, or of the jobs joined by group_reporting: MB/s, IOPS, mean, 99th percentile and
// maximum latency.
std::string job_table(const RunStats& stats);

// Text chart of the host's MB/s (10^6 bytes) over simulated time, all directions together. Empty if the run has fewer than
// two intervals.
std::string throughput_chart(const RunStats& stats);

// Says if and when the steady state was reached, with its figures.
std::string steady_summary(const SteadyWatch& watch);

// Output of `ftlab run PROCEDURE.json`: a row for each measured step, and a matrix for rounds over two variables.
std::string procedure_summary(const Procedure& procedure, const ProcedureRecord& record);

}  // namespace ftlab
