// The scoreboard: what was published about drives against what their simulations show, row by row.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "validation/scoreboard/review.h"
#include "validation/scoreboard/scoreboard_run.h"

namespace ftlab {

// Loads all reviews of a folder, sorted by name, without facts.json and fits.json. Throws ConfigError, also if a fact of
// facts.json has no row and is not given, a row has an unknown fact, a number of a drive is fitted to a held-out fact, or a
// row counts whose fact is an explanation (`mechanism`).
std::vector<Review> load_reviews(const std::string& folder);

struct ScoreboardChoice {
  std::string review;  // by name; empty: all
  std::string drive;   // name in the library: only rows that use it; empty: all
  bool quick = false;  // only rows whose runs are all quick
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

// Counts of the rows with one basis that count. Each group counts once: it holds if all of its rows do, and has
// the error of its worst figure.
struct BoardColumn {
  Score orderings, shapes, quantities;
  std::vector<double> errors;  // errors of quantities whose published figure is not 0
  Score claims() const { return {orderings.rows + shapes.rows, orderings.hold + shapes.hold}; }
};

struct Scoreboard {
  std::vector<ScoredRow> rows;             // in the order of the files
  std::map<std::string, double> run_wall;  // wall time of each run, in seconds
  std::map<std::string, std::uint64_t>
      failed;         // failed requests by run, for runs with failures only; the figures of such runs are not trustworthy
  double wall_s = 0;  // total, in seconds

  BoardColumn column(Basis basis) const;
  std::map<std::string, std::size_t> not_counted() const;  // number of rows by reason
};

struct ScoreboardOptions {
  ScoreboardChoice choice;
  ScoreboardRunOptions scoreboard_run;
};

// Returns rows in the order of the files. Throws ConfigError if the choice leaves none.
std::vector<ReviewedRow> rows_of(const std::vector<Review>& reviews, const ScoreboardChoice& choice);

// Executes every run that the chosen rows use, once. REQUIRES: `reviews` outlive the result. Throws ConfigError, before any
// run if the choice leaves no row; throws Interrupted.
Scoreboard fill_scoreboard(const std::vector<Review>& reviews, const ScoreboardOptions& options);

// The scoreboard as text for a terminal, as Markdown for a README, as JSON for scripts. Text and Markdown list the rows by
// drive, misses first.

std::string scoreboard_text(const Scoreboard& board);
// `given`: reviews whose facts without a row are listed at the end.
std::string scoreboard_markdown(const Scoreboard& board, const std::vector<Review>& given);
nlohmann::ordered_json scoreboard_json(const Scoreboard& board);

}  // namespace ftlab
