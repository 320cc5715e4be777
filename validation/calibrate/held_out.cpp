#include "validation/calibrate/held_out.h"

#include <algorithm>
#include <set>

#include <spdlog/fmt/fmt.h>

#include "sim/config/file.h"
#include "sim/config/names.h"
#include "sim/config/reader.h"
#include "sim/core/error.h"
#include "validation/calibrate/board_prediction.h"
#include "validation/calibrate/calibration.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/calibrate/fit_key.h"
#include "validation/compare/error_summary.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

using Rows = std::vector<ReviewedRow>;

std::string procedure_of(const BoardRun& run) { return run.name.substr(0, run.name.find('@')); }

bool looks_at(const ReviewedRow& row, const std::function<bool(const BoardRun&)>& what) {
  bool found = false;
  visit_runs(row, [&](const BoardRun& run) { found |= what(run); });
  return found;
}

bool is_listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Counted rows with one of the selected runs; `quick`: only rows whose runs are all quick.
Rows rows_about(const std::vector<Review>& reviews, bool quick, const std::function<bool(const BoardRun&)>& what) {
  Rows rows;
  for (const Review& review : reviews) {
    for (const BoardRow& row : review.rows) {
      const ReviewedRow reviewed{&review, &row};
      if (!row.counts() || row.basis == Basis::restated || !looks_at(reviewed, what)) continue;
      if (!quick || !looks_at(reviewed, [](const BoardRun& run) { return !run.quick; })) rows.push_back(reviewed);
    }
  }
  return rows;
}

// Fits a family to some of its rows.
class FamilyFit {
 public:
  FamilyFit(const StatedFit& fit, const HeldOutOptions& options) : fit_(fit), options_(options) {
    for (const std::string& drive : fit.drives) started_.push_back(load_drive(drive, fit.start));
    for (const std::string& drive : fit.drives) library_.push_back(load_drive(drive, {}));
  }

  // Keys after a fit of these drives to these rows; without rows, their start values.
  std::vector<FittedKey> made_with(const std::vector<std::string>& drives, const Rows& rows) const {
    DriveSet bases;
    for (const std::string& drive : drives) bases.push_back(started_.at(place_of(drive)));
    const std::vector<FitKey> keys = parse_fit_keys(fit_.keys, bases, Reach::all);
    if (rows.empty()) {
      std::vector<FittedKey> started;
      for (const FitKey& key : keys) started.push_back({key, key.value, 0, 1, false, true, false, {}});
      return started;
    }
    BoardPrediction prediction(drives, rows, options_.scoreboard_run);
    return calibrate(bases, keys, prediction, targets_of(rows, {}), board_calibration(true)).keys;
  }

  // Both versions of the family: the library's, and the library's with the keys found.
  std::vector<DriveReplacements> versions(const std::vector<FittedKey>& found) const {
    DriveReplacements library, held_out;
    for (std::size_t d = 0; d < fit_.drives.size(); ++d) {
      library[fit_.drives[d]] = library_[d];
      Node drive = library_[d];
      for (const FittedKey& key : found) set_key(drive, key.key, key.value);
      held_out[fit_.drives[d]] = std::move(drive);
    }
    return {library, held_out};
  }

 private:
  std::size_t place_of(const std::string& drive) const {
    return static_cast<std::size_t>(std::find(fit_.drives.begin(), fit_.drives.end(), drive) - fit_.drives.begin());
  }

  const StatedFit& fit_;
  const HeldOutOptions& options_;
  DriveSet started_, library_;
};

// `nothing`: no figure of what is left out was fitted to, so the library already has the numbers the fit would find.
HeldOutCase judged(const StatedFit& fit, const std::string& left_out, const FamilyFit& family,
                   const std::vector<std::string>& drives, const Rows& fitted_to, bool nothing, const Rows& about,
                   const HeldOutOptions& options) {
  HeldOutCase result{fit.name, left_out, fitted_to.size(), {}, {}};
  std::vector<DriveReplacements> versions(1);
  if (!nothing) {
    const std::vector<FittedKey> found = family.made_with(drives, fitted_to);
    for (const FittedKey& key : found) result.keys.push_back(key.key.path + "=" + std::to_string(key.value));
    versions = family.versions(found);
  }
  const std::vector<ScoreboardRun> shown = show(runs_of(about), versions, options.scoreboard_run);
  for (const ReviewedRow& row : about) result.rows.push_back({row, shown.front().judge(row), shown.back().judge(row)});
  return result;
}

// `before` of the `families` are done.
void add_cases(const StatedFit& fit, const std::vector<Review>& reviews, const HeldOutOptions& options, std::size_t before,
               std::size_t families, std::vector<HeldOutCase>& cases) {
  const FamilyFit family(fit, options);
  std::vector<std::string> notes;
  const Rows all = fittable_rows(reviews, {fit.drives, fit.rows}, notes);
  std::set<std::string> procedures;
  for (const ReviewedRow& row : all) visit_runs(row, [&](const BoardRun& run) { procedures.insert(procedure_of(run)); });
  const auto of_family = static_cast<double>(fit.drives.size() + procedures.size());
  std::size_t begun = 0;
  const auto report = [&](const std::string& what) {
    const double here = static_cast<double>(begun++) / of_family;
    if (options.progress) options.progress(what, (static_cast<double>(before) + here) / static_cast<double>(families));
  };
  for (const std::string& drive : fit.drives) {
    std::vector<std::string> others = fit.drives;
    std::erase(others, drive);
    const Rows about = rows_about(reviews, options.quick, [&](const BoardRun& run) { return run.drive == drive; });
    report(fit.name + " without " + drive);
    Rows rows = all;
    std::erase_if(rows, [&](const ReviewedRow& row) {
      return looks_at(row, [&](const BoardRun& run) { return run.drive == drive; });
    });
    cases.push_back(judged(fit, drive, family, others, rows, rows.size() == all.size(), about, options));
  }
  for (const std::string& procedure : procedures) {
    const auto is_left_out = [&](const BoardRun& run) { return procedure_of(run) == procedure; };
    Rows others = all;
    std::erase_if(others, [&](const ReviewedRow& row) { return looks_at(row, is_left_out); });
    if (others.size() < fit.keys.size()) continue;  // too few figures for the number of keys
    const Rows about = rows_about(reviews, options.quick,
                                  [&](const BoardRun& run) { return is_left_out(run) && is_listed(fit.drives, run.drive); });
    report(fit.name + " without procedure " + procedure);
    cases.push_back(judged(fit, "procedure " + procedure, family, fit.drives, others, false, about, options));
  }
}

// Counts a case's rows like the board.
BoardColumn counted(const HeldOutCase& held, bool with_library) {
  Scoreboard board;
  std::vector<BoardRow> rows;
  rows.reserve(held.rows.size());
  for (const HeldOutRow& row : held.rows) {
    rows.push_back(*row.row.row);
    rows.back().basis = Basis::predicted;
    board.rows.push_back({row.row.review, &rows.back(), with_library ? row.fitted : row.held_out});
  }
  return board.column(Basis::predicted);
}

std::string errors_text(const BoardColumn& column) {
  if (column.errors.empty()) return "";
  const ErrorSummary summary = summarize(column.errors);
  return fmt::format("{:.1f} / {:.1f} %", 100 * summary.median, 100 * summary.p95);
}

std::string claims_text(const BoardColumn& column) {
  return column.claims().rows == 0 ? "" : fmt::format("{} of {}", column.claims().hold, column.claims().rows);
}

std::string line_of(const std::string& what, const BoardColumn& fitted, const BoardColumn& held_out) {
  return fmt::format("{:28} {:>7} {:>18} {:>18} {:>10} {:>10}\n", what, fitted.errors.size(), errors_text(fitted),
                     errors_text(held_out), claims_text(fitted), claims_text(held_out));
}

void add(BoardColumn& sum, const BoardColumn& column) {
  sum.errors.insert(sum.errors.end(), column.errors.begin(), column.errors.end());
  sum.orderings.rows += column.claims().rows;
  sum.orderings.hold += column.claims().hold;
}

}  // namespace

std::vector<HeldOutCase> hold_out(const std::vector<Review>& reviews, const std::vector<StatedFit>& fits,
                                  const HeldOutOptions& options) {
  std::vector<std::string> families;
  for (const StatedFit& fit : fits) {
    if (fit.drives.size() > 1 && !fit.start.empty()) families.push_back(fit.name);
  }
  if (!options.fit.empty() && !is_listed(families, options.fit))
    refuse_name({"--family", 0}, "", "is not a family of configs/scoreboard/fits.json", options.fit, families);
  if (!options.fit.empty()) families = {options.fit};
  std::vector<HeldOutCase> cases;
  std::size_t before = 0;
  for (const StatedFit& fit : fits) {
    if (is_listed(families, fit.name)) add_cases(fit, reviews, options, before++, families.size(), cases);
  }
  return cases;
}

std::string held_out_table(const std::vector<HeldOutCase>& cases) {
  const std::string head = fmt::format("{:28} {:>7} {:>18} {:>18} {:>10} {:>10}\n", "left out", "figures", "error, fitted",
                                       "held out", "claims", "held out");
  std::string text, family;
  for (const HeldOutCase& held : cases) {
    if (held.fit != family) text += (family.empty() ? "" : "\n") + held.fit + "\n" + head;
    family = held.fit;
    text += line_of(held.left_out, counted(held, true), counted(held, false));
  }
  BoardColumn fitted, held_out;
  for (const HeldOutCase& held : cases) {
    if (held.left_out.find("procedure ") == 0) continue;
    add(fitted, counted(held, true));
    add(held_out, counted(held, false));
  }
  return text + "\n" + head + line_of("all drives", fitted, held_out);
}

std::string held_out_csv(const std::vector<HeldOutCase>& cases) {
  const auto error = [](const Verdict& verdict) { return verdict.error ? fmt::format("{:.4f}", *verdict.error) : ""; };
  std::string text =
      "fit,left_out,fact,says,published,fitted,held_out,error_fitted,error_held_out,holds_fitted,holds_held_out\n";
  for (const HeldOutCase& held : cases) {
    for (const HeldOutRow& row : held.rows) {
      const BoardRow& board = *row.row.row;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", held.fit, held.left_out, board.fact, csv_text(board.says),
                          csv_text(published_text(board.claim)), csv_text(row.fitted.shown), csv_text(row.held_out.shown),
                          error(row.fitted), error(row.held_out), row.fitted.holds, row.held_out.holds);
    }
  }
  return text;
}

namespace {

const Node& members_of(const Node& document, const char* key) {
  const Node* const node = document.find(key);
  if (node == nullptr || node->kind != Node::Kind::object)
    throw ConfigError({document.file, document.line}, key, "must be an object");
  return *node;
}

StatedFit read_fit(const std::string& name, const Node& node) {
  Reader reader(node, "fits." + name);
  StatedFit fit;
  fit.name = name;
  fit.file = reader.text("file");
  fit.drives = reader.texts("drives");
  fit.rows = reader.texts("rows");
  fit.keys = reader.texts("keys");
  if (reader.has("start")) fit.start = reader.texts("start");
  reader.text_or("why", "");
  reader.finish();
  return fit;
}

FitByHand read_by_hand(const std::string& file, const Node& node) {
  Reader reader(node, "by_hand." + file);
  FitByHand fit{file, reader.texts("keys"), reader.text("to")};
  reader.finish();
  return fit;
}

}  // namespace

StatedFits read_stated_fits(const Node& document) {
  Reader reader(document);
  reader.text("about");
  StatedFits fits;
  if (!reader.has("fits")) reader.refuse("fits", "is missing");
  for (const auto& [name, node] : members_of(document, "fits").members) fits.fits.push_back(read_fit(name, node));
  if (!reader.has("by_hand")) reader.refuse("by_hand", "is missing");
  for (const auto& [file, node] : members_of(document, "by_hand").members) fits.by_hand.push_back(read_by_hand(file, node));
  reader.finish();
  return fits;
}

StatedFits load_stated_fits(const std::string& path) { return read_stated_fits(parse_document(read_text_file(path), path)); }

}  // namespace ftlab
