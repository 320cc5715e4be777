// Fractions rounded and printed in integer arithmetic: the same digits on every machine, whatever its locale, compiler and
// floating-point unit.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/uint128.h"

namespace ftlab {

// numerator / denominator in units of 10^-digits, rounded half up; 0 when the denominator is 0.
// REQUIRES: numerator * 10^digits < 2^127.
Uint128 scaled(Uint128 numerator, Uint128 denominator, int digits);

// Like scaled(), as text with exactly `digits` decimals: decimal(1, 3, 2) is "0.33". REQUIRES: denominator > 0.
std::string decimal(Uint128 numerator, Uint128 denominator, int digits);

}  // namespace ftlab
