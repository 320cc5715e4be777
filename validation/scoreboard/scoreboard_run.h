// Executes the runs of scoreboard rows in parallel, on the library's drives or on replacements.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validation/scoreboard/evidence.h"
#include "validation/scoreboard/review.h"

namespace ftlab {

// Verdict on a row of the scoreboard: what was simulated, its error, and whether the claim holds.

struct Verdict {
  bool holds = false;
  std::optional<double> simulated;  // claims about one number only
  std::optional<double> error;      // simulated / published - 1; of a difference, as a share of the level; `is` only
  std::string shown;                // the simulated side, for people
};

// Reads a measure that does not combine others.
using Watchdog = std::function<Reading(const Measure&)>;

// Throws ConfigError like `watchdog`, and if curves have different values of their variable. REQUIRES: not a set of values.
Reading evaluate(const Measure& measure, const Watchdog& watchdog);
Verdict judge(const Claim& claim, const Watchdog& watchdog);

// The published side of a row: "205", "> 400", "200 to 300", "falls", "alike within 10 %".
std::string published_text(const Claim& claim);
// Rounds to about four digits, without an exponent.
std::string number_text(double value);

struct ReviewedRow {
  const Review* review = nullptr;
  const BoardRow* row = nullptr;
};

struct ReviewedRun {
  const Review* review = nullptr;
  const BoardRun* run = nullptr;
  std::string key() const { return review->name + ": " + run->name; }
};

// nullptr if the review has no run of this name, as for measures of a drive file.
const BoardRun* run_of(const Review& review, const std::string& name);
// The runs of the rows, each once, in the order of their first use.
std::vector<ReviewedRun> runs_of(const std::vector<ReviewedRow>& rows);
// Visits every run that the row uses.
void visit_runs(const ReviewedRow& row, const std::function<void(const BoardRun&)>& visit);

// Documents that replace the library's drives, by name.
using DriveReplacements = std::map<std::string, Node>;

struct ScoreboardRunOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: one per core; does not affect the results
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t of)> progress;  // from any thread, one call at a time
  std::string host{};                                              // replaces the host of every run; empty: keep them
};

// Results of the runs, by key.
class ScoreboardRun {
 public:
  // REQUIRES: every run of the row was executed; the reviews outlive the results.
  Verdict judge(const ReviewedRow& row) const;
  const std::map<std::string, std::shared_ptr<const Evidence>>& runs() const { return runs_; }

 private:
  friend std::vector<ScoreboardRun> show(const std::vector<ReviewedRun>& runs,
                                         const std::vector<DriveReplacements>& versions,
                                         const ScoreboardRunOptions& options);
  std::map<std::string, std::shared_ptr<const Evidence>> runs_;
};

// Executes every run in every version, but only once if no version replaces its drive. Throws ConfigError; throws
// Interrupted.
std::vector<ScoreboardRun> show(const std::vector<ReviewedRun>& runs, const std::vector<DriveReplacements>& versions,
                                const ScoreboardRunOptions& options);

}  // namespace ftlab
