#include "validation/results/wa_answer.h"

#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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

nlohmann::ordered_json theory_answer(const WaArguments& arguments) {
  Json answer = theory_json(wa_question(arguments));
  answer["question"] = question_json(arguments);
  return answer;
}

}  // namespace ftlab
