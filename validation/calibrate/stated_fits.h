// configs/scoreboard/fits.json: which numbers of which drives are fitted to which rows of the scoreboard.
#pragma once

#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// A fit executed by `ftlab calibrate --board`.
struct StatedFit {
  std::string name;
  std::string file;                 // in configs/drives, without extension; holds the fitted numbers
  std::vector<std::string> drives;  // fitted together; several are a family that shares the numbers
  std::vector<std::string> rows;    // facts, or kMarkedRows
  std::vector<std::string> keys;    // KEY or KEY:LOW:HIGH
  std::vector<std::string> start;   // KEY=VALUE: start of the fit, so that it does not depend on earlier fits
};

// Numbers fitted before there were rows to fit them to, or too coarse for small steps.
struct FitByHand {
  std::string file;
  std::vector<std::string> keys;
  std::string to;  // data they were fitted to
};

struct StatedFits {
  std::vector<StatedFit> fits;
  std::vector<FitByHand> by_hand;
};

// Throws ConfigError.
StatedFits read_stated_fits(const Node& document);
StatedFits load_stated_fits(const std::string& path);

}  // namespace ftlab
