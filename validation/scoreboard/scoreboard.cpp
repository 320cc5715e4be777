#include "validation/scoreboard/scoreboard.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>

#include "sim/config/error.h"
#include "sim/config/file.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

using WallClock = std::chrono::steady_clock;

constexpr char kFacts[] = "facts.json";
constexpr char kFits[] = "fits.json";  // what `validation/scoreboard/fit_reviews.sh` fits

struct Fact {
  std::string review;
  std::size_t line = 0;
};

std::map<std::string, Fact> load_facts(const std::string& path) {
  const Node document = parse_document(read_text_file(path), path);
  std::map<std::string, Fact> facts;
  for (const auto& [review, list] : document.members) {
    for (const Node& item : list.items) {
      const Node* const id = item.find("id");
      if (id == nullptr || id->kind != Node::Kind::text)
        throw ConfigError({path, item.line}, review, "holds what is no fact", item.shown(), "an object with an \"id\"");
      facts[id->text] = {review, item.line};
    }
  }
  return facts;
}

// Each fact is looked at, and each row looks at a fact.
void check_facts(const std::vector<Review>& reviews, const std::map<std::string, Fact>& facts, const std::string& path) {
  std::set<std::string> seen;
  std::vector<std::string> ids;
  for (const auto& [id, fact] : facts) ids.push_back(id);
  const auto look = [&](const std::string& id, const Review& review, std::size_t line) {
    if (facts.count(id) == 0)
      throw ConfigError({review.file, line}, "fact", "is not in " + path, id, {}, nearest_name(id, ids));
    seen.insert(id);
  };
  std::set<std::string> covered;
  for (const Review& review : reviews) {
    for (const BoardRow& row : review.rows) look(row.fact, review, row.line);
    for (const GivenFact& given : review.given) look(given.fact, review, 0);
  }
  for (const std::string& id : seen) covered.insert(facts.at(id).review);
  for (const auto& [id, fact] : facts) {
    if (seen.count(id) == 0 && covered.count(fact.review) > 0)
      throw ConfigError({path, fact.line}, id, "is on no row of the scoreboard, and not given");
  }
}

void visit_drives(const BoardRow& row, const std::function<void(const std::string&)>& visit) {
  for (const auto& group : row.claim.of) {
    for (const Measure& measure : group) visit_leaves(measure, [&](const Measure& leaf) { visit(leaf.drive); });
  }
}

bool is_chosen(const ReviewedRow& row, const ScoreboardChoice& choice) {
  bool of_drive = choice.drive.empty(), quick = true;
  visit_drives(*row.row, [&](const std::string& drive) { of_drive |= drive == choice.drive; });
  visit_runs(row, [&](const BoardRun& run) { quick &= run.quick; });
  return of_drive && (quick || !choice.quick) && (choice.review.empty() || choice.review == row.review->name);
}

[[noreturn]] void refuse_choice(const std::vector<Review>& reviews, const ScoreboardChoice& choice) {
  std::vector<std::string> names;
  if (!choice.review.empty()) {
    std::string all;
    for (const Review& review : reviews) names.push_back(review.name), all += (all.empty() ? "" : ", ") + review.name;
    if (std::find(names.begin(), names.end(), choice.review) == names.end())
      throw ConfigError({"--review", 0}, "", "is no review of the scoreboard", choice.review, all,
                        nearest_name(choice.review, names));
  }
  if (!choice.drive.empty()) {
    std::set<std::string> drives;
    for (const Review& review : reviews) {
      for (const BoardRow& row : review.rows) visit_drives(row, [&](const std::string& drive) { drives.insert(drive); });
    }
    std::string all;
    for (const std::string& drive : drives) all += (all.empty() ? "" : ", ") + drive;
    throw ConfigError({"--drive", 0}, "", "is on no row of the scoreboard", choice.drive, all,
                      nearest_name(choice.drive, {drives.begin(), drives.end()}));
  }
  throw ConfigError({"ftlab validate", 0}, "", "leaves no row");
}

}  // namespace

std::vector<Review> load_reviews(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".json" && name != kFacts && name != kFits) paths.push_back(entry.path().string());
  }
  if (paths.empty()) throw ConfigError({folder, 0}, "", "holds no review", {}, "files NAME.json");
  std::sort(paths.begin(), paths.end());
  std::vector<Review> reviews;
  for (const std::string& path : paths)
    reviews.push_back(read_review(parse_document(read_text_file(path), path), fs::path(path).stem().string()));
  const std::string facts = (fs::path(folder) / kFacts).string();
  check_facts(reviews, load_facts(facts), facts);
  return reviews;
}

std::vector<ReviewedRow> rows_of(const std::vector<Review>& reviews, const ScoreboardChoice& choice) {
  std::vector<ReviewedRow> rows;
  for (const Review& review : reviews) {
    for (const BoardRow& row : review.rows) {
      if (is_chosen({&review, &row}, choice)) rows.push_back({&review, &row});
    }
  }
  if (rows.empty()) refuse_choice(reviews, choice);
  return rows;
}

Scoreboard fill_scoreboard(const std::vector<Review>& reviews, const ScoreboardOptions& options) {
  const auto began = WallClock::now();
  const std::vector<ReviewedRow> rows = rows_of(reviews, options.choice);
  const ScoreboardRun shown = std::move(show(runs_of(rows), std::vector<DrivesInstead>(1), options.scoreboard_run).front());
  Scoreboard board;
  for (const auto& [key, evidence] : shown.runs()) {
    board.run_wall[key] = evidence->wall_s();
    if (evidence->failed_requests() > 0) board.failed[key] = evidence->failed_requests();
  }
  for (const ReviewedRow& row : rows) board.rows.push_back({row.review, row.row, shown.judge(row)});
  board.wall_s = std::chrono::duration<double>(WallClock::now() - began).count();
  return board;
}

Score Scoreboard::score(RowKind kind) const {
  Score score;
  for (const ScoredRow& scored : rows) {
    if (scored.row->kind != kind) continue;
    ++score.rows;
    score.hold += scored.verdict.holds;
  }
  return score;
}

Score Scoreboard::claims() const {
  const Score orderings = score(RowKind::ordering), shapes = score(RowKind::shape);
  return {orderings.rows + shapes.rows, orderings.hold + shapes.hold};
}

std::vector<double> Scoreboard::errors(bool fitted_too) const {
  std::vector<double> errors;
  for (const ScoredRow& scored : rows) {
    if (scored.row->kind != RowKind::quantity || !scored.verdict.error) continue;
    if (fitted_too || !scored.row->fit) errors.push_back(*scored.verdict.error);
  }
  return errors;
}

}  // namespace ftlab
