// The parts of the extension module; each source has one.
#pragma once

#include <pybind11/pybind11.h>

namespace ftlab {

// Steady-state write amplification and the library of drives. Results are JSON texts.
void register_analysis(pybind11::module_& module);

// Writes result folders from Python, each completely or not at all, and reads results, logs and figures with the readers of
// `ftlab compare`. What reads takes the text of a file and the name that messages show.
void register_results(pybind11::module_& module);

}  // namespace ftlab
