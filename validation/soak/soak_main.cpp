// ftlab-soak: the long-running tests, part by part. Each part prints the target, the result and the failures, one line per
// figure. Exit status: 0 everything reached, 1 something failed or was not reached, 2 input refused.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>

#include "sim/core/error.h"
#include "validation/soak/parts.h"
#include "validation/soak/swarm/shrink.h"
#include "validation/soak/swarm/swarm.h"

namespace {

using namespace ftlab;
using namespace ftlab::soak;

// The user's options; each part reads its own.
struct Asked {
  SwarmAsked swarm;
  std::uint64_t one_run = ~std::uint64_t{0};
  bool probes = false;
  SweepAsked faults;
  std::uint64_t seed = 1, first = 0, count = 0;
  DeterminismAsked determinism;
  bool print_hashes = false;
  std::vector<std::string> plans;
  std::string json;
};

std::vector<Figure> swarm(Asked& asked) {
  if (asked.one_run != ~std::uint64_t{0}) {
    asked.swarm.first_run = asked.one_run;
    asked.swarm.runs = 1;
    asked.swarm.operations = 0;
    asked.swarm.verbose = true;
  }
  const SwarmReached reached = run_swarm(asked.swarm);
  std::printf("%.0f checked operations a second of processor time, %.0f s of it, %.0f s by the clock\n",
              static_cast<double>(reached.operations) / reached.cpu_seconds, reached.cpu_seconds, reached.seconds);
  return figures_of(asked.swarm, reached, asked.probes);
}

void add_swarm(CLI::App& app, Asked& asked) {
  SwarmAsked& swarm = asked.swarm;
  app.add_option("--ops", swarm.operations, "Requests in all; no run begins after them");
  app.add_option("--seconds", swarm.seconds, "Wall-clock limit; no run begins after it");
  app.add_option("--runs", swarm.runs, "Drives, each with its workload");
  app.add_option("--seed", swarm.seed, "Which swarm it is");
  app.add_option("--run", asked.one_run, "This run of it alone, its plan printed");
  app.add_option("--first-run", swarm.first_run, "Begin with this run");
  app.add_option("--every", swarm.every, "Execute only one run in this many, so that processes can share them")
      ->check(CLI::PositiveNumber);
  app.add_option("--corpus", swarm.corpus, "Shrink what fails and keep it in this folder");
  app.add_flag("--probes", asked.probes, "Fail when a state that must be reached was not");
  app.add_flag("-v,--verbose", swarm.verbose, "Print each plan");
}

std::vector<Figure> canary(Asked&) { return run_canary(); }
void add_nothing(CLI::App&, Asked&) {}

std::vector<Figure> replay(Asked& asked) { return replay_plans(asked.plans); }
void add_replay(CLI::App& app, Asked& asked) {
  app.add_option("PLAN", asked.plans, "Files of the corpus, or folders of them")->required();
}

std::vector<Figure> faults(Asked& asked) {
  asked.faults.corpus = asked.swarm.corpus;
  return sweep_all(asked.faults);
}
void add_faults(CLI::App& app, Asked& asked) {
  app.add_option("--scenarios", asked.faults.scenarios, "How many of them")->check(CLI::Range(1u, kScenarios));
  app.add_option("--stride", asked.faults.stride, "Only every n-th place")->check(CLI::PositiveNumber);
  app.add_option("--pairs", asked.faults.pairs, "Also this many pairs of places for each scenario and kind");
  app.add_option("--corpus", asked.swarm.corpus, "Keep what fails in this folder");
}

std::vector<Figure> endings(Asked& asked) {
  return figures_of(asked.count, end_drives(asked.first, asked.count, asked.swarm.corpus));
}
void add_endings(CLI::App& app, Asked& asked) {
  app.add_option("--drives", asked.count, "How many are written to their end")->required();
  app.add_option("--first", asked.first, "The number of the first one");
  app.add_option("--corpus", asked.swarm.corpus, "Keep what fails in this folder");
}

std::vector<Figure> edges(Asked& asked) { return figures_of(asked.count, try_edges(asked.seed, asked.first, asked.count)); }
void add_edges(CLI::App& app, Asked& asked) {
  app.add_option("--drives", asked.count, "How many designs are tried at both sides")->required();
  app.add_option("--first", asked.first, "The number of the first one");
  app.add_option("--seed", asked.seed, "Which designs they are");
}

std::vector<Figure> determinism(Asked& asked) {
  if (!asked.print_hashes) return compare_runs(asked.determinism);
  for (std::uint64_t job = 0; job < asked.determinism.jobs; ++job)
    std::printf("%s\n", hashes_of_job(asked.determinism.seed, job).c_str());
  return {};
}
void add_determinism(CLI::App& app, Asked& asked) {
  app.add_option("--jobs", asked.determinism.jobs, "How many");
  app.add_option("--seed", asked.determinism.seed, "Which jobs they are");
  app.add_option("--against", asked.determinism.programs, "Other builds of ftlab-soak");
  app.add_flag("--print-hashes", asked.print_hashes, "Print the hashes of the jobs, and nothing else");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Long tests: swarm, power cuts, faults, drives written to their end.");
  app.require_subcommand(1);
  Asked asked;
  std::function<std::vector<Figure>(Asked&)> part;
  const auto add = [&](const char* name, const char* about, auto&& options, std::vector<Figure> (*run)(Asked&)) {
    CLI::App* const command = app.add_subcommand(name, about);
    options(*command, asked);
    command->add_option("--json", asked.json, "Also write the figures to this file");
    command->callback([&part, run] { part = run; });
  };
  add("swarm", "Random drives under random workloads and a shadow", add_swarm, swarm);
  add("canary", "A swarm that must fail: the shadow gets false data", add_nothing, canary);
  add("replay", "Plans that failed once", add_replay, replay);
  add("faults", "The n-th program, erase, read fails, for all n", add_faults, faults);
  add("endings", "Drives that are written until they die", add_endings, endings);
  add("edges", "Drives with exactly enough flash, and with less", add_edges, edges);
  add("determinism", "The same jobs, again and elsewhere, have the same hashes", add_determinism, determinism);
  try {
    app.parse(argc, argv);
    const std::vector<Figure> figures = part(asked);
    print(figures);
    if (!asked.json.empty()) write_json(figures, asked.json);
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
