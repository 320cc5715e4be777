// The friend of every class that has a state (sim/core/rule.h): what tests do with it, each in a file of its own.
#pragma once

#include "sim/core/rule.h"

namespace ftlab {

struct LoadedStates {
  struct Rules;       // loaded_states_test.cpp
  struct LayerRules;  // loaded_layer_states_test.cpp
  struct Invariants;  // invariants_test.cpp
};

}  // namespace ftlab
