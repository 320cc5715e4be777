// JSON of a fact; unknown facts are null.
#pragma once

#include <nlohmann/json.hpp>

#include "validation/measure/target/guard.h"

namespace ftlab {

template <class T>
nlohmann::ordered_json value_or_null(const Fact<T>& fact) {
  return fact ? nlohmann::ordered_json(*fact) : nlohmann::ordered_json(nullptr);
}

}  // namespace ftlab
