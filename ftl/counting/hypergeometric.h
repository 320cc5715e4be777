// Draws from a hypergeometric distribution, with the same bits on every machine.
#pragma once

#include <cstdint>

#include "sim/core/random.h"

namespace ftlab {

// Of `all` items, `marked` are marked. Draws `taken` of them at random and returns how many of these are marked.
// Probabilities are exact to 1e-8. Cost: a step for each number between the result and the most likely one. REQUIRES:
// marked <= all, taken <= all.
std::uint32_t draw_hypergeometric(std::uint32_t all, std::uint32_t marked, std::uint32_t taken, RandomStream& random);

}  // namespace ftlab
