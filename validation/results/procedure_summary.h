// What `ftlab run PROCEDURE.json` prints: a row for each measured step.
#pragma once

#include <string>

#include "sim/procedures/execute.h"

namespace ftlab {

std::string procedure_summary(const ProcedureRecord& record);

}  // namespace ftlab
