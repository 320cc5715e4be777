// What a row of the scoreboard looks at. Written as a text
//
//   RUN@DRIVE / STEP VARIABLE=VALUE ... / FIGURE     a figure of one measured step of a run; one VARIABLE=* or
//                                                    VARIABLE=A,B,...: a curve over these values
//   RUN@DRIVE / smart ID                             the raw value of a SMART attribute when the run has ended
//   drive DRIVE / FIGURE                             of the drive file: user_GiB, raw_GiB, spare_GiB, bits_per_cell, rpm ...
//
// or as an object with one key, which makes a number of others: ratio, difference, sum, mean, max, min, peak_at.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

struct Measure {
  enum class Kind : std::uint8_t { step, smart, drive, ratio, difference, sum, mean, max, min, peak_at };

  Kind kind = Kind::step;
  std::string run;                                         // NAME@DRIVE: step, smart
  std::string drive;                                       // of the library
  std::string step;                                        // its name
  std::vector<std::pair<std::string, std::string>> where;  // values of variables
  std::string over;                                        // the variable of a curve; empty: a number
  std::vector<std::string> among;                          // its values; empty: all that it has
  std::string figure;                                      // step, drive; of smart the attribute's number
  std::vector<Measure> of;                                 // the others

  std::string file;  // where it was written
  std::size_t line = 0;
  std::string text;  // as it was written, for messages
};

// Throws ConfigError. Whether there is such a run, step or figure is not known here.
Measure read_measure(const Node& node, const std::string& key);

// Every measure that `measure` is made of and that is itself none of others.
void visit_leaves(const Measure& measure, const std::function<void(const Measure&)>& visit);

}  // namespace ftlab
