#include "validation/results/wa_answer.h"

#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <spdlog/fmt/fmt.h>

#include "models/theory/steady_state.h"
#include "sim/core/error.h"
#include "validation/results/machine_memory.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

Json question_json(const WaArguments& a) {
  Json question = {{"policy", a.policy},
                   {"d", a.d},
                   {"window", a.window},
                   {"op", a.op},
                   {"pages_per_block", a.pages_per_block},
                   {"blocks", a.blocks},
                   {"workload", a.workload},
                   {"frontiers", a.frontiers},
                   {"trim", a.trim},
                   {"compression", a.compression}};
  if (!a.parameters.empty()) question["parameters"] = a.parameters;
  return question;
}

const char* name_of(WaAnswer::Kind kind) {
  constexpr const char* kNames[] = {"exact", "finite-blocks", "approximate"};
  return kNames[static_cast<std::size_t>(kind)];
}

Json theory_json(const WaQuestion& question) {
  const auto answer = steady_state_wa(question);
  if (!answer) return {{"wa", nullptr}, {"why_none", why_no_formula(question)}};
  return {{"wa", answer->wa},
          {"kind", name_of(answer->kind)},
          {"tolerance", answer->tolerance},
          {"source", answer->source},
          {"validity", answer->validity}};
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
}

constexpr double kLeastOp = 0.0001, kMostOp = 100;  // of --op

// Where a decreasing function of log(op) crosses zero: regula falsi with halved weights (Illinois), which needs five to
// eight evaluations here. `function(op)` may be infinite. Returns the bound of `op` if it does not cross zero.
double crossing(const std::function<double(double)>& function, double guess, double tolerance) {
  double low = guess, high = guess, at_low = function(guess), at_high = at_low;
  if (std::abs(at_low) <= tolerance) return guess;
  for (double step = 1.2; at_high > 0; step *= step) {
    if (high >= kMostOp) return high;
    low = high, at_low = at_high;
    high = std::min(high * step, kMostOp), at_high = function(high);
  }
  for (double step = 1.2; at_low < 0 && low > kLeastOp; step *= step) {
    high = low, at_high = at_low;
    low = std::max(low / step, kLeastOp), at_low = function(low);
  }
  if (at_low <= 0) return low;
  for (int side = 0; std::log(high / low) > 1e-5;) {
    const double share = std::isinf(at_low) ? 0.5 : at_low / (at_low - at_high);
    const double middle = low * std::pow(high / low, share), at_middle = function(middle);
    if (std::abs(at_middle) <= tolerance) return middle;
    if (at_middle > 0) {
      low = middle, at_low = at_middle;
      if (side == 1) at_high /= 2;
      side = 1;
    } else {
      high = middle, at_high = at_middle;
      if (side == -1 && !std::isinf(at_low)) at_low /= 2;
      side = -1;
    }
  }
  return high;
}

}  // namespace

nlohmann::ordered_json wa_answer(const WaArguments& arguments, const SteadyRunOptions& options) {
  const WaQuestion question = wa_question(arguments);
  const std::string problem = steady_run_problem(question);
  if (!problem.empty()) throw ConfigError({"ftlab wa", 0}, "", problem);
  refuse_beyond_memory(steady_run_bytes(question, options), "ftlab wa");
  const double began = cpu_seconds();
  const SteadyRun run = steady_run(question, options);
  const double seconds = cpu_seconds() - began;
  const Json theory = theory_json(question);
  Json result = {{"wa", run.wa}, {"ci95", run.half_width}, {"batches", run.batches}, {"warm_up_drive_writes", run.warm_up}};
  result["drifting"] = run.drifting;
  result["theory"] = theory;
  if (!theory["wa"].is_null()) result["deviation"] = run.wa / theory["wa"].get<double>() - 1;
  result["question"] = question_json(arguments);
  result["logical_pages"] = run.logical_pages;
  result["total_blocks"] = run.total_blocks;
  result["mapped_share"] = run.mapped_share;
  result["erases"] = run.erases;
  result["seed"] = options.seed;
  result["simulator"] = {{"host_writes", run.host_writes},
                         {"cpu_s", seconds},
                         {"host_writes_per_cpu_s", static_cast<double>(run.host_writes) / std::max(seconds, 1e-9)}};
  return result;
}

nlohmann::ordered_json op_answer(const WaArguments& arguments, double target_wa, const SteadyRunOptions& options) {
  const double within = std::max(0.001, options.precision);  // a simulation resolves no less than its precision
  WaQuestion question = wa_question(arguments);
  std::uint32_t runs = 0;
  const auto simulated = [&](double op) {
    question.op = op;
    if (!steady_run_problem(question).empty()) return std::numeric_limits<double>::infinity();
    refuse_beyond_memory(steady_run_bytes(question, options), "ftlab wa");
    ++runs;
    return steady_run(question, options).wa / target_wa - 1;
  };
  const auto by_formula = [&](double op) {
    question.op = op;
    const auto answer = steady_state_wa(question);
    return answer ? answer->wa / target_wa - 1 : std::numeric_limits<double>::infinity();
  };
  double guess = question.op;
  if (steady_state_wa(question)) guess = crossing(by_formula, guess, 1e-6);
  const double op = crossing(simulated, guess, within);
  WaArguments found = arguments;
  found.op = fmt::format("{:.5g}%", 100 * op);
  Json result = {{"target_wa", target_wa}, {"op", wa_question(found).op}, {"runs", runs + 1}};
  result.update(wa_answer(found, options));
  const double wa = result["wa"].get<double>();
  if (std::abs(wa / target_wa - 1) > std::max(0.01, 3 * within))
    throw ConfigError({"--target-wa", 0}, "",
                      fmt::format("is not reached: the nearest is {} with --op {}", fmt::format("{:.5g}", wa), found.op),
                      fmt::format("{:g}", target_wa), "more --blocks or --pages-per-block, or another target");
  return result;
}

nlohmann::ordered_json theory_answer(const WaArguments& arguments) {
  Json answer = theory_json(wa_question(arguments));
  answer["question"] = question_json(arguments);
  return answer;
}

}  // namespace ftlab
