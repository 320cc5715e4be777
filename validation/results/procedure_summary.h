// Output of `ftlab run PROCEDURE.json`: a row for each measured step, and a matrix for rounds over two variables.
#pragma once

#include <string>

#include "sim/procedures/execute.h"

namespace ftlab {

std::string procedure_summary(const Procedure& procedure, const ProcedureRecord& record);

}  // namespace ftlab
