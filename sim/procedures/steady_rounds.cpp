#include "sim/procedures/steady_rounds.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {

SteadyRounds judge_rounds(std::span<const double> rounds, const SteadyRule& rule) {
  FTLAB_CHECK(rule.window >= 2, "a window of one round has no slope");
  SteadyRounds judged;
  judged.rounds = rounds.size();
  if (rounds.size() < rule.window) return judged;
  const std::span<const double> window = rounds.last(rule.window);
  const double count = static_cast<double>(rule.window), middle = (count - 1) / 2;
  for (const double y : window) judged.average += y / count;
  double products = 0, squares = 0;
  for (std::size_t x = 0; x < window.size(); ++x) {
    products += (static_cast<double>(x) - middle) * window[x];
    squares += (static_cast<double>(x) - middle) * (static_cast<double>(x) - middle);
  }
  const auto [least, largest] = std::minmax_element(window.begin(), window.end());
  judged.first_round = rounds.size() - rule.window + 1;
  judged.range = *largest - *least;
  judged.slope = products / squares;
  judged.at_first_round = judged.average - judged.slope * middle;
  judged.slope_excursion = (judged.slope < 0 ? -judged.slope : judged.slope) * (count - 1);
  judged.reached = judged.average > 0 && 100 * judged.range <= static_cast<double>(rule.range_percent) * judged.average &&
                   100 * judged.slope_excursion <= static_cast<double>(rule.slope_percent) * judged.average;
  return judged;
}

}  // namespace ftlab
