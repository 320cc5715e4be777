#include "sim/procedures/steady_rounds.h"

#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {
SteadyRounds judge(const std::vector<double>& rounds) { return judge_rounds(rounds, {}); }
}  // namespace

TEST_CASE("fewer rounds than the window are never steady") {
  CHECK_FALSE(judge({100, 100, 100, 100}).reached);
  CHECK(judge({100, 100, 100, 100, 100}).reached);
}

TEST_CASE("the range may be a fifth of the average, not more") {
  CHECK(judge({100, 90, 110, 90, 110}).range == Approx(20));
  CHECK(judge({110, 100, 90, 100, 110}).reached);       // average 102, range 20
  CHECK_FALSE(judge({111, 100, 89, 95, 106}).reached);  // average 100.2, range 22
}

TEST_CASE("the fitted line may rise or fall by a tenth over the window, not more") {
  const SteadyRounds rising = judge({96, 98, 100, 102, 104});
  CHECK(rising.slope == Approx(2));
  CHECK(rising.at_first_round == Approx(96));
  CHECK(rising.slope_excursion == Approx(8));
  CHECK(rising.reached);
  const SteadyRounds falling = judge({106, 103, 100, 97, 94});
  CHECK(falling.slope == Approx(-3));
  CHECK(falling.slope_excursion == Approx(12));
  CHECK_FALSE(falling.reached);  // the range, 12 %, would pass
}

TEST_CASE("only the last window counts, and its rounds are reported") {
  const SteadyRounds judged = judge({1000, 500, 100, 101, 99, 100, 100});
  CHECK(judged.reached);
  CHECK(judged.first_round == 3);
  CHECK(judged.rounds == 7);
}

TEST_CASE("rounds of zeros are not steady") { CHECK_FALSE(judge({0, 0, 0, 0, 0}).reached); }
