#include "sim/procedures/rounds_matrix.h"

#include <algorithm>
#include <charconv>

namespace ftlab {
namespace {

const Step* repeat_over_two(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    if (step.kind == StepKind::repeat && step.over.size() == 2) return &step;
  return nullptr;
}

const Variable* variable_named(const Procedure& procedure, const std::string& name) {
  const auto found = std::find_if(procedure.variables.begin(), procedure.variables.end(),
                                  [&name](const Variable& variable) { return variable.name == name; });
  return found == procedure.variables.end() ? nullptr : &*found;
}

// "512", "4k", "1m" as a number; nullopt for other texts.
std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty()) return number;
  if (unit == "k" || unit == "K") return number << 10;
  if (unit == "m" || unit == "M") return number << 20;
  return std::nullopt;
}

std::vector<std::string> from_small_to_large(std::vector<std::string> values) {
  if (std::all_of(values.begin(), values.end(), [](const std::string& value) { return number_in(value).has_value(); }))
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return *number_in(a) < *number_in(b); });
  return values;
}

std::string value_in(const Values& values, const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(), [&name](const auto& value) { return value.first == name; });
  return found == values.end() ? "" : found->second;
}

bool contains(const std::vector<Step>& steps, const Step* step) {
  return std::any_of(steps.begin(), steps.end(),
                     [step](const Step& each) { return &each == step || contains(each.steps, step); });
}

std::optional<std::size_t> place_of(const std::vector<std::string>& values, const std::string& value) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - values.begin());
}

// True if the step is a row of the table that these rounds track, in any cell.
bool is_tracked(const StepRecord& step, const RoundsRecord& rounds, const Step& repeat) {
  const std::string& named = rounds.step->track.step;
  return step.figures && step.step->measured && (named.empty() || step.step->name == named) &&
         contains(repeat.steps, step.step) &&
         std::all_of(rounds.values.begin(), rounds.values.end(),
                     [&step](const auto& value) { return value_in(step.values, value.first) == value.second; });
}

}  // namespace

std::optional<RoundsMatrix> matrix_of(const RoundsRecord& rounds, const Procedure& procedure,
                                      const std::vector<StepRecord>& steps) {
  const Step* const repeat = repeat_over_two(rounds.step->steps);
  if (repeat == nullptr) return std::nullopt;
  const Variable* const outer = variable_named(procedure, repeat->over[0]);
  const Variable* const inner = variable_named(procedure, repeat->over[1]);
  if (outer == nullptr || inner == nullptr) return std::nullopt;
  const bool judged = rounds.judged.first_round > 0;
  RoundsMatrix matrix{outer->name,
                      inner->name,
                      outer->values,
                      from_small_to_large(inner->values),
                      {},
                      judged ? rounds.judged.first_round : 1,
                      rounds.judged.rounds};
  matrix.means.assign(matrix.rows.size(), std::vector<double>(matrix.columns.size(), 0));
  std::vector<std::vector<std::size_t>> counts(matrix.rows.size(), std::vector<std::size_t>(matrix.columns.size(), 0));
  for (const StepRecord& step : steps) {
    if (step.round < matrix.first_round || step.round > matrix.last_round || !is_tracked(step, rounds, *repeat)) continue;
    const auto column = place_of(matrix.columns, value_in(step.values, outer->name));
    const auto row = place_of(matrix.rows, value_in(step.values, inner->name));
    if (!column || !row) continue;
    matrix.means[*row][*column] += step.figures->value(rounds.step->track.figure);
    ++counts[*row][*column];
  }
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (std::size_t c = 0; c < counts[r].size(); ++c)
      if (counts[r][c] > 0) matrix.means[r][c] /= static_cast<double>(counts[r][c]);
  return matrix;
}

}  // namespace ftlab
