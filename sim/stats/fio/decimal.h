// Fractions rounded and printed in integer arithmetic: the same digits on every machine, whatever its locale, compiler and
// floating-point unit.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/check.h"
#include "sim/core/uint128.h"

namespace ftlab {

// numerator / denominator in units of 10^-digits, rounded half up; 0 when the denominator is 0.
// REQUIRES: numerator * 10^digits < 2^127.
inline Uint128 scaled(Uint128 numerator, Uint128 denominator, int digits) {
  if (denominator == 0) return 0;
  for (int i = 0; i < digits; ++i) numerator *= 10;
  return (numerator + denominator / 2) / denominator;
}

// Like scaled(), as text with exactly `digits` decimals: decimal(1, 3, 2) is "0.33". REQUIRES: denominator > 0.
inline std::string decimal(Uint128 numerator, Uint128 denominator, int digits) {
  FTLAB_CHECK(denominator > 0 && digits >= 0, "a fraction needs a denominator");
  Uint128 rest = scaled(numerator, denominator, digits);
  std::string reversed;
  for (int i = 0; i <= digits || rest > 0; ++i, rest /= 10) {
    if (i == digits && digits > 0) reversed += '.';
    reversed += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace ftlab
