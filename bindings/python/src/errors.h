// The library's errors as Python exceptions; see ftlab/errors.py.
#pragma once

#include <pybind11/pybind11.h>
#include <string>

namespace ftlab {

// Translates C++ exceptions to ConfigError, InternalError, OSError, KeyboardInterrupt and MemoryError. Also exports the
// formatting of refusals for errors that Python itself raises.
void register_errors(pybind11::module_& module);

// Raises the exception with that name from ftlab.errors. REQUIRES: the GIL is held.
[[noreturn]] void raise(const char* name, const std::string& message);

}  // namespace ftlab
