#include "validation/scoreboard/scoreboard.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "sim/config/file.h"
#include "sim/config/names.h"
#include "sim/core/error.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

using WallClock = std::chrono::steady_clock;

constexpr char kFacts[] = "facts.json";
constexpr char kFits[] = "fits.json";  // fits made by `validation/scoreboard/fit_reviews.sh`

struct Fact {
  std::string review;
  bool held_out = false;
  bool explains = false;  // its kind is `mechanism`
  std::size_t line = 0;
};

// Up to a blank or a colon.
std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" :")); }

bool is_mechanism(const Node& fact) {
  const Node* const kind = fact.find("kind");
  return kind != nullptr && kind->text == "mechanism";
}

std::map<std::string, Fact> load_facts(const std::string& path) {
  const Node document = parse_document(read_text_file(path), path);
  std::map<std::string, Fact> facts;
  for (const auto& [review, list] : document.members) {
    for (const Node& item : list.items) {
      const Node* const id = item.find("id");
      if (id == nullptr || id->kind != Node::Kind::text)
        throw ConfigError({path, item.line}, review, "holds something that is not a fact", item.shown(),
                          "an object with an \"id\"");
      const Node* const held_out = item.find("held_out");
      facts[id->text] = {review, held_out != nullptr && held_out->boolean, is_mechanism(item), item.line};
    }
  }
  return facts;
}

void check_basis(const BoardRow& row, const Fact& fact, const Review& review, const std::string& path) {
  if (fact.held_out && row.basis == Basis::fitted)
    throw ConfigError({review.file, row.line}, "basis", "is fitted, and its fact is held out in " + path, row.fact);
  if (fact.explains && row.counts())
    throw ConfigError({review.file, row.line}, "guess", "is missing: its fact is an explanation in " + path, row.fact);
}

// Checks that each fact has a row or is given, and that each row has a known fact. Sets BoardRow::held_out.
void check_facts(std::vector<Review>& reviews, const std::map<std::string, Fact>& facts, const std::string& path) {
  std::set<std::string> seen;
  std::vector<std::string> ids;
  for (const auto& [id, fact] : facts) ids.push_back(id);
  const auto check_known = [&](const std::string& id, const char* key, const Review& review, std::size_t line) {
    if (facts.count(id) == 0)
      throw ConfigError({review.file, line}, key, "is not in " + path, id, {}, nearest_name(id, ids));
  };
  const auto look = [&](const std::string& id, const Review& review, std::size_t line) {
    check_known(id, "fact", review, line);
    seen.insert(id);
  };
  std::set<std::string> covered;
  for (Review& review : reviews) {
    for (BoardRow& row : review.rows) {
      look(row.fact, review, row.line);
      row.held_out = facts.at(row.fact).held_out;
      check_basis(row, facts.at(row.fact), review, path);
      if (row.not_counted == "contradicted") check_known(first_word(row.why_not_counted), "contradicted", review, row.line);
    }
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
    for (const Review& review : reviews) names.push_back(review.name);
    index_of_name({"--review", 0}, "", "is not a review of the scoreboard", choice.review, names);
  }
  if (!choice.drive.empty()) {
    std::set<std::string> drives;
    for (const Review& review : reviews) {
      for (const BoardRow& row : review.rows) visit_drives(row, [&](const std::string& drive) { drives.insert(drive); });
    }
    refuse_name({"--drive", 0}, "", "is on no row of the scoreboard", choice.drive, {drives.begin(), drives.end()});
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
  const ScoreboardRun shown =
      std::move(show(runs_of(rows), std::vector<DriveReplacements>(1), options.scoreboard_run).front());
  Scoreboard board;
  for (const auto& [key, evidence] : shown.runs()) {
    board.run_wall[key] = evidence->wall_s();
    if (evidence->failed_requests() > 0) board.failed[key] = evidence->failed_requests();
  }
  for (const ReviewedRow& row : rows) board.rows.push_back({row.review, row.row, shown.judge(row)});
  board.wall_s = std::chrono::duration<double>(WallClock::now() - began).count();
  return board;
}

BoardColumn Scoreboard::column(Basis basis) const {
  struct Counted {
    RowKind kind = RowKind::quantity;
    bool holds = true;
    std::optional<double> error;
  };
  std::vector<Counted> counted;
  std::map<std::pair<const Review*, std::string>, std::size_t> groups;
  for (const ScoredRow& scored : rows) {
    const BoardRow& row = *scored.row;
    if (row.basis != basis || !row.counts()) continue;
    std::size_t at = counted.size();
    if (!row.group.empty()) at = groups.emplace(std::pair(scored.review, row.group), at).first->second;
    if (at == counted.size()) counted.push_back({row.kind, true, {}});
    Counted& one = counted[at];
    one.holds &= scored.verdict.holds;
    const std::optional<double>& error = scored.verdict.error;
    if (error && (!one.error || std::abs(*error) > std::abs(*one.error))) one.error = error;
  }
  BoardColumn column;
  for (const Counted& one : counted) {
    Score& score = one.kind == RowKind::quantity   ? column.quantities
                   : one.kind == RowKind::ordering ? column.orderings
                                                   : column.shapes;
    ++score.rows;
    score.hold += one.holds;
    if (one.error && one.kind == RowKind::quantity) column.errors.push_back(*one.error);
  }
  return column;
}

std::map<std::string, std::size_t> Scoreboard::not_counted() const {
  std::map<std::string, std::size_t> reasons;
  for (const ScoredRow& scored : rows) {
    if (!scored.row->counts()) ++reasons[scored.row->not_counted];
  }
  return reasons;
}

}  // namespace ftlab
