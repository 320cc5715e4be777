// Rows of the scoreboard as targets of a fit: every forecast carries out the runs that the rows look at, whole, with the
// drives' documents in the place of the library's. So any number of a drive file may be fitted, of disks too.
//
// A row is a target when it publishes a figure above 0 and all of its runs are of the drives that are fitted. Half of the
// width within which it holds is its tolerance: 5, 10 or 20 % by its confidence. Rows of one fact count as one figure. A
// fact that is held out is no target. Orderings and shapes are no targets, but may come to hold, or hold no more:
// changed_claims.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validation/calibrate/calibration.h"
#include "validation/calibrate/target.h"
#include "validation/scoreboard/scoreboard_run.h"

namespace ftlab {

// Whose rows, and which: by their facts' ids, and kMarkedRows for those whose basis is `fitted`; empty: all that can be
// targets.
inline constexpr char kMarkedRows[] = "marked";
struct RowChoice {
  std::vector<std::string> drives;
  std::vector<std::string> rows;
};

// In the order of the files. `notes`: how many were left out, and why. Throws ConfigError: a drive or a fact without such a
// row.
std::vector<ReviewedRow> fittable_rows(const std::vector<Review>& reviews, const RowChoice& choice,
                                       std::vector<std::string>& notes);
// Throws ConfigError when a row is to be held back that is not there.
std::vector<Target> targets_of(const std::vector<ReviewedRow>& rows, const std::vector<std::string>& hold_back);

class BoardPrediction final : public TargetPrediction {
 public:
  // `drives`: names of the sets' documents, as the runs call them. REQUIRES: the reviews outlive it.
  BoardPrediction(std::vector<std::string> drives, std::vector<ReviewedRow> rows, const ScoreboardRunOptions& options)
      : drives_(std::move(drives)), rows_(std::move(rows)), runs_(runs_of(rows_)), options_(options) {}

  // What was forecast before, of the same documents with the same seed, is remembered.
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

// How fits to the board are made: whole runs scatter little, and take long. `from_afar`: the start may be far off.
CalibrationOptions board_calibration(bool from_afar);

// An ordering or a shape whose verdict is another with the drives `after` than with those `before`.
struct ChangedClaim {
  ReviewedRow row;
  Verdict before, after;
};
// Of all orderings and shapes that look at one of the drives; those of other drives too that they look at. Throws as show.
std::vector<ChangedClaim> changed_claims(const std::vector<Review>& reviews, const std::vector<std::string>& drives,
                                         const DriveSet& before, const DriveSet& after, const ScoreboardRunOptions& options);

}  // namespace ftlab
