#include "validation/scoreboard/scoreboard_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "validation/compare/error_summary.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<const ScoredRow*>;

// Drives in the order in which they first occur; of each the misses first.
std::vector<std::pair<std::string, Rows>> by_drive(const Scoreboard& board) {
  std::vector<std::pair<std::string, Rows>> drives;
  for (const ScoredRow& scored : board.rows) {
    auto found = std::find_if(drives.begin(), drives.end(), [&](const auto& d) { return d.first == scored.row->drive; });
    if (found == drives.end()) found = drives.insert(drives.end(), {scored.row->drive, {}});
    found->second.push_back(&scored);
  }
  for (auto& [drive, rows] : drives) {
    std::stable_partition(rows.begin(), rows.end(), [](const ScoredRow* scored) { return !scored->verdict.holds; });
  }
  return drives;
}

std::string error_text(const Verdict& verdict) {
  return verdict.error ? fmt::format("{:+.1f} %", 100 * *verdict.error) : "";
}

const char* verdict_text(const Verdict& verdict) { return verdict.holds ? "holds" : "MISSES"; }

std::string published(const BoardRow& row) { return published_text(row.claim) + (row.unit.empty() ? "" : " " + row.unit); }

std::string errors_line(const std::string& what, const std::vector<double>& errors) {
  if (errors.empty()) return "";
  const ErrorSummary summary = summed_up(errors);
  return fmt::format("{}: {} figures, error in the median {:.1f} %, 95th percentile {:.1f} %\n", what, summary.count,
                     100 * summary.median, 100 * summary.p95);
}

std::string score_line(const char* what, const Score& score) {
  if (score.rows == 0) return "";
  return fmt::format("{}: {} of {} hold ({:.1f} %)\n", what, score.hold, score.rows, 100 * score.share());
}

std::string totals(const Scoreboard& board, const char* before) {
  std::string text;
  for (const std::string& line :
       {score_line("orderings", board.score(RowKind::ordering)), score_line("shapes", board.score(RowKind::shape)),
        score_line("both together", board.claims()), score_line("quantities", board.score(RowKind::quantity)),
        errors_line("quantities, all", board.errors(true)),
        errors_line("quantities that no number of a drive was fitted to", board.errors(false))}) {
    if (!line.empty()) text += before + line;
  }
  return text;
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

Json row_json(const ScoredRow& scored) {
  const BoardRow& row = *scored.row;
  Json json = {{"fact", row.fact},
               {"review", scored.review->name},
               {"drive", row.drive},
               {"kind", name_of(row.kind)},
               {"says", row.says},
               {"published", published_text(row.claim)},
               {"unit", row.unit},
               {"simulated", scored.verdict.shown},
               {"error", scored.verdict.error ? Json(*scored.verdict.error) : Json(nullptr)},
               {"holds", scored.verdict.holds},
               {"confidence", name_of(row.confidence)},
               {"fitted", row.fit}};
  if (!row.believed.empty()) json["believed"] = row.believed;
  return json;
}

Json score_json(const Score& score) { return {{"rows", score.rows}, {"hold", score.hold}, {"share", score.share()}}; }

Json errors_json(const std::vector<double>& errors) {
  if (errors.empty()) return nullptr;
  const ErrorSummary summary = summed_up(errors);
  return {{"figures", summary.count}, {"median", summary.median}, {"p95", summary.p95}, {"mean", summary.mean}};
}

}  // namespace

std::string scoreboard_text(const Scoreboard& board) {
  std::string text;
  for (const auto& [drive, rows] : by_drive(board)) {
    text += drive + "\n";
    for (const ScoredRow* scored : rows) {
      const BoardRow& row = *scored->row;
      text += fmt::format("  {:6} {:8} {:58.58} {:>24} {:>24} {:>9}{}\n", verdict_text(scored->verdict), row.fact, row.says,
                          published(row), scored->verdict.shown, error_text(scored->verdict), row.fit ? "  fitted" : "");
      if (!scored->verdict.holds && !row.believed.empty()) text += "                  believed: " + row.believed + "\n";
    }
  }
  return text + "\n" + totals(board, "");
}

std::string scoreboard_markdown(const Scoreboard& board, const std::vector<Review>& given) {
  std::string text = totals(board, "- ");
  for (const auto& [drive, rows] : by_drive(board)) {
    text += "\n### " + drive + "\n\n| | fact | what | published | simulated | error | |\n|---|---|---|---|---|---|---|\n";
    for (const ScoredRow* scored : rows) {
      const BoardRow& row = *scored->row;
      const std::string reason = scored->verdict.holds ? "" : row.believed;
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", scored->verdict.holds ? "holds" : "**misses**", row.fact,
                          cell(row.says), cell(published(row)), cell(scored->verdict.shown), error_text(scored->verdict),
                          cell(reason.empty() ? (row.fit ? "fitted" : "") : reason));
    }
  }
  text += "\n### Facts without a row\n\n| fact | of | what | why |\n|---|---|---|---|\n";
  for (const Review& review : given) {
    for (const GivenFact& fact : review.given)
      text += fmt::format("| {} | {} | {} | {} |\n", fact.fact, cell(fact.drive), cell(fact.says), cell(fact.why));
  }
  return text;
}

nlohmann::ordered_json scoreboard_json(const Scoreboard& board) {
  Json rows = Json::array();
  for (const ScoredRow& scored : board.rows) rows.push_back(row_json(scored));
  return {{"orderings", score_json(board.score(RowKind::ordering))},
          {"shapes", score_json(board.score(RowKind::shape))},
          {"orderings_and_shapes", score_json(board.claims())},
          {"quantities", score_json(board.score(RowKind::quantity))},
          {"errors", errors_json(board.errors(true))},
          {"errors_not_fitted", errors_json(board.errors(false))},
          {"wall_s", board.wall_s},
          {"runs_wall_s", board.run_wall},
          {"failed_requests", board.failed},
          {"rows", rows}};
}

}  // namespace ftlab
