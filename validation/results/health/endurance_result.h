// How far a drive is worn, as the parts `erases` and `endurance` of a result. Of the whole life of the drive, not of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ftl/drive/drive.h"
#include "validation/results/health/life.h"

namespace ftlab {

// Erases of the blocks that are good or were: their spread and a histogram of up to 16 classes of equal width.
nlohmann::ordered_json erase_counts(const Drive& drive, const Counters& run);

// Bad and spare blocks, superblocks that are left, terabytes written, drive writes per day. What does not apply is null:
// a share of an unlimited life, drive writes per day without `warranty_days`.
//
//   percentage_used   mean erases of the blocks / mean of their limits
//   tbw               host bytes: at the end of life those written, before it the forecast of wear_forecast.h from `basis`;
//                     a drive with `worn_cycles` counts from these on. Not known before the host has written as much as the
//                     drive holds, nor while that reaches into the second half of a run
//   ends_first        the pool of superblocks whose wear ends the drive; null: there is one pool
//   dwpd              tbw / (user bytes * warranty_days)
//   years_left        until tbw, at the host's rate of writing in `basis`; and at one drive write a day
nlohmann::ordered_json endurance(const Drive& drive, const LifeBasis& basis = {});

}  // namespace ftlab
