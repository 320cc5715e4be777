// Results of rounds as the matrix required by SNIA's test specification: for a step "rounds" that repeats jobs over two
// variables, the mean of the tracked figure in each cell, over the rounds of the judged window; without a window, over all
// rounds. The IOPS test has 7 read shares and 8 block sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/procedures/execute.h"

namespace ftlab {

struct RoundsMatrix {
  std::string column_variable, row_variable;
  std::vector<std::string> columns, rows;  // values; columns in the procedure's order, rows ascending if they are numbers
  std::vector<std::vector<double>> means;  // by row, then column
  std::size_t first_round = 0, last_round = 0;
};

// nullopt for rounds that do not repeat over two variables.
std::optional<RoundsMatrix> matrix_of(const RoundsRecord& rounds, const Procedure& procedure,
                                      const std::vector<StepRecord>& steps);

}  // namespace ftlab
