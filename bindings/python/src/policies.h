// Policies written in Python, behind the interfaces of ftl. Each call takes the GIL; what a policy raises ends the run and
// arrives where the run was started. An answer that cannot be raises PolicyError with the facts.
#pragma once

#include <pybind11/pybind11.h>

#include "ftl/gc/user_policies.h"

namespace ftlab {

// Of the objects that Python gave; None stands for none. They live as long as what is returned.
//   collection   has choose(view), or is such a function: the number of a superblock, or None
//   placement    has `classes`, of_host(lpn, stream, old, version), perhaps of_relocated(lpn, version, newest, from_class)
//   map_cache    has clear(), loaded(unit), hit(unit), victim(), evicted(unit)
UserPolicies policies_of(const pybind11::object& collection, const pybind11::object& placement,
                         const pybind11::object& map_cache);

// The class GcView, which choose() receives.
void register_policies(pybind11::module_& module);

}  // namespace ftlab
