// How long a drive lasts: TBW, drive writes per day, years. Part of `endurance` in a result. Unknown values are null there,
// and the text says why.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "ftl/drive/drive.h"
#include "sim/core/problem.h"
#include "sim/core/types.h"
#include "sim/counters.h"

namespace ftlab {

// Recent use of the drive, assumed to continue. Usually from the end of a run.
struct LifeBasis {
  std::optional<Counters> window;  // none: the drive's whole life so far
  std::optional<Counters> half;    // second half of the run, shows how the spread of wear grows; none: as `window`
  std::uint64_t host_bytes = 0;    // written by the host in `time`
  Nanoseconds time{0};             // 0: write rate unknown
};

struct Life {
  bool read_only = false;
  double written_bytes = 0;            // by the host
  std::optional<double> used_percent;  // none: the flash has no limit and lasts forever
  std::optional<double> tbw_bytes;     // none: no limit, or unknown
  std::string not_known;               // why tbw_bytes is unknown despite a limit; else empty
  std::string first_pool;              // pool of superblocks that ends the drive; empty if there is one pool
  std::optional<double> wa;            // over the window; over the whole life if read-only
  std::optional<double> dwpd;          // none: no tbw_bytes, or no warranty stated
  std::optional<double> bytes_per_s;   // host write rate; none: no clock, or no writes
  std::optional<double> years_left;    // at bytes_per_s
  std::optional<double> years_left_at_one_drive_write_a_day;

  // Sets bytes_per_s and both numbers of years. `user_bytes`: size of one drive write.
  void add_years(double user_bytes, const LifeBasis& basis);
};

// Returns a problem if the flash has a limit but the figures are unknown.
std::optional<Problem> problem_of(const Life& life);

// Adds the figures to the object `endurance`.
void add_life(nlohmann::ordered_json& endurance, const Life& life);
// Reads them back; missing or non-numeric figures are unknown. Returns none if it is not such an object.
std::optional<Life> life_of(const nlohmann::ordered_json& endurance);

// Lines of two columns in the style of the run summary. `life`: none if the result lacks it.
std::string life_text(const std::optional<Life>& life);

// Wear of a drive over its whole life, not one run: the parts `erases` and `endurance` of a result.

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
