// Steady-state write amplification and the library of drives, for Python. Results are JSON texts.
#pragma once

#include <pybind11/pybind11.h>

namespace ftlab {

void register_analysis(pybind11::module_& module);

}  // namespace ftlab
