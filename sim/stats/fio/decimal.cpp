#include "sim/stats/fio/decimal.h"

#include "sim/core/check.h"

namespace ftlab {

Uint128 scaled(Uint128 numerator, Uint128 denominator, int digits) {
  if (denominator == 0) return 0;
  for (int i = 0; i < digits; ++i) numerator *= 10;
  return (numerator + denominator / 2) / denominator;
}

std::string decimal(Uint128 numerator, Uint128 denominator, int digits) {
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
