// A row of the scoreboard, judged: what was simulated, how far it is off, whether the claim holds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validation/scoreboard/evidence.h"
#include "validation/scoreboard/review.h"

namespace ftlab {

struct Verdict {
  bool holds = false;
  std::optional<double> simulated;  // of claims about one number
  std::optional<double> error;      // simulated / published - 1, of `is`
  std::string shown;                // the simulated side, for people
};

// Answers a measure that is not made of others.
using Watchdog = std::function<Reading(const Measure&)>;

// Throws ConfigError, as the witness does, and when curves do not have the same values of their variable.
Reading evaluate(const Measure& measure, const Watchdog& watchdog);
Verdict judge(const Claim& claim, const Watchdog& watchdog);

// What the row says was published: "205", "> 400", "200 to 300", "A > B", "alike within 10 %".
std::string published_text(const Claim& claim);
// Four digits, without an exponent.
std::string number_text(double value);

}  // namespace ftlab
