// Writes result folders from Python, each completely or not at all, and reads results, logs and figures with the readers of
// `ftlab compare`. What reads takes the text of a file and the name that messages show.
#pragma once

#include <pybind11/pybind11.h>

namespace ftlab {

void register_results(pybind11::module_& module);

}  // namespace ftlab
