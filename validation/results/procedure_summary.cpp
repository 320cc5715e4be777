#include "validation/results/procedure_summary.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "sim/procedures/rounds_matrix.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostRows = 60;  // limit of the printed table
constexpr std::size_t kLabelWidth = 36;

bool counts_energy(const ProcedureRecord& record) {
  return std::any_of(record.steps.begin(), record.steps.end(), [](const StepRecord& step) { return step.energy_pj; });
}

// Last cell of a row: watts, if the drive counts its energy.
std::string watts_cell(const StepRecord& step) {
  const double ns = static_cast<double>((step.ended - step.started).count());
  return step.energy_pj && ns > 0 ? fmt::format("{:>9.3f}", static_cast<double>(*step.energy_pj) / ns / 1000) : "";
}

// "12 steady-random randwrite 64": the step and the values that it has of variables with several.
std::string label_of(const Procedure& procedure, const StepRecord& step) {
  std::string label = fmt::format("{} {}", step.number, step.step->name);
  for (const auto& [name, value] : step.values) {
    const bool varies = std::any_of(procedure.variables.begin(), procedure.variables.end(),
                                    [&](const Variable& variable) { return variable.name == name && variable.list; });
    if (varies) label += " " + value;
  }
  return label.substr(0, kLabelWidth - 1);
}

std::string unsteady_line(const ProcedureRecord& record) {
  const auto unsteady = [](const StepRecord& step) {
    return step.at_end && !step.at_end->steady && step.step->measured && step.step->kind == StepKind::job;
  };
  const auto first = std::find_if(record.steps.begin(), record.steps.end(), unsteady);
  if (first == record.steps.end()) return "";
  return fmt::format("  ?: not steady; of the first: {}\n", first->at_end->why_not_steady);
}

std::string matrix_text(const RoundsMatrix& matrix, const Track& track) {
  constexpr const char* kUnits[] = {"IOPS", "MB/s", "mean latency, ns"};
  const std::size_t wide = std::max<std::size_t>(matrix.row_variable.size(), 8) + 2;
  std::string text =
      fmt::format("  {} by {} and {}, means of rounds {} to {}:\n", kUnits[static_cast<std::size_t>(track.figure)],
                  matrix.row_variable, matrix.column_variable, matrix.first_round, matrix.last_round);
  text += fmt::format("  {:<{}}", matrix.row_variable, wide);
  for (const std::string& column : matrix.columns) text += fmt::format("{:>12}", column);
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    text += fmt::format("\n  {:<{}}", matrix.rows[r], wide);
    for (const double mean : matrix.means[r]) text += fmt::format("{:>12.1f}", mean);
  }
  return text + "\n";
}

}  // namespace

std::string procedure_summary(const Procedure& procedure, const ProcedureRecord& record) {
  std::string text =
      fmt::format("  {:<{}}{:>6}{:>12}{:>11}{:>13}{:>13}{:>10}{:>9}{}\n", "step", kLabelWidth, "round", "IOPS", "MB/s",
                  "mean us", "p99.9 us", "WA at end", "WA", counts_energy(record) ? "        W" : "");
  std::size_t rows = 0;
  for (const StepRecord& step : record.steps) {
    if (rows >= kMostRows || !step.figures || !step.step->measured || step.step->kind != StepKind::job) continue;
    ++rows;
    const Figures& f = *step.figures;
    const double wa =
        f.host_write_bytes == 0 ? 0 : static_cast<double>(f.media_write_bytes) / static_cast<double>(f.host_write_bytes);
    text += fmt::format("  {:<{}}{:>6}{:>12.1f}{:>11.2f}{:>13.1f}{:>13.1f}{:>10}{:>9}{}\n", label_of(procedure, step),
                        kLabelWidth, step.round > 0 ? std::to_string(step.round) : "", f.value(Track::Figure::iops),
                        f.value(Track::Figure::mb_per_s), f.latency.mean_ns() / 1e3,
                        static_cast<double>(f.latency.percentile_ns(99.9)) / 1e3,
                        step.at_end ? fmt::format("{:.3f}{}", step.at_end->wa, step.at_end->steady ? "" : "?") : "",
                        f.host_write_bytes == 0 ? "" : fmt::format("{:.3f}", wa), watts_cell(step));
  }
  text += unsteady_line(record);
  if (rows >= kMostRows) text += "all rows are in procedure.csv\n";
  for (const RoundsRecord& rounds : record.rounds) {
    const SteadyRounds& j = rounds.judged;
    text += fmt::format("  {}: steady state {} after {} rounds; average {:.1f}, range {:.1f} %, slope excursion {:.1f} %\n",
                        rounds.step->name, j.reached ? "reached" : "not reached", j.rounds, j.average,
                        j.average > 0 ? 100 * j.range / j.average : 0.0,
                        j.average > 0 ? 100 * j.slope_excursion / j.average : 0.0);
    if (const auto matrix = matrix_of(rounds, procedure, record.steps)) text += matrix_text(*matrix, rounds.step->track);
  }
  return text;
}

}  // namespace ftlab
