// The errors of the library as exceptions of Python; see ftlab/errors.py.
#pragma once

#include <pybind11/pybind11.h>
#include <string>

namespace ftlab {

// Makes C++'s errors arrive in Python as: ConfigError, InternalError, OSError, KeyboardInterrupt, MemoryError. And the words
// of refusals, for what Python itself refuses.
void register_errors(pybind11::module_& module);

// Raise the exception of that name of ftlab.errors. The GIL must be held.
[[noreturn]] void raise(const char* name, const std::string& message);

}  // namespace ftlab
