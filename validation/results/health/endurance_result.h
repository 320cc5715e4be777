// Wear of a drive over its whole life, not one run: the parts `erases` and `endurance` of a result.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ftl/drive/drive.h"
#include "validation/results/health/life.h"

namespace ftlab {

// Erases of all blocks except factory-bad ones: their spread and a histogram of up to 16 classes of equal width.
nlohmann::ordered_json erase_counts(const Drive& drive, const Counters& run);

// Bad and spare blocks, superblocks left, terabytes written, drive writes per day. Values that do not apply are null: the
// used share of an unlimited life, drive writes per day without `warranty_days`.
//
//   percentage_used   mean erases of the blocks / mean of their limits
//   tbw               host bytes: at the end of life those written, before it the forecast of wear_forecast.h from `basis`;
//                     a drive with `worn_cycles` counts from these on. Unknown until the host has written as much as the
//                     drive holds, and if this reaches into the second half of a run
//   ends_first        the pool of superblocks whose wear ends the drive; null if there is one pool
//   dwpd              tbw / (user bytes * warranty_days)
//   years_left        until tbw, at the host's write rate in `basis`; and at one drive write per day
nlohmann::ordered_json endurance(const Drive& drive, const LifeBasis& basis = {});

}  // namespace ftlab
