// Lifetime throttling: how much of the flash may have been programmed at a given time, so that its erases last for the
// promised number of days. A controller with a life curve delays writes that come too early (US patent 8,230,183: an
// operation is delayed when the rate of such operations exceeds the average that the required lifetime allows; "static
// throttling" in Lee et al., FAST 2012). Time without writes is credit, and a new drive has some from the start (2 % of the
// warranty): known of the SF-1200 from a forum (xtremesystems.org, "Sandforce Life Time Throttling").
//
// Counts programmed pages, not erased blocks, so that the curve is smooth. A pSLC page counts as one page.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

struct LifeCurveConfig {
  std::uint32_t days = 0;             // over which the erases are spread; 0: no throttling
  std::uint32_t credit_permille = 0;  // share of all erases that is available at once
  std::uint32_t powered_days = 0;     // days powered before the run

  bool on() const { return days > 0; }
  bool operator==(const LifeCurveConfig&) const = default;
};

// Reads the object `life_curve` of a drive file's `endurance`. Throws ConfigError.
LifeCurveConfig read_life_curve(Reader reader);

class LifeCurve {
 public:
  // `pages` pages can be programmed `limit` times each; `worn` of these are used before the run. REQUIRES: config.on(),
  // pages and limit are not 0.
  LifeCurve(const LifeCurveConfig& config, std::uint64_t pages, std::uint32_t limit, std::uint32_t worn);

  // Earliest time in the run at which `programmed` pages may have been programmed in it; 0: at once.
  Nanoseconds earliest(std::uint64_t programmed) const;

 private:
  std::uint64_t budget_;  // programs of the whole life
  std::uint64_t past_;    // programs before the run
  Nanoseconds days_;
  Nanoseconds behind_;  // time before the run, plus credit
};

}  // namespace ftlab
