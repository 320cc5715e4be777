// Tests how well a family of drives predicts an unmeasured member: ftlab validate --held-out.
//
// Each fit of a family (configs/scoreboard/fits.json, with a start and several drives) is repeated without each of its
// drives in turn, and without each procedure in turn. It begins at its stated start, which does not depend on the data left
// out. What was left out is simulated with the numbers found, and compared with the library's drives, which were fitted to
// it. A procedure whose absence leaves fewer figures than keys is not left out. Of the left-out drive only the flash,
// geometry and capacity are used.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {

// configs/scoreboard/fits.json: which numbers of which drives are fitted to which rows of the scoreboard.

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

// A row about what was left out. Excludes rows that any outcome satisfies, and rows that restate an input.
struct HeldOutRow {
  ReviewedRow row;
  Verdict fitted;    // by the library's drives
  Verdict held_out;  // by the fit without the left-out data
};

struct HeldOutCase {
  std::string fit;
  std::string left_out;  // a drive's name, or "procedure NAME"
  std::size_t figures_fitted_to = 0;
  std::vector<std::string> keys;  // "KEY=VALUE", as found; empty: no figure of what was left out had been fitted to
  std::vector<HeldOutRow> rows;
};

struct HeldOutOptions {
  std::string fit;     // name of the only fit to run; empty: all families
  bool quick = false;  // judge only rows whose runs are all quick
  ScoreboardRunOptions scoreboard_run;
  std::function<void(const std::string& what, double done)> progress;  // called before each case; `done`: share completed
};

// Returns cases in the order of the fits, drives before procedures. REQUIRES: the reviews outlive the result. Throws
// ConfigError for a fit that is unknown, has one drive or has no start; throws Interrupted.
std::vector<HeldOutCase> hold_out(const std::vector<Review>& reviews, const std::vector<StatedFit>& fits,
                                  const HeldOutOptions& options);

// Table of the rows, counted as on the board (each group once): fitted next to held out.
std::string held_out_table(const std::vector<HeldOutCase>& cases);
std::string held_out_csv(const std::vector<HeldOutCase>& cases);

}  // namespace ftlab
