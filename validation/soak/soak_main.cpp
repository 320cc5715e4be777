// ftlab-soak: the long-running tests, part by part. Each part prints the target, the result and the failures, one line per
// figure. Exit status: 0 everything reached, 1 something failed or was not reached, 2 input refused.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>

#include "sim/core/error.h"
#include "validation/soak/runs.h"
#include "validation/soak/sweeps.h"

namespace {

using namespace ftlab;
using namespace ftlab::soak;

constexpr std::uint64_t kNone = ~std::uint64_t{0};

// The user's options; each part reads its own.
struct Options {
  Asked asked;
  std::uint64_t one_run = kNone;
  bool probes = false;
  SweepAsked faults;
  std::uint64_t jobs = 200;
  std::vector<std::string> programs, plans;
  bool print_hashes = false;
  std::uint32_t length = 6;
  std::string json;
};

std::vector<Figure> run_kind(const Kind& kind, Options& options) {
  if (options.one_run != kNone) {
    options.asked.first_run = options.one_run;
    options.asked.total = 1;
    options.asked.verbose = true;
  }
  return figures_of(kind, options.asked, run(kind, options.asked), options.probes);
}

void add_runs(CLI::App& app, Options& options) {
  Asked& asked = options.asked;
  app.add_option("--total", asked.total, "Operations, power cuts or drives in all; no run begins after them");
  app.add_option("--seconds", asked.seconds, "Wall-clock limit; no run begins after it");
  app.add_option("--seed", asked.seed, "Which runs they are");
  app.add_option("--run", options.one_run, "This run alone, its plan printed");
  app.add_option("--first-run", asked.first_run, "Begin with this run");
  app.add_option("--every", asked.every, "Execute only one run in this many, so that processes can share them")
      ->check(CLI::PositiveNumber);
  app.add_option("--corpus", asked.corpus, "Shrink what fails and keep it in this folder");
  app.add_flag("--probes", options.probes, "Fail when a state that must be reached was not");
  app.add_flag("-v,--verbose", asked.verbose, "Print each plan");
}

std::vector<Figure> determinism(Options& options) {
  if (!options.print_hashes) return compare_hashes(options.asked.seed, options.jobs, options.programs);
  for (const std::string& line : hashes_of_jobs(options.asked.seed, options.jobs)) std::printf("%s\n", line.c_str());
  return {};
}

void add_determinism(CLI::App& app, Options& options) {
  app.add_option("--jobs", options.jobs, "How many");
  app.add_option("--seed", options.asked.seed, "Which jobs they are");
  app.add_option("--against", options.programs, "Other builds of ftlab-soak");
  app.add_flag("--print-hashes", options.print_hashes, "Print the hashes of the jobs, and nothing else");
}

void add_faults(CLI::App& app, Options& options) {
  app.add_option("--scenarios", options.faults.scenarios, "How many of them")->check(CLI::Range(1u, kScenarios));
  app.add_option("--stride", options.faults.stride, "Only every n-th place")->check(CLI::PositiveNumber);
  app.add_option("--pairs", options.faults.pairs, "Also this many pairs of places for each scenario and kind");
  app.add_option("--corpus", options.faults.corpus, "Shrink what fails and keep it in this folder");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Long tests: random drives with workloads, failures and power cuts, against a shadow.");
  app.require_subcommand(1);
  Options options;
  std::function<std::vector<Figure>()> part;
  const auto add = [&](const char* name, const char* about, std::function<std::vector<Figure>()> run) {
    CLI::App* const command = app.add_subcommand(name, about);
    command->add_option("--json", options.json, "Also write the figures to this file");
    command->callback([&part, run] { part = run; });
    return command;
  };
  for (const Kind& kind : kinds()) add_runs(*add(kind.name, kind.about, [&] { return run_kind(kind, options); }), options);
  add_faults(*add("faults", "The n-th program, erase, read fails, for all n", [&] { return sweep_all(options.faults); }),
             options);
  add("all-cuts", "Every power cut of a very small drive", [&] { return figures_of(exhaust(options.length)); })
      ->add_option("--length", options.length, "All sequences of up to this many requests")
      ->check(CLI::Range(1u, 8u));
  add_determinism(*add("determinism", "The same jobs, again and elsewhere, have the same hashes",
                       [&] { return determinism(options); }),
                  options);
  add("canary", "A swarm that must fail: drives do not get long trims", run_canary);
  add("replay", "Plans that failed once", [&] { return replay_plans(options.plans); })
      ->add_option("PLAN", options.plans, "Files of the corpus, or folders of them")
      ->required();
  try {
    app.parse(argc, argv);
    const std::vector<Figure> figures = part();
    print(figures);
    if (!options.json.empty()) write_json(figures, options.json);
    return passed(figures) ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ConfigError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
