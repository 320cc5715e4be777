// Answers of `ftlab wa` and `ftlab theory`, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ftl/counting/steady_run.h"
#include "validation/results/wa_arguments.h"

namespace ftlab {

// Simulated, with the result of the formula if one exists. Throws ConfigError, Interrupted.
nlohmann::ordered_json wa_answer(const WaArguments& arguments, const SteadyRunOptions& options);

// The over-provisioning that gives a write amplification: wa_answer() for that `op`, found by repeated simulation to 0.1 %
// or the precision of the options if that is coarser, with `target_wa` and the number of `runs`. Throws ConfigError if none comes
// within 1 %, or three times the precision; Interrupted.
nlohmann::ordered_json op_answer(const WaArguments& arguments, double target_wa, const SteadyRunOptions& options);

// The result of the formula alone. Throws ConfigError.
nlohmann::ordered_json theory_answer(const WaArguments& arguments);

}  // namespace ftlab
