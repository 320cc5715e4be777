// Test helper: the message with which an input was refused.
#pragma once

#include <string>

#include "sim/core/error.h"

namespace ftlab {

// The text of the ConfigError that `action` throws, or "accepted".
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace ftlab
