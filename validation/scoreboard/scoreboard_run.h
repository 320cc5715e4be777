// Runs that rows of the scoreboard look at, carried out side by side: on the drives of the library, or on others in their
// place.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "validation/scoreboard/evidence.h"
#include "validation/scoreboard/review.h"
#include "validation/scoreboard/verdict.h"

namespace ftlab {

struct ReviewedRow {
  const Review* review = nullptr;
  const BoardRow* row = nullptr;
};

struct ReviewedRun {
  const Review* review = nullptr;
  const BoardRun* run = nullptr;
  std::string key() const { return review->name + ": " + run->name; }
};

// Null: the review has no run of this name, as for measures of a drive file.
const BoardRun* run_of(const Review& review, const std::string& name);
// Each once, in the order in which rows look at them.
std::vector<ReviewedRun> runs_of(const std::vector<ReviewedRow>& rows);
// Of every run that the row looks at.
void visit_runs(const ReviewedRow& row, const std::function<void(const BoardRun&)>& visit);

// Documents that stand in the place of the library's drives, by name.
using DrivesInstead = std::map<std::string, Node>;

struct ScoreboardRunOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: one for each core; their number changes nothing
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t of)> progress;  // from any thread, one at a time
  std::string host{};                                              // in the place of every run's own; empty: each in its own
};

// What the runs have shown, by key.
class ScoreboardRun {
 public:
  // REQUIRES: a row all of whose runs are shown; reviews that outlive the showing.
  Verdict judge(const ReviewedRow& row) const;
  const std::map<std::string, std::shared_ptr<const Evidence>>& runs() const { return runs_; }

 private:
  friend std::vector<ScoreboardRun> show(const std::vector<ReviewedRun>& runs, const std::vector<DrivesInstead>& versions,
                                         const ScoreboardRunOptions& options);
  std::map<std::string, std::shared_ptr<const Evidence>> runs_;
};

// Every run in every version; once, where no version has another drive for it. Throws ConfigError; Interrupted.
std::vector<ScoreboardRun> show(const std::vector<ReviewedRun>& runs, const std::vector<DrivesInstead>& versions,
                                const ScoreboardRunOptions& options);

}  // namespace ftlab
