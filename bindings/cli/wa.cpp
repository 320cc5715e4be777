// ftlab wa, ftlab theory: write amplification in steady state, simulated and from formulas.
#include <sys/resource.h>

#include <charconv>
#include <cstdio>
#include <memory>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "bindings/cli/commands.h"
#include "bindings/wa_arguments.h"
#include "ftl/steady_run.h"
#include "models/analytic/steady_state.h"
#include "sim/config/error.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

struct WaOptions {
  WaArguments arguments;
  std::string seed = "1";
  std::string precision = "0.0005";
  bool json = false;
};

Json question_json(const WaArguments& a) {
  return {{"policy", a.policy},
          {"d", a.d},
          {"window", a.window},
          {"op", a.op},
          {"pages_per_block", a.pages_per_block},
          {"blocks", a.blocks},
          {"workload", a.workload},
          {"frontiers", a.frontiers},
          {"trim", a.trim},
          {"compression", a.compression}};
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

std::string theory_text(const Json& theory) {
  if (theory["wa"].is_null()) return fmt::format("theory      none: {}\n", theory["why_none"].get<std::string>());
  return fmt::format("theory      {:.5f}   {} ({}: within {:.2g} %)\n            {}\n", theory["wa"].get<double>(),
                     theory["kind"].get<std::string>(), "a simulation should agree", 100 * theory["tolerance"].get<double>(),
                     theory["source"].get<std::string>());
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return seed;
  throw ConfigError({"--seed", 0}, "", "is no seed", text, "0 to 18446744073709551615", {});
}

double precision_of(const std::string& text) {
  double precision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), precision);
  if (error == std::errc() && end == text.data() + text.size() && precision >= 1e-5 && precision <= 0.1) return precision;
  throw ConfigError({"--precision", 0}, "", "is out of range or no number", text, "0.00001 to 0.1", {});
}

int simulate(const WaOptions& options, const Session& session) {
  const WaQuestion question = wa_question(options.arguments);
  SteadyRunOptions run_options;
  run_options.seed = seed_of(options.seed);
  run_options.precision = precision_of(options.precision);
  run_options.interrupted = session.interrupted;
  const std::string problem = steady_run_problem(question);
  if (!problem.empty()) throw ConfigError({"ftlab wa", 0}, "", problem, {}, {}, {});
  const double began = cpu_seconds();
  const SteadyRun run = steady_run(question, run_options);
  const double seconds = cpu_seconds() - began;
  const Json theory = theory_json(question);
  Json result = {{"wa", run.wa}, {"ci95", run.half_width}, {"batches", run.batches}, {"warm_up_drive_writes", run.warm_up}};
  result["drifting"] = run.drifting;
  result["theory"] = theory;
  if (!theory["wa"].is_null()) result["deviation"] = run.wa / theory["wa"].get<double>() - 1;
  result["question"] = question_json(options.arguments);
  result["logical_pages"] = run.logical_pages;
  result["total_blocks"] = run.total_blocks;
  result["mapped_share"] = run.mapped_share;
  result["erases"] = run.erases;
  result["seed"] = run_options.seed;
  result["simulator"] = {{"host_writes", run.host_writes},
                         {"cpu_s", seconds},
                         {"host_writes_per_cpu_s", static_cast<double>(run.host_writes) / std::max(seconds, 1e-9)}};
  if (options.json) {
    std::printf("%s\n", result.dump(2).c_str());
    return kDone;
  }
  std::printf("simulated   %.5f +- %.5f (95 %%, %u batches of one drive write after %u of warm-up)\n", run.wa,
              run.half_width, run.batches, run.warm_up);
  if (run.drifting) std::printf("            the batches still drift: the warm-up was too short\n");
  std::fputs(theory_text(theory).c_str(), stdout);
  if (result.contains("deviation")) std::printf("deviation   %+.3f %%\n", 100 * result["deviation"].get<double>());
  std::printf("simulator   %.1f M host writes in %.2f s of CPU time, %.2f M/s\n", static_cast<double>(run.host_writes) / 1e6,
              seconds, static_cast<double>(run.host_writes) / 1e6 / std::max(seconds, 1e-9));
  return kDone;
}

int theory(const WaOptions& options) {
  const WaQuestion question = wa_question(options.arguments);
  Json answer = theory_json(question);
  if (options.json) {
    answer["question"] = question_json(options.arguments);
    std::printf("%s\n", answer.dump(2).c_str());
  } else {
    std::fputs(theory_text(answer).c_str(), stdout);
    if (!answer["wa"].is_null()) std::printf("            %s\n", answer["validity"].get<std::string>().c_str());
  }
  return kDone;
}

}  // namespace

void add_wa(CLI::App& app, Session& session) {
  const auto options = std::make_shared<WaOptions>();
  CLI::App* command = app.add_subcommand("wa", "write amplification in steady state, simulated, beside theory");
  add_wa_arguments(*command, options->arguments);
  command->add_option("--seed", options->seed, "of all chance in the run")->capture_default_str();
  command->add_option("--precision", options->precision, "stop when the 95 % half-width is below this share of the mean")
      ->capture_default_str();
  command->add_flag("--json", options->json, "print the result as JSON");
  command->callback([options, &session] { session.chosen = [options, &session] { return simulate(*options, session); }; });
}

void add_theory(CLI::App& app, Session& session) {
  const auto options = std::make_shared<WaOptions>();
  CLI::App* command = app.add_subcommand("theory", "the same from formulas alone");
  add_wa_arguments(*command, options->arguments);
  command->add_flag("--json", options->json, "print the answer as JSON");
  command->callback([options, &session] { session.chosen = [options] { return theory(*options); }; });
}

}  // namespace ftlab
