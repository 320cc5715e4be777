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
// fact of facts.json is on no row and not given, or a row is about a fact that is not there.
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

struct Scoreboard {
  std::vector<ScoredRow> rows;             // in the order of the files
  std::map<std::string, double> run_wall;  // seconds that each run took
  std::map<std::string, std::uint64_t>
      failed;         // requests, of runs in which some failed: their figures are not to be trusted
  double wall_s = 0;  // altogether

  Score score(RowKind kind) const;
  Score claims() const;                               // orderings and shapes
  std::vector<double> errors(bool fitted_too) const;  // of quantities with a figure
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
