// The parts of the extension module; each source has one.
#pragma once

#include <pybind11/pybind11.h>
#include <string>

#include "ftl/gc/user_policies.h"

namespace ftlab {

// The library's errors as Python exceptions; see ftlab/errors.py.
// Translates C++ exceptions to ConfigError, InternalError, OSError, KeyboardInterrupt and MemoryError. Also exports the
// formatting of refusals for errors that Python itself raises.
void register_errors(pybind11::module_& module);

// Raises the exception with that name from ftlab.errors. REQUIRES: the GIL is held.
[[noreturn]] void raise(const char* name, const std::string& message);

// Policies written in Python, behind the interfaces of ftl. Each call takes the GIL. An exception from a policy ends the run
// and is raised where the run was started. An invalid answer raises PolicyError with the facts.

// Wraps Python objects as policies; None means no policy. Keeps the objects alive as long as the result.
//   collection   has choose(view), or is such a function: returns the number of a superblock, or None
//   placement    has `classes`, of_host(lpn, stream, old, version), optionally of_relocated(lpn, version, newest,
//   from_class) map_cache    has clear(), loaded(unit), hit(unit), victim(), evicted(unit)
UserPolicies policies_of(const pybind11::object& collection, const pybind11::object& placement,
                         const pybind11::object& map_cache);

// Registers the class GcView, the argument of choose().
void register_policies(pybind11::module_& module);

// Steady-state write amplification and the library of drives. Results are JSON texts.
void register_analysis(pybind11::module_& module);

// Writes result folders from Python, each completely or not at all, and reads results, logs and figures with the readers of
// `ftlab compare`. What reads takes the text of a file and the name that messages show.
void register_results(pybind11::module_& module);

}  // namespace ftlab
