// The scoreboard: what was published of drives against what their simulations show, row by row.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "validation/scoreboard/review.h"
#include "validation/scoreboard/scoreboard_run.h"
#include "validation/scoreboard/verdict.h"

namespace ftlab {

// All reviews of a folder, in the order of their names, without facts.json and fits.json. Throws ConfigError: also when a
// fact of facts.json is on no row and not given, a row is about a fact that is not there, or a number of a drive is fitted
// to a fact that is held out.
std::vector<Review> load_reviews(const std::string& folder);

struct ScoreboardChoice {
  std::string review;  // by name; empty: all
  std::string drive;   // of the library: rows that look at it; empty: all
  bool quick = false;  // only rows all of whose runs are quick
};

struct ScoredRow {
  const Review* review = nullptr;
  const BoardRow* row = nullptr;
  Verdict verdict;
};

struct Score {
  std::size_t rows = 0, hold = 0;
  double share() const { return rows == 0 ? 1 : static_cast<double>(hold) / static_cast<double>(rows); }
};

// What counts of the rows with one basis: each group once, which holds when all of its rows do and is as far off as its
// worst figure; no vacuous row.
struct BoardColumn {
  Score orderings, shapes, quantities;
  std::vector<double> errors;  // of quantities with a figure other than 0
  Score claims() const { return {orderings.rows + shapes.rows, orderings.hold + shapes.hold}; }
};

struct Scoreboard {
  std::vector<ScoredRow> rows;             // in the order of the files
  std::map<std::string, double> run_wall;  // seconds that each run took
  std::map<std::string, std::uint64_t>
      failed;         // requests, of runs in which some failed: their figures are not to be trusted
  double wall_s = 0;  // altogether

  BoardColumn column(Basis basis) const;
  std::size_t vacuous() const;  // rows
};

struct ScoreboardOptions {
  ScoreboardChoice choice;
  ScoreboardRunOptions scoreboard_run;
};

// In the order of the files. Throws ConfigError for a choice that leaves no row.
std::vector<ReviewedRow> rows_of(const std::vector<Review>& reviews, const ScoreboardChoice& choice);

// Carries out every run that a chosen row looks at, once. REQUIRES: `reviews` outlive the result. Throws ConfigError,
// before anything runs for a choice that leaves no row; Interrupted.
Scoreboard fill_scoreboard(const std::vector<Review>& reviews, const ScoreboardOptions& options);

}  // namespace ftlab
