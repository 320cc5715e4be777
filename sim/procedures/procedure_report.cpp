#include "sim/procedures/procedure_report.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "sim/stats/fio/decimal.h"

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

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFigureNames[] = {"iops", "mb_per_s", "latency_mean_ns"};

std::string seconds(Nanoseconds time) { return decimal(time.count(), 1'000'000'000, 9); }

std::uint64_t sum(const PerDirection<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all += value;
  return all;
}

// Quotes a value that has a comma, a quote or a newline, as in RFC 4180.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string value_of(const Values& values, const std::string& name) {
  const auto found = std::find_if(values.rbegin(), values.rend(), [&name](const auto& v) { return v.first == name; });
  return found == values.rend() ? "" : cell(found->second);
}

std::string per_second(std::uint64_t count, std::uint64_t scale, Nanoseconds time) {
  return time.count() == 0 ? "" : decimal(Uint128{count} * scale, time.count(), 3);
}

std::string figures_cells(const Figures& f) {
  constexpr std::uint64_t kNs = 1'000'000'000, kMbNs = 1000;  // bytes / ns * 1000 is MB/s
  std::string cells = seconds(f.measured) + "," + per_second(sum(f.requests), kNs, f.measured) + "," +
                      per_second(sum(f.bytes), kMbNs, f.measured);
  for (const Direction d : {Direction::read, Direction::write})
    cells += "," + per_second(f.requests[static_cast<std::size_t>(d)], kNs, f.measured);
  if (f.latency.count() == 0) return cells + ",,,,,";
  cells += "," + decimal(f.latency.total_ns(), Uint128{f.latency.count()} * 1000, 3);
  for (const double percent : {99.0, 99.9}) cells += "," + decimal(f.latency.percentile_ns(percent), 1000, 3);
  cells += "," + decimal(f.latency.max_ns(), 1000, 3) + ",";
  return cells +
         (f.host_write_bytes == 0 || f.media_write_bytes == 0 ? "" : decimal(f.media_write_bytes, f.host_write_bytes, 6));
}

// Write amplification over the last tenth of the step's writes, and whether it was in steady state.
std::string at_end_cells(const StepRecord& step) {
  if (!step.at_end) return ",";
  return decimal(step.at_end->run.media_write_bytes(), step.at_end->host_bytes(), 6) + (step.at_end->steady ? ",1" : ",0");
}

// Mean power of the whole step, ramps included.
std::string watts_cell(const StepRecord& step) {
  const Nanoseconds length = step.ended - step.started;
  if (!step.energy_pj || length.count() == 0) return "";
  return decimal(*step.energy_pj, Uint128{length.count()} * 1000, 6);
}

bool is_measured(const StepRecord& record) { return record.step->measured && record.step->kind == StepKind::job; }

bool replicates_in(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const Step& step) { return step.replicates.given() || replicates_in(step.steps); });
}

std::vector<std::string> columns(const Procedure& procedure) {
  std::vector<std::string> names;
  for (const Variable& variable : procedure.variables) names.push_back(variable.name);
  if (replicates_in(procedure.steps)) names.emplace_back("replicate");
  return names;
}

Json values_json(const Values& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

Json step_json(const StepRecord& record) {
  Json json = {{"number", record.number}, {"step", name_of(record.step->kind)}, {"name", record.step->name}};
  if (!record.folder.empty()) json["folder"] = record.folder;
  if (record.round > 0) json["round"] = record.round;
  json["started_s"] = static_cast<double>(record.started.count()) / 1e9;
  json["ended_s"] = static_cast<double>(record.ended.count()) / 1e9;
  json["mapped_bytes"] = record.mapped_bytes;
  if (record.energy_pj) {
    const double ns = static_cast<double>((record.ended - record.started).count());
    json["energy_pj"] = *record.energy_pj;
    json["watts"] = ns > 0 ? Json(static_cast<double>(*record.energy_pj) / ns / 1000) : Json(nullptr);
  }
  json["variables"] = values_json(record.values);
  if (record.figures) {
    json["iops"] = record.figures->value(Track::Figure::iops);
    json["mb_per_s"] = record.figures->value(Track::Figure::mb_per_s);
    json["latency_mean_ns"] = record.figures->latency.mean_ns();
    json["failed_requests"] = record.figures->failed;
  }
  if (record.at_end) {
    const FinalWindow& end = *record.at_end;
    json["wa_at_end"] = {{"total", end.wa},
                         {"half_width_95", end.half_width ? Json(*end.half_width) : Json(nullptr)},
                         {"steady", end.steady},
                         {"why_not_steady", end.why_not_steady}};
  }
  return json;
}

// Means of the tracked figure in the rounds of the window: the table required by SNIA's specification.
Json matrix_json(const RoundsMatrix& matrix) {
  return {{"first_round", matrix.first_round},
          {"last_round", matrix.last_round},
          {"columns", {{"variable", matrix.column_variable}, {"values", matrix.columns}}},
          {"rows", {{"variable", matrix.row_variable}, {"values", matrix.rows}}},
          {"means", matrix.means}};
}

Json rounds_json(const RoundsRecord& record, const Procedure& procedure, const std::vector<StepRecord>& steps) {
  const SteadyRounds& judged = record.judged;
  const SteadyRule& rule = record.step->rule;
  Json json = {{"name", record.step->name},
               {"variables", values_json(record.values)},
               {"tracked", kFigureNames[static_cast<std::size_t>(record.step->track.figure)]},
               {"rule",
                {{"window", rule.window},
                 {"range_percent", rule.range_percent},
                 {"slope_percent", rule.slope_percent},
                 {"most", rule.most}}},
               {"reached", judged.reached},
               {"rounds", judged.rounds},
               {"first_round_of_window", judged.first_round},
               {"last_round_of_window", judged.first_round == 0 ? 0 : judged.rounds},
               {"average", judged.average},
               {"range", judged.range},
               {"slope_per_round", judged.slope},
               {"slope_excursion", judged.slope_excursion},
               {"fit", "y = " + std::to_string(judged.slope) + " * (round - " + std::to_string(judged.first_round) + ") + " +
                           std::to_string(judged.at_first_round)},
               {"values", record.tracked}};
  if (const auto matrix = matrix_of(record, procedure, steps)) json["matrix"] = matrix_json(*matrix);
  return json;
}

// How the purge and both kinds of preconditioning were done, derived from the steps.
std::string described(const ProcedureRecord& record, StepKind kind) {
  std::string text;
  for (const StepRecord& step : record.steps) {
    if (step.step->kind != kind || step.round > 0) continue;
    std::string one =
        kind == StepKind::purge ? (step.step->new_drive ? "a new drive" : "trim of the whole device") : step.step->name;
    if (!step.step->state.empty()) one = "the state " + step.step->state + " of --precondition";
    if (kind != StepKind::purge && step.step->times.given()) {
      one = std::string(step.step->random ? "random" : "sequential") + " writes, " + step.step->times.text +
            " x the capacity in blocks of " + step.step->block_bytes.text + " bytes" +
            (kind == StepKind::age ? ", untimed" : "");
    }
    if (text.find(one) == text.npos) text += (text.empty() ? "" : "; ") + one;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string procedure_csv(const Procedure& procedure, const ProcedureRecord& record) {
  std::string text = "step,folder,name,round";
  for (const std::string& name : columns(procedure)) text += "," + name;
  text +=
      ",started_s,measured_s,iops,MB_per_s,read_iops,write_iops,latency_us_mean,latency_us_p99,latency_us_p99.9,"
      "latency_us_max,wa,wa_at_end,steady_at_end,power_w\n";
  for (const StepRecord& step : record.steps) {
    if (!is_measured(step)) continue;
    text += std::to_string(step.number) + "," + step.folder + "," + step.step->name + "," +
            (step.round > 0 ? std::to_string(step.round) : "");
    for (const std::string& name : columns(procedure)) text += "," + value_of(step.values, name);
    text += "," + seconds(step.started) + "," + figures_cells(*step.figures) + "," + at_end_cells(step) + "," +
            watts_cell(step) + "\n";
  }
  return text;
}

Json procedure_json(const Procedure& procedure, const ProcedureRecord& record, const DeviceInfo& device) {
  Json header = {{"device", device.model},
                 {"capacity_bytes", device.capacity_bytes},
                 {"purge", described(record, StepKind::purge)},
                 {"workload_independent_preconditioning", described(record, StepKind::precondition)},
                 {"ageing", described(record, StepKind::age)}};
  for (const auto& [name, value] : procedure.report) header[name] = value;
  Json steps = Json::array(), rounds = Json::array();
  for (const StepRecord& step : record.steps) steps.push_back(step_json(step));
  for (const RoundsRecord& round : record.rounds) rounds.push_back(rounds_json(round, procedure, record.steps));
  bool reached = true;
  for (const RoundsRecord& round : record.rounds) reached = reached && round.judged.reached;
  Json verdict = record.rounds.empty() ? Json(nullptr) : Json(reached);
  return {{"procedure", procedure.name},
          {"report", header},
          {"steady_state_reached", verdict},
          {"rounds", rounds},
          {"steps", steps},
          {"notes", record.notes},
          {"failed_requests", record.failed_requests}};
}

}  // namespace ftlab
