#include "validation/scoreboard/scoreboard_run.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "validation/run/open_device.h"
#include "validation/run/side_by_side.h"

namespace ftlab {
namespace {

Node document_of(const BoardRun& run, const DriveReplacements& instead, const std::string& host) {
  const auto found = instead.find(run.drive);
  Node drive = found == instead.end() ? load_drive(run.drive, {}) : found->second;
  set_host(drive, host.empty() ? run.host : host);
  return drive;
}

struct Task {
  ReviewedRun reviewed;
  std::vector<std::size_t> versions;  // versions with the same drive, which share the result
};

std::vector<Task> tasks_of(const std::vector<ReviewedRun>& runs, const std::vector<DriveReplacements>& versions) {
  std::vector<Task> tasks;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const bool alike = std::none_of(versions.begin(), versions.end(), [&](const DriveReplacements& instead) {
        return instead.count(runs[r].run->drive) > 0;
      });
      if (v == 0 || !alike) {
        tasks.push_back({runs[r], {v}});
      } else {
        tasks[r].versions.push_back(v);
      }
    }
  }
  return tasks;
}

}  // namespace

const BoardRun* run_of(const Review& review, const std::string& name) {
  const auto found =
      std::find_if(review.runs.begin(), review.runs.end(), [&name](const BoardRun& run) { return run.name == name; });
  return found == review.runs.end() ? nullptr : &*found;
}

void visit_runs(const ReviewedRow& row, const std::function<void(const BoardRun&)>& visit) {
  for (const auto& group : row.row->claim.of) {
    for (const Measure& measure : group) {
      visit_leaves(measure, [&](const Measure& leaf) {
        if (const BoardRun* const run = run_of(*row.review, leaf.run)) visit(*run);
      });
    }
  }
}

std::vector<ReviewedRun> runs_of(const std::vector<ReviewedRow>& rows) {
  std::vector<ReviewedRun> runs;
  std::set<std::string> known;
  for (const ReviewedRow& row : rows) {
    visit_runs(row, [&](const BoardRun& run) {
      const ReviewedRun reviewed{row.review, &run};
      if (known.insert(reviewed.key()).second) runs.push_back(reviewed);
    });
  }
  return runs;
}

Verdict ScoreboardRun::judge(const ReviewedRow& row) const {
  return ftlab::judge(row.row->claim, [&](const Measure& measure) -> Reading {
    if (measure.kind == Measure::Kind::drive) return {{{"", drive_figure(measure)}}};
    return runs_.at(ReviewedRun{row.review, run_of(*row.review, measure.run)}.key())->read(measure);
  });
}

std::vector<ScoreboardRun> show(const std::vector<ReviewedRun>& runs, const std::vector<DriveReplacements>& versions,
                                const ScoreboardRunOptions& options) {
  for (const ReviewedRun& reviewed : runs) {  // refuse unknown hosts before anything runs
    const std::string& host = options.host.empty() ? reviewed.run->host : options.host;
    if (!host.empty()) load_host(host);
  }
  const std::vector<Task> tasks = tasks_of(runs, versions);
  std::vector<ScoreboardRun> scoreboard_runs(versions.size());
  std::size_t done = 0;
  std::mutex writing;
  side_by_side(tasks.size(), options.threads, [&](std::size_t i) {
    const Task& task = tasks[i];
    const BoardRun& run = *task.reviewed.run;
    const auto shown = std::make_shared<const Evidence>(run, document_of(run, versions[task.versions.front()], options.host),
                                                        options.seed, options.interrupted);
    const std::lock_guard<std::mutex> lock(writing);
    for (const std::size_t version : task.versions) scoreboard_runs[version].runs_[task.reviewed.key()] = shown;
    if (options.progress) options.progress(++done, tasks.size());
  });
  return scoreboard_runs;
}

}  // namespace ftlab
