// Friend of every class with a saved state (sim/core/rule.h), for tests in separate files.
#pragma once

#include "sim/core/rule.h"

namespace ftlab {

struct LoadedStates {
  struct Rules;       // loaded_states_test.cpp
  struct LayerRules;  // loaded_layer_states_test.cpp
  struct Invariants;  // invariants_test.cpp
};

}  // namespace ftlab
