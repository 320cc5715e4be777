// ftlab wa, ftlab theory: steady-state write amplification, simulated and from formulas.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "bindings/cli/commands.h"
#include "sim/config/share.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "validation/results/wa_answer.h"
#include "validation/run/options.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

struct WaOptions {
  WaArguments arguments;
  std::uint64_t seed = 1;
  std::string precision = "0.0005";
  std::string target_wa;
  bool json = false;
};

std::string theory_text(const Json& theory) {
  if (theory["wa"].is_null()) return fmt::format("theory      none: {}\n", theory["why_none"].get<std::string>());
  return fmt::format("theory      {:.5f}   {} ({}: within {:.2g} %)\n            {}\n", theory["wa"].get<double>(),
                     theory["kind"].get<std::string>(), "a simulation should agree", 100 * theory["tolerance"].get<double>(),
                     theory["source"].get<std::string>());
}

double target_of(const std::string& text) {
  const auto target = parsed<double>(text);
  if (target && *target > 1 && *target <= 1000) return *target;
  throw ConfigError({"--target-wa", 0}, "", "is not a write amplification", text, "above 1, up to 1000", {});
}

int simulate(const WaOptions& options, const Session& session) {
  SteadyRunOptions run_options;
  run_options.seed = options.seed;
  run_options.precision = share_of({"--precision", 0}, "", options.precision, kPrecision);
  run_options.interrupted = session.interrupted;
  const Json result = options.target_wa.empty() ? wa_answer(options.arguments, run_options)
                                                : op_answer(options.arguments, target_of(options.target_wa), run_options);
  if (options.json) {
    std::printf("%s\n", result.dump(2).c_str());
    return kDone;
  }
  const Json& simulator = result["simulator"];
  if (result.contains("op"))
    std::printf("op          %.5g %% gives a write amplification of %g (%u simulations)\n", 100 * result["op"].get<double>(),
                result["target_wa"].get<double>(), result["runs"].get<unsigned>());
  std::printf("simulated   %.5f +- %.5f (95 %%, %u batches of one drive write after %u of warm-up)\n",
              result["wa"].get<double>(), result["ci95"].get<double>(), result["batches"].get<unsigned>(),
              result["warm_up_drive_writes"].get<unsigned>());
  if (result["drifting"].get<bool>()) std::printf("            the batches still drift: the warm-up was too short\n");
  std::fputs(theory_text(result["theory"]).c_str(), stdout);
  if (result.contains("deviation")) std::printf("deviation   %+.3f %%\n", 100 * result["deviation"].get<double>());
  std::printf("simulator   %.1f M host writes in %.2f s of CPU time, %.2f M/s\n",
              simulator["host_writes"].get<double>() / 1e6, simulator["cpu_s"].get<double>(),
              simulator["host_writes_per_cpu_s"].get<double>() / 1e6);
  return kDone;
}

int theory(const WaOptions& options) {
  Json answer = theory_answer(options.arguments);
  if (options.json) {
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
  CLI::App* command = app.add_subcommand("wa", "simulate steady-state write amplification and compare it with theory");
  add_wa_arguments(*command, options->arguments);
  add_seed(*command, options->seed, "seed of all random numbers of the run");
  command
      ->add_option("--precision", options->precision,
                   "stop when the 95 % half-width is below this share of the mean, as 0.05% or 0.0005")
      ->capture_default_str();
  command->add_option("--target-wa", options->target_wa, "find the over-provisioning that gives this write amplification")
      ->excludes(command->get_option("--op"));
  command->add_flag("--json", options->json, "print the result as JSON");
  when_chosen(*command, session, [options, &session] { return simulate(*options, session); }, true);
}

void add_theory(CLI::App& app, Session& session) {
  const auto options = std::make_shared<WaOptions>();
  CLI::App* command = app.add_subcommand("theory", "write amplification from formulas alone");
  add_wa_arguments(*command, options->arguments);
  command->add_flag("--json", options->json, "print the answer as JSON");
  when_chosen(*command, session, [options] { return theory(*options); });
}

}  // namespace ftlab
