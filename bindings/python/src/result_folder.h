// Writes result folders from Python, each completely or not at all.
#pragma once

#include <pybind11/pybind11.h>

namespace ftlab {

void register_result_folder(pybind11::module_& module);

}  // namespace ftlab
