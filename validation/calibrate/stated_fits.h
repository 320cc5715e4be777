// configs/scoreboard/fits.json: which numbers of which drives are fitted to which rows of the scoreboard.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// A fit that `ftlab calibrate --board` carries out.
struct StatedFit {
  std::string name;
  std::string file;                 // of configs/drives, without its ending: there the fitted numbers stand
  std::vector<std::string> drives;  // fitted together; several: a family, whose numbers they share
  std::vector<std::string> rows;    // facts, or kMarkedRows
  std::vector<std::string> keys;    // KEY or KEY:LOW:HIGH
  std::vector<std::string> start;   // KEY=VALUE: where the fit begins, so that it owes nothing to an earlier one
};

// Numbers that were fitted before there were rows to fit them to, or that no small step moves.
struct FitByHand {
  std::string file;
  std::vector<std::string> keys;
  std::string to;  // what they were fitted to
};

struct StatedFits {
  std::vector<StatedFit> fits;
  std::vector<FitByHand> by_hand;
};

// Throws ConfigError.
StatedFits read_stated_fits(const Node& document);
StatedFits load_stated_fits(const std::string& path);

}  // namespace ftlab
