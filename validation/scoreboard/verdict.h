// Verdict on a row of the scoreboard: what was simulated, its error, and whether the claim holds.
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
  std::optional<double> simulated;  // claims about one number only
  std::optional<double> error;      // simulated / published - 1; of a difference, as a share of the level; `is` only
  std::string shown;                // the simulated side, for people
};

// Reads a measure that does not combine others.
using Watchdog = std::function<Reading(const Measure&)>;

// Throws ConfigError like `watchdog`, and if curves have different values of their variable. REQUIRES: not a set of values.
Reading evaluate(const Measure& measure, const Watchdog& watchdog);
Verdict judge(const Claim& claim, const Watchdog& watchdog);

// The published side of a row: "205", "> 400", "200 to 300", "falls", "alike within 10 %".
std::string published_text(const Claim& claim);
// Rounds to about four digits, without an exponent.
std::string number_text(double value);

}  // namespace ftlab
