// What `ftlab run PROCEDURE.json` prints: a row for each measured step, and of rounds over two variables their matrix.
#pragma once

#include <string>

#include "sim/procedures/execute.h"

namespace ftlab {

std::string procedure_summary(const Procedure& procedure, const ProcedureRecord& record);

}  // namespace ftlab
