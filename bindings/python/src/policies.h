// Policies written in Python, behind the interfaces of ftl. Each call takes the GIL. An exception from a policy ends the run
// and is raised where the run was started. An invalid answer raises PolicyError with the facts.
#pragma once

#include <pybind11/pybind11.h>

#include "ftl/gc/user_policies.h"

namespace ftlab {

// Wraps Python objects as policies; None means no policy. Keeps the objects alive as long as the result.
//   collection   has choose(view), or is such a function: returns the number of a superblock, or None
//   placement    has `classes`, of_host(lpn, stream, old, version), optionally of_relocated(lpn, version, newest,
//   from_class) map_cache    has clear(), loaded(unit), hit(unit), victim(), evicted(unit)
UserPolicies policies_of(const pybind11::object& collection, const pybind11::object& placement,
                         const pybind11::object& map_cache);

// Registers the class GcView, the argument of choose().
void register_policies(pybind11::module_& module);

}  // namespace ftlab
