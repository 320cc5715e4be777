#include "validation/calibrate/calibration_report.h"

#include <spdlog/fmt/fmt.h>

namespace ftlab {
namespace {

double off(const Target& target, double simulated) { return simulated / target.measured - 1; }

const char* verdict_text(const Verdict& verdict) { return verdict.holds ? "holds" : "misses"; }

}  // namespace

std::string rows_table(const Calibration& calibration, const std::vector<ReviewedRow>& rows) {
  std::string text = fmt::format("{:<9} {:<50} {:>12} {:>12} {:>12} {:>9} {:>9}\n", "row", "what", "published", "before",
                                 "after", "err. bef.", "err. aft.");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Target& target = calibration.targets[r];
    text += fmt::format("{:<9} {:<50.50} {:>12} {:>12} {:>12} {:>7.1f} % {:>7.1f} %{}\n", rows[r].row->fact,
                        rows[r].row->says, number_text(target.measured), number_text(calibration.before[r]),
                        number_text(calibration.after[r]), 100 * off(target, calibration.before[r]),
                        100 * off(target, calibration.after[r]), target.held_back ? "  held back" : "");
  }
  return text;
}

std::string rows_csv(const Calibration& calibration, const std::vector<ReviewedRow>& rows) {
  std::string text = "review,fact,says,unit,tolerance,held_back,published,before,after,error_before,error_after\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const BoardRow& row = *rows[r].row;
    const Target& target = calibration.targets[r];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{:.5f},{:.5f}\n", rows[r].review->name, row.fact, csv_text(row.says),
                        csv_text(row.unit), target.tolerance, target.held_back ? 1 : 0, number_text(target.measured),
                        number_text(calibration.before[r]), number_text(calibration.after[r]),
                        off(target, calibration.before[r]), off(target, calibration.after[r]));
  }
  return text;
}

std::string claims_table(const std::vector<ChangedClaim>& changed) {
  if (changed.empty()) return "orderings and shapes: none that held misses now, nor the other way round\n";
  std::string text;
  for (const ChangedClaim& claim : changed) {
    text += fmt::format("{} {}: {} now ({}; before: {})\n", claim.row.row->fact, claim.row.row->says,
                        verdict_text(claim.after), claim.after.shown, claim.before.shown);
  }
  return text;
}

std::string claims_csv(const std::vector<ChangedClaim>& changed) {
  std::string text = "review,fact,says,before,after,shown_before,shown_after\n";
  for (const ChangedClaim& claim : changed) {
    text += fmt::format("{},{},{},{},{},{},{}\n", claim.row.review->name, claim.row.row->fact, csv_text(claim.row.row->says),
                        verdict_text(claim.before), verdict_text(claim.after), csv_text(claim.before.shown),
                        csv_text(claim.after.shown));
  }
  return text;
}

}  // namespace ftlab
