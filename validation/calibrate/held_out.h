// How well a family of drives predicts one of its own that nobody measured: ftlab validate --held-out.
//
// Each fit of a family (configs/scoreboard/fits.json, with a start and several drives) is made again without each of its
// drives in turn, and without each procedure in turn, from its start, which owes nothing to what is left out. With the
// numbers found, what was left out is simulated, and stands beside what the drives of the library show, which were fitted
// with it. A procedure whose absence leaves fewer figures than keys is not left out. Nothing else of the left-out drive is
// used but its flash, its geometry and its capacity.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validation/calibrate/stated_fits.h"
#include "validation/scoreboard/scoreboard.h"

namespace ftlab {

// A row about what was left out. Rows that any outcome satisfies, or that read an input back, are not among them.
struct HeldOutRow {
  ReviewedRow row;
  Verdict fitted;    // by the library
  Verdict held_out;  // without what was left out
};

struct HeldOutCase {
  std::string fit;
  std::string left_out;  // a drive's name, or "procedure NAME"
  std::size_t figures_fitted_to = 0;
  std::vector<std::string> keys;  // "KEY=VALUE", as found; none: no figure of what was left out had been fitted to
  std::vector<HeldOutRow> rows;
};

struct HeldOutOptions {
  std::string fit;     // only this one; empty: all families
  bool quick = false;  // judge only rows all of whose runs are quick
  ScoreboardRunOptions scoreboard_run;
  std::function<void(const std::string& what, double done)> progress;  // before each case; `done`: the share before it
};

// In the order of the fits, drives before procedures. REQUIRES: the reviews outlive the result. Throws ConfigError: a fit
// that is not there, is of one drive or has no start; Interrupted.
std::vector<HeldOutCase> hold_out(const std::vector<Review>& reviews, const std::vector<StatedFit>& fits,
                                  const HeldOutOptions& options);

// Rows as the board counts them, groups once: fitted beside held out.
std::string held_out_table(const std::vector<HeldOutCase>& cases);
std::string held_out_csv(const std::vector<HeldOutCase>& cases);

}  // namespace ftlab
