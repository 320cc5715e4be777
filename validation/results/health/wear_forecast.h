// Forecast of the end of a drive's life: host bytes until then, and the pool of superblocks that ends it. The drive is
// assumed to continue as in a window of its life, usually the last tenth of a run.
//
// The window yields the erases per host byte. Media bytes would not do: a superblock of a pSLC cache is erased after a half
// or a third of the bytes that another one holds.
//
// Blocks wear unevenly. The second half of the run shows how the variance of their erases grows with the mean: each block's
// distance from the mean grows with the standard deviation, up to the block's own limit. V is the current variance, m the
// mean, and V grew as m^p. V excludes the variance that follows from erases being whole numbers.
//
//   p <= 1   V * (x / m)^p at the mean x: chance, or wear levelling
//   p <= 2   a * x + b * x^2 with this V and p: chance, and blocks that cold data keep out of use
//   p > 2    the standard deviation grows linearly: a difference between blocks that began late
//
// A superblock retires when a block fails and its lane has no spare block (ftl/blocks/defects.h). Each pool loses
// superblocks by its share of the erases. The drive ends with the first pool that has fewer than it needs; a pool that the
// drive can do without is lost first. GC costs more as the stale space shrinks.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/drive.h"

namespace ftlab {

struct WearForecast {
  double host_bytes = 0;   // until the end
  std::uint32_t pool = 0;  // pool that ends the drive
};

// `window` and `half` end now; `half` shows how the spread grows. REQUIRES: blocks have limits, and in the window the host
// wrote and blocks were erased. O(blocks * log(blocks)).
WearForecast forecast_wear(const Drive& drive, const Counters& window, const Counters& half);

// The erases of each block as a function of their mean. Part of the forecast, public for tests.
class WearGrowth {
 public:
  // `erases`: of each block except bad ones. `erased`, `squares`: recent growth of their sum and of the sum of their
  // squares.
  WearGrowth(const std::vector<double>& erases, double erased, double squares);

  double mean() const { return mean_; }
  double spread(double mean) const;
  // Erases, at this mean, of a block that has `now` today.
  double erases(double now, double mean) const;
  // The mean at which that block has `erases`; infinite if never.
  double mean_when(double now, double erases) const;

 private:
  double mean_ = 0, variance_ = 0, excess_ = 0, power_ = 0;
};

}  // namespace ftlab
