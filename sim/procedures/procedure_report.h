// Results of a procedure as the texts of its files: procedure.csv with one row per measured step, and result.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/procedures/execute.h"

namespace ftlab {

// Results of rounds as the matrix required by SNIA's test specification: for a step "rounds" that repeats jobs over two
// variables, the mean of the tracked figure in each cell, over the rounds of the judged window; without a window, over all
// rounds. The IOPS test has 7 read shares and 8 block sizes.
struct RoundsMatrix {
  std::string column_variable, row_variable;
  std::vector<std::string> columns, rows;  // values; columns in the procedure's order, rows ascending if they are numbers
  std::vector<std::vector<double>> means;  // by row, then column
  std::size_t first_round = 0, last_round = 0;
};

// nullopt for rounds that do not repeat over two variables.
std::optional<RoundsMatrix> matrix_of(const RoundsRecord& rounds, const Procedure& procedure,
                                      const std::vector<StepRecord>& steps);

// One line per measured step: its folder, its round, the value of every variable, then requests and bytes per second (MB is
// 10^6 bytes), latencies over all directions in us, and write amplification by the device's own counters (empty if the host
// wrote nothing or the device does not count). All digits come from integer arithmetic.
std::string procedure_csv(const Procedure& procedure, const ProcedureRecord& record);

// Header of the report as required by SNIA's test specification, steps, rounds with their verdicts, notes.
nlohmann::ordered_json procedure_json(const Procedure& procedure, const ProcedureRecord& record, const DeviceInfo& device);

}  // namespace ftlab
