#include "validation/calibrate/board_prediction.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/names.h"
#include "sim/config/split.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

// Beyond this many tolerances a residual gains weight ever more slowly: there the model lacks something the drive does.
constexpr double kFarOff = 2;
constexpr std::uint32_t kBoardReplicates = 2;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Number of runs of a row: all, and those of the given drives.
struct RunsOfRow {
  std::size_t all = 0, of_drives = 0;
};
RunsOfRow runs_of_row(const ReviewedRow& row, const std::vector<std::string>& drives) {
  RunsOfRow runs;
  visit_runs(row, [&](const BoardRun& run) {
    ++runs.all;
    runs.of_drives += contains(drives, run.drive);
  });
  return runs;
}

// Why a row cannot be a target; empty if it can.
std::string problem_of(const ReviewedRow& row, const std::vector<std::string>& drives) {
  const RunsOfRow runs = runs_of_row(row, drives);
  if (runs.of_drives < runs.all) return "look at other drives too";
  if (row.row->held_out) return "are held out";
  if (row.row->kind != RowKind::quantity) return "are orderings or shapes";
  const bool figure = row.row->claim.kind == Claim::Kind::is && row.row->claim.low > 0;
  return figure ? "" : "publish a bound, or no figure above 0";
}

std::vector<std::string> facts_of(const std::vector<ReviewedRow>& rows) {
  std::vector<std::string> facts;
  for (const ReviewedRow& row : rows) {
    if (!contains(facts, row.row->fact)) facts.push_back(row.row->fact);
  }
  return facts;
}

void check_facts(const std::vector<std::string>& named, const std::vector<std::string>& facts, const char* option) {
  for (const std::string& name : named) {
    if (!contains(facts, name) && name != kMarkedRows)
      refuse_name({option, 0}, "", "is not a fact with a figure to fit these drives to", name, facts);
  }
}

bool is_chosen(const BoardRow& row, const std::vector<std::string>& chosen) {
  return chosen.empty() || contains(chosen, row.fact) || (row.basis == Basis::fitted && contains(chosen, kMarkedRows));
}

DriveReplacements instead(const std::vector<std::string>& names, const DriveSet& drives) {
  DriveReplacements documents;
  for (std::size_t i = 0; i < names.size(); ++i) documents[names[i]] = drives[i];
  return documents;
}

std::string key_of(const DriveSet& drives, std::uint64_t seed) {
  std::string key = std::to_string(seed);
  for (const Node& drive : drives) key += "\n" + to_json(drive).dump();
  return key;
}

}  // namespace

std::vector<ReviewedRow> fittable_rows(const std::vector<Review>& reviews, const RowChoice& choice,
                                       std::vector<std::string>& notes) {
  std::vector<ReviewedRow> rows;
  std::map<std::string, std::size_t> left_out;
  for (const Review& review : reviews) {
    for (const BoardRow& row : review.rows) {
      const ReviewedRow reviewed{&review, &row};
      if (runs_of_row(reviewed, choice.drives).of_drives == 0) continue;
      const std::string problem = problem_of(reviewed, choice.drives);
      if (problem.empty()) {
        rows.push_back(reviewed);
      } else {
        ++left_out[problem];
      }
    }
  }
  for (const auto& [problem, count] : left_out)
    notes.push_back("left out " + std::to_string(count) + (count == 1 ? " row: " : " rows: ") + problem);
  if (rows.empty())
    throw ConfigError({"--drive", 0}, "", "has no figure on the scoreboard to fit to", joined(choice.drives));
  check_facts(choice.rows, facts_of(rows), "--rows");
  std::erase_if(rows, [&](const ReviewedRow& r) { return !is_chosen(*r.row, choice.rows); });
  if (rows.empty()) throw ConfigError({"--rows", 0}, "", "are none: no row of these drives has the basis `fitted`");
  return rows;
}

std::vector<Target> targets_of(const std::vector<ReviewedRow>& rows, const std::vector<std::string>& hold_back) {
  const std::vector<std::string> facts = facts_of(rows);
  check_facts(hold_back, facts, "--hold-back");
  std::vector<Target> targets;
  for (const ReviewedRow& reviewed : rows) {
    const BoardRow& row = *reviewed.row;
    const auto fact = std::find(facts.begin(), facts.end(), row.fact) - facts.begin();
    targets.push_back({row.unit.empty() ? "share" : row.unit, row.claim.low, row.claim.within / 2,
                       contains(hold_back, row.fact), static_cast<std::size_t>(fact), 0, 1, row.fact + " " + row.says,
                       reviewed.review->name});
  }
  return targets;
}

std::vector<std::vector<double>> BoardPrediction::of(const std::vector<DriveSet>& drives, std::uint64_t other_seed) {
  ScoreboardRunOptions options = options_;
  options.seed += other_seed;
  std::vector<std::string> keys, asked;
  std::vector<DriveReplacements> versions;
  for (const DriveSet& set : drives) {
    keys.push_back(key_of(set, options.seed));
    if (known_.count(keys.back()) > 0 || contains(asked, keys.back())) continue;
    asked.push_back(keys.back());
    versions.push_back(instead(drives_, set));
  }
  const std::vector<ScoreboardRun> scoreboard_runs = show(runs_, versions, options);
  for (std::size_t v = 0; v < scoreboard_runs.size(); ++v) {
    std::vector<double>& values = known_[asked[v]];
    for (const ReviewedRow& row : rows_) values.push_back(*scoreboard_runs[v].judge(row).simulated);
  }
  std::vector<std::vector<double>> all;
  for (const std::string& key : keys) all.push_back(known_.at(key));
  return all;
}

CalibrationOptions board_calibration(bool from_afar) {
  CalibrationOptions how;
  how.far_start = from_afar;
  how.tighten = false;
  how.restarts = 0;  // a forecast takes minutes
  how.far_off = kFarOff;
  how.replicates = kBoardReplicates;
  return how;
}

std::vector<ChangedClaim> changed_claims(const std::vector<Review>& reviews, const std::vector<std::string>& drives,
                                         const DriveSet& before, const DriveSet& after,
                                         const ScoreboardRunOptions& options) {
  std::vector<ReviewedRow> rows;
  for (const Review& review : reviews) {
    for (const BoardRow& row : review.rows) {
      const ReviewedRow reviewed{&review, &row};
      if (row.kind != RowKind::quantity && runs_of_row(reviewed, drives).of_drives > 0) rows.push_back(reviewed);
    }
  }
  std::vector<ChangedClaim> changed;
  if (rows.empty()) return changed;
  const std::vector<ScoreboardRun> shown = show(runs_of(rows), {instead(drives, before), instead(drives, after)}, options);
  for (const ReviewedRow& row : rows) {
    ChangedClaim claim{row, shown[0].judge(row), shown[1].judge(row)};
    if (claim.before.holds != claim.after.holds) changed.push_back(std::move(claim));
  }
  return changed;
}

}  // namespace ftlab
