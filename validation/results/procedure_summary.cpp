#include "validation/results/summary.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "sim/procedures/procedure_report.h"

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
std::vector<std::string> varied(const Procedure& procedure, const StepRecord& step) {
  std::vector<std::string> values;
  for (const auto& [name, value] : step.values) {
    const bool varies = std::any_of(procedure.variables.begin(), procedure.variables.end(),
                                    [&](const Variable& variable) { return variable.name == name && variable.list; });
    if (varies) values.push_back(value);
  }
  return values;
}

std::string label_of(const Procedure& procedure, const StepRecord& step) {
  std::string label = fmt::format("{} {}", step.number, step.step->name);
  for (const std::string& value : varied(procedure, step)) label += " " + value;
  return label.substr(0, kLabelWidth - 1);
}

bool has_row(const StepRecord& step) { return step.figures && step.step->measured && step.step->kind == StepKind::job; }

double p99_ms(const Figures& f) { return static_cast<double>(f.latency.percentile_ns(99)) / 1e6; }

// Least and greatest of the figures of several steps.
struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool empty() const { return least > most; }
  std::string text(int decimals) const {
    const std::string low = fmt::format("{:.{}f}", least, decimals), high = fmt::format("{:.{}f}", most, decimals);
    return low == high ? low : low + " to " + high;
  }
};

// The steps of one kind on a steady drive: their speed as a share of fresh, write amplification of writes, and p99.
struct Steady {
  std::string kind;
  Range share, wa, p99;
  bool steady = true;

  std::string text() const {
    const std::string writes = wa.empty() ? "" : "WA " + wa.text(2) + ", ";
    return fmt::format("{} {} % ({}p99 {} ms)", kind, share.text(0), writes, p99.text(1));
  }
};

// What became of a fresh drive: each step named steady... against the step fresh... with the same values, by the first of
// these. Empty without such pairs.
std::string verdict_line(const Procedure& procedure, const ProcedureRecord& record) {
  constexpr std::string_view kSteady = "steady", kFresh = "fresh";
  std::vector<Steady> kinds;
  for (const StepRecord& step : record.steps) {
    const std::string& name = step.step->name;
    const std::vector<std::string> values = varied(procedure, step);
    if (!has_row(step) || !name.starts_with(kSteady) || values.empty()) continue;
    const std::string partner = std::string(kFresh) + name.substr(kSteady.size());
    const auto fresh = std::find_if(record.steps.begin(), record.steps.end(), [&](const StepRecord& other) {
      return has_row(other) && other.step->name == partner && varied(procedure, other) == values;
    });
    const double before = fresh == record.steps.end() ? 0 : fresh->figures->value(Track::Figure::iops);
    if (before <= 0) continue;
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Steady& one) { return one.kind == values.front(); });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), Steady{values.front(), {}, {}, {}, true});
    kind->share.add(100 * step.figures->value(Track::Figure::iops) / before);
    kind->p99.add(p99_ms(*step.figures));
    if (step.at_end) kind->wa.add(step.at_end->wa);
    if (step.at_end && !step.at_end->steady) kind->steady = false;
  }
  std::string text;
  for (const Steady& kind : kinds) text += (text.empty() ? "" : ", ") + kind.text();
  const bool all = std::all_of(kinds.begin(), kinds.end(), [](const Steady& kind) { return kind.steady; });
  return text.empty() ? "" : fmt::format("  {} as a share of fresh: {}\n", all ? "steady" : "the last part, not steady,", text);
}

std::string unsteady_line(const ProcedureRecord& record) {
  const auto unsteady = [](const StepRecord& step) {
    return step.at_end && !step.at_end->steady && step.step->measured && step.step->kind == StepKind::job;
  };
  const auto first = std::find_if(record.steps.begin(), record.steps.end(), unsteady);
  if (first == record.steps.end()) return "";
  return fmt::format("  problem: not_steady: {} steps, marked ?; of the first: {}\n",
                     std::count_if(first, record.steps.end(), unsteady), first->at_end->why_not_steady);
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
      fmt::format("  {:<{}}{:>6}{:>12}{:>11}{:>13}{:>13}{:>13}{:>10}{:>9}{}\n", "step", kLabelWidth, "round", "IOPS", "MB/s",
                  "mean us", "p99 us", "p99.9 us", "WA at end", "WA", counts_energy(record) ? "        W" : "");
  std::size_t rows = 0;
  for (const StepRecord& step : record.steps) {
    if (rows >= kMostRows || !has_row(step)) continue;
    ++rows;
    const Figures& f = *step.figures;
    const double wa =
        f.host_write_bytes == 0 ? 0 : static_cast<double>(f.media_write_bytes) / static_cast<double>(f.host_write_bytes);
    text += fmt::format("  {:<{}}{:>6}{:>12.1f}{:>11.2f}{:>13.1f}{:>13.1f}{:>13.1f}{:>10}{:>9}{}\n", label_of(procedure, step),
                        kLabelWidth, step.round > 0 ? std::to_string(step.round) : "", f.value(Track::Figure::iops),
                        f.value(Track::Figure::mb_per_s), f.latency.mean_ns() / 1e3,
                        p99_ms(f) * 1e3, static_cast<double>(f.latency.percentile_ns(99.9)) / 1e3,
                        step.at_end ? fmt::format("{:.3f}{}", step.at_end->wa, step.at_end->steady ? "" : "?") : "",
                        f.host_write_bytes == 0 ? "" : fmt::format("{:.3f}", wa), watts_cell(step));
  }
  text += verdict_line(procedure, record) + unsteady_line(record);
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
