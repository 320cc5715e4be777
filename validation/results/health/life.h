// How long a drive lasts: TBW, drive writes a day, years. A part of `endurance` in a result; what is not known is null
// there, and the text says why.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/core/problem.h"
#include "sim/core/types.h"
#include "sim/counters.h"

namespace ftlab {

// What the drive goes on with, as at the end of a run.
struct LifeBasis {
  std::optional<Counters> window;  // nothing: the drive's whole life so far
  std::optional<Counters> half;    // the second half of the run, for the growth of the spread of wear; nothing: as `window`
  std::uint64_t host_bytes = 0;    // that the host wrote ...
  Nanoseconds time{0};             // ... in this time; 0: nothing tells how fast it writes
};

struct Life {
  bool read_only = false;
  double written_bytes = 0;            // by the host
  std::optional<double> used_percent;  // nothing: the flash has no limit, so there is no end
  std::optional<double> tbw_bytes;     // nothing: no limit, or not known
  std::string not_known;               // why tbw_bytes is not known though there is a limit; else empty
  std::string first_pool;              // pool of superblocks that ends the drive; empty: there is one pool
  std::optional<double> wa;            // of the window; of a read-only drive that of its whole life
  std::optional<double> dwpd;          // nothing: no tbw_bytes, or no warranty is stated
  std::optional<double> bytes_per_s;   // the host's rate of writing; nothing: no clock, or no writes
  std::optional<double> years_left;    // at this rate
  std::optional<double> years_left_at_one_drive_write_a_day;

  // Of the three that are above: the years. `user_bytes`: of one drive write.
  void add_years(double user_bytes, const LifeBasis& basis);
};

// Nothing: the figures are known, or the flash has no limit.
std::optional<Problem> problem_of(const Life& life);

// Adds its figures to the object `endurance`.
void add_life(nlohmann::ordered_json& endurance, const Life& life);
// Back from it; what is missing there, or no number, is not known. Nothing: this is no such object.
std::optional<Life> life_of(const nlohmann::ordered_json& endurance);

// Lines of two columns for a person, in the style of the summary of a run. Nothing: the result does not tell.
std::string life_text(const std::optional<Life>& life);

}  // namespace ftlab
