// Write amplification in steady state, and the library of drives, for Python. Answers come as JSON texts.
#pragma once

#include <pybind11/pybind11.h>

namespace ftlab {

void register_analysis(pybind11::module_& module);

}  // namespace ftlab
