#include "validation/scoreboard/scoreboard.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "validation/compare/error_summary.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<const ScoredRow*>;

// Drives in the order of their first row; within each drive, misses first.
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

std::string score_text(const Score& score) { return score.rows == 0 ? "" : fmt::format("{} of {}", score.hold, score.rows); }

std::string errors_text(const std::vector<double>& errors) {
  if (errors.empty()) return "";
  const ErrorSummary summary = summarize(errors);
  return fmt::format("{:.1f} / {:.1f} %", 100 * summary.median, 100 * summary.p95);
}

// One line for each basis, predicted first. `row`: format of a line of four cells.
std::string totals(const Scoreboard& board, fmt::format_string<std::string, std::string, std::string, std::string> row) {
  std::string text;
  for (const Basis basis : kBases) {
    const BoardColumn column = board.column(basis);
    text += fmt::format(row, std::string(name_of(basis)), score_text(column.claims()), score_text(column.quantities),
                        errors_text(column.errors));
  }
  return text;
}

// "not counted: 3 rows guess, 34 rows vacuous"
std::string not_counted_text(const Scoreboard& board) {
  std::string text;
  for (const auto& [reason, rows] : board.not_counted())
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", rows, rows == 1 ? "row" : "rows", reason);
  return text.empty() ? "" : "not counted: " + text + "\n";
}

constexpr char kClaimsHead[] = "orderings and shapes", kFiguresHead[] = "figures", kErrorsHead[] = "error, median / 95th";

std::string totals_text(const Scoreboard& board) {
  return fmt::format("{:10} {:>20} {:>12} {:>22}\n", "", kClaimsHead, kFiguresHead, kErrorsHead) +
         totals(board, "{:10} {:>20} {:>12} {:>22}\n") +
         not_counted_text(board);
}

std::string totals_markdown(const Scoreboard& board) {
  return fmt::format("| | {} that hold | {} that hold | {} percentile |\n|---|---|---|---|\n", kClaimsHead, kFiguresHead,
                     kErrorsHead) +
         totals(board, "| {} | {} | {} | {} |\n") +
         "\n" + not_counted_text(board);
}

// How a row counts; empty for predicted rows.
std::string standing(const BoardRow& row) {
  if (!row.counts()) return "not counted: " + row.not_counted;
  return row.basis == Basis::predicted ? "" : name_of(row.basis);
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
               {"basis", name_of(row.basis)},
               {"held_out", row.held_out},
               {"counts", row.counts()},
               {"quote", row.quote}};
  if (!row.group.empty()) json["group"] = row.group;
  if (!row.counts()) json[row.not_counted] = row.why_not_counted;
  if (!row.believed.empty()) json["believed"] = row.believed;
  return json;
}

Json score_json(const Score& score) { return {{"rows", score.rows}, {"hold", score.hold}, {"share", score.share()}}; }

Json errors_json(const std::vector<double>& errors) {
  if (errors.empty()) return nullptr;
  const ErrorSummary summary = summarize(errors);
  return {{"figures", summary.count}, {"median", summary.median}, {"p95", summary.p95}, {"mean", summary.mean}};
}

// First line: the overall result.
std::string headline(const Scoreboard& board) {
  const ScoredRow* worst = nullptr;
  std::size_t misses = 0, counted = 0;
  for (const ScoredRow& scored : board.rows) {
    if (!scored.row->counts()) continue;
    ++counted;
    if (scored.verdict.holds) continue;
    ++misses;
    const bool further =
        scored.verdict.error && (worst == nullptr || std::abs(*scored.verdict.error) > std::abs(*worst->verdict.error));
    if (further) worst = &scored;
  }
  if (misses == 0) return fmt::format("all {} rows that count hold\n\n", counted);
  const std::string far = worst == nullptr ? ""
                                           : fmt::format("; the furthest off is {} of {}: {}", worst->row->fact,
                                                         worst->row->drive, error_text(worst->verdict));
  return fmt::format("FAR OFF: {} of {} rows that count miss what was published{}\n\n", misses, counted, far);
}

}  // namespace

std::string scoreboard_text(const Scoreboard& board) {
  std::string text = headline(board);
  for (const auto& [drive, rows] : by_drive(board)) {
    text += drive + "\n";
    for (const ScoredRow* scored : rows) {
      const BoardRow& row = *scored->row;
      text += fmt::format("  {:6} {:8} {:58.58} {:>24} {:>24} {:>9}{}\n", verdict_text(scored->verdict), row.fact, row.says,
                          published(row), scored->verdict.shown, error_text(scored->verdict),
                          standing(row).empty() ? "" : "  " + standing(row));
      if (!scored->verdict.holds && !row.believed.empty()) text += "                  believed: " + row.believed + "\n";
    }
  }
  return text + "\n" + totals_text(board);
}

std::string scoreboard_markdown(const Scoreboard& board, const std::vector<Review>& given) {
  std::string text = totals_markdown(board);
  for (const auto& [drive, rows] : by_drive(board)) {
    text += "\n### " + drive + "\n\n| | fact | what | published | simulated | error | |\n|---|---|---|---|---|---|---|\n";
    for (const ScoredRow* scored : rows) {
      const BoardRow& row = *scored->row;
      const std::string reason = scored->verdict.holds ? "" : row.believed;
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", scored->verdict.holds ? "holds" : "**misses**", row.fact,
                          cell(row.says), cell(published(row)), cell(scored->verdict.shown), error_text(scored->verdict),
                          cell(reason.empty() ? standing(row) : reason));
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
  Json json;
  for (const Basis basis : kBases) {
    const BoardColumn column = board.column(basis);
    json[name_of(basis)] = {{"orderings", score_json(column.orderings)},
                            {"shapes", score_json(column.shapes)},
                            {"orderings_and_shapes", score_json(column.claims())},
                            {"quantities", score_json(column.quantities)},
                            {"errors", errors_json(column.errors)}};
  }
  Json rows = Json::array();
  for (const ScoredRow& scored : board.rows) rows.push_back(row_json(scored));
  json["not_counted"] = board.not_counted();
  json["wall_s"] = board.wall_s;
  json["runs_wall_s"] = board.run_wall;
  json["failed_requests"] = board.failed;
  json["rows"] = rows;
  return json;
}

}  // namespace ftlab
