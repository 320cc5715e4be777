// Rows of the scoreboard as targets of a fit. Each forecast executes the rows' runs completely, with the fitted drive
// documents instead of the library's. So any number of a drive file can be fitted, also of a disk.
//
// A row is a target if it publishes a figure above 0 and all of its runs use the fitted drives. Its tolerance is half of the
// width within which it holds: 5, 10 or 20 % by its confidence. Rows of one fact count as one figure. Held-out facts are not
// targets. Nor are orderings and shapes, but a fit may change their verdict: see changed_claims().
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validation/calibrate/calibration.h"
#include "validation/calibrate/target.h"
#include "validation/scoreboard/scoreboard_run.h"

namespace ftlab {

// `drives` and the facts in `rows` select rows; kMarkedRows stands for rows whose basis is `fitted`, empty `rows` for all
// possible targets.
inline constexpr char kMarkedRows[] = "marked";
struct RowChoice {
  std::vector<std::string> drives;
  std::vector<std::string> rows;
};

// Selected rows in the order of the files. `notes` receives how many were left out, and why. Throws ConfigError for a drive
// or fact without such a row.
std::vector<ReviewedRow> fittable_rows(const std::vector<Review>& reviews, const RowChoice& choice,
                                       std::vector<std::string>& notes);
// Throws ConfigError if a fact to hold back is not among the rows.
std::vector<Target> targets_of(const std::vector<ReviewedRow>& rows, const std::vector<std::string>& hold_back);

class BoardPrediction final : public TargetPrediction {
 public:
  // `drives`: names of the drive sets' documents in the runs. REQUIRES: the reviews outlive the prediction.
  BoardPrediction(std::vector<std::string> drives, std::vector<ReviewedRow> rows, const ScoreboardRunOptions& options)
      : drives_(std::move(drives)), rows_(std::move(rows)), runs_(runs_of(rows_)), options_(options) {}

  // Results are cached by documents and seed.
  std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) override;
  const std::vector<ReviewedRow>& rows() const { return rows_; }
  const std::vector<ReviewedRun>& runs() const { return runs_; }

 private:
  std::vector<std::string> drives_;
  std::vector<ReviewedRow> rows_;
  std::vector<ReviewedRun> runs_;
  ScoreboardRunOptions options_;
  std::map<std::string, std::vector<double>> known_;  // by seed and documents
};

// Options for fits to the board: whole runs have little noise and take long. `from_afar`: the start may be far off.
CalibrationOptions board_calibration(bool from_afar);

// An ordering or shape whose verdict differs between the drives `before` and `after`.
struct ChangedClaim {
  ReviewedRow row;
  Verdict before, after;
};
// Checks all orderings and shapes with a run of one of the drives, even if they also use others. Throws like show().
std::vector<ChangedClaim> changed_claims(const std::vector<Review>& reviews, const std::vector<std::string>& drives,
                                         const DriveSet& before, const DriveSet& after, const ScoreboardRunOptions& options);

}  // namespace ftlab
