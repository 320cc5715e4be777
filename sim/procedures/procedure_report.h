// Results of a procedure as the texts of its files: procedure.csv with one row per measured step, and result.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/procedures/execute.h"

namespace ftlab {

// One line per measured step: its folder, its round, the value of every variable, then requests and bytes per second (MB is
// 10^6 bytes), latencies over all directions in us, and write amplification by the device's own counters (empty if the host
// wrote nothing or the device does not count). All digits come from integer arithmetic.
std::string procedure_csv(const Procedure& procedure, const ProcedureRecord& record);

// Header of the report as required by SNIA's test specification, steps, rounds with their verdicts, notes.
nlohmann::ordered_json procedure_json(const Procedure& procedure, const ProcedureRecord& record, const DeviceInfo& device);

}  // namespace ftlab
