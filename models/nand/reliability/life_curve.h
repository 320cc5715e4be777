// The curve that holds a drive to its life: how much of the flash may have been programmed by when, so that its erases last
// for as many days as its maker promises. A controller that keeps to it delays writes that come too early (US patent
// 8,230,183: an operation is delayed when the rate of such operations exceeds the average that the required lifetime allows;
// "static throttling" in Lee et al., FAST 2012). That time without writes is credit, and that a new drive has some from the
// start (2 % of the warranty), is what a forum knows of the SF-1200 (xtremesystems.org, "Sandforce Life Time Throttling").
//
// Counted in pages programmed, not in blocks erased: so it is smooth. A page of one bit a cell counts as one page.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

struct LifeCurveConfig {
  std::uint32_t days = 0;             // over which the flash's erases are spread; 0: nothing is held back
  std::uint32_t credit_permille = 0;  // of all erases, to be had at once
  std::uint32_t powered_days = 0;     // that the drive has behind it when the run begins

  bool on() const { return days > 0; }
  bool operator==(const LifeCurveConfig&) const = default;
};

// Reads the object `life_curve` of a drive file's `endurance`. Throws ConfigError.
LifeCurveConfig read_life_curve(Reader reader);

class LifeCurve {
 public:
  // Of `pages` pages, each to be programmed `limit` times at most, `worn` times of them before the run.
  // REQUIRES: config.on(), pages and limit are not 0.
  LifeCurve(const LifeCurveConfig& config, std::uint64_t pages, std::uint32_t limit, std::uint32_t worn);

  // The moment of the run from which on so many pages may have been programmed in it; 0: from its beginning.
  Nanoseconds earliest(std::uint64_t programmed) const;

 private:
  std::uint64_t budget_;  // programs of the whole life
  std::uint64_t past_;    // of them before the run
  Nanoseconds days_;
  Nanoseconds behind_;  // time that the run finds behind it, credit included
};

}  // namespace ftlab
