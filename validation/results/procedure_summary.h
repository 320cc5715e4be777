// What `ftlab run PROCEDURE.json` prints: a row for each measured step.
#pragma once

#include <string>

#include "sim/procedures/carry_out.h"

namespace ftlab {

std::string procedure_summary(const ProcedureRecord& record);

}  // namespace ftlab
