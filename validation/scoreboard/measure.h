// A measure is what a row of the scoreboard evaluates. It is written as a text
//
//   RUN@DRIVE / STEP VARIABLE=VALUE ... / FIGURE     a figure of one measured step of a run. One VARIABLE=* or
//                                                    VARIABLE=A,B,... makes it a curve over these values.
//   RUN@DRIVE / smart ID                             raw value of a SMART attribute at the end of the run
//   drive DRIVE / FIGURE                             of the drive file: user_GiB, raw_GiB, spare_GiB, bits_per_cell, rpm ...
//
// or as an object with one key that combines other measures: ratio, difference, sum, mean, max, min, and two that are sets
// of values: peak_at (where a curve peaks) and range (from the least to the greatest value).
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

struct Measure {
  enum class Kind : std::uint8_t { step, smart, drive, ratio, difference, sum, mean, max, min, peak_at, range };

  Kind kind = Kind::step;
  std::string run;                                         // NAME@DRIVE; step and smart only
  std::string drive;                                       // name in the library
  std::string step;                                        // step name
  std::vector<std::pair<std::string, std::string>> where;  // required values of variables
  std::string over;                                        // variable of a curve; empty: a number
  std::vector<std::string> among;                          // values of that variable; empty: all
  std::string figure;                                      // step, drive: its name; smart: attribute ID
  std::vector<Measure> of;                                 // the measures that this one combines

  std::string file;  // where it was written
  std::size_t line = 0;
  std::string text;  // as it was written, for messages
};

// Throws ConfigError. Does not check that the run, step or figure exists.
Measure read_measure(const Node& node, const std::string& key);

// Visits `measure`, or if it combines others, all parts that do not combine others themselves.
void visit_leaves(const Measure& measure, const std::function<void(const Measure&)>& visit);

}  // namespace ftlab
