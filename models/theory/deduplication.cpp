#include "models/theory/deduplication.h"

#include <cmath>

#include "models/theory/numerics/roots.h"

namespace ftlab {
namespace {

double survival(double repeats, double time) { return std::exp(-time) / (1 + repeats * std::expm1(-time)); }

double programs_of_round(double repeats, double period) {
  double alive = 0;
  for (double time = 0, s = 1; s > 1e-17; s = survival(repeats, time += period)) alive += s;
  return (1 - repeats) * period * alive;
}

}  // namespace

StoredContents working_set_contents(double repeats, double set) {
  if (repeats <= 0) return {};
  const double without_page = std::exp(-repeats / set);
  return {1 - repeats + repeats * without_page, 1 - repeats + set * (1 - without_page)};
}

StoredContents repeated_contents(double repeats) {
  if (repeats <= 0) return {};
  return {1 - repeats, (1 - repeats) / repeats * -std::log1p(-repeats)};
}

double fifo_wa_of_repeats(double repeats, double utilisation) {
  const auto excess = [&](double period) { return programs_of_round(repeats, period) - 1 / utilisation; };
  const double period = root_between(1e-4, 1 / (utilisation * (1 - repeats)), excess);
  return 1 / (utilisation * period);
}

}  // namespace ftlab
