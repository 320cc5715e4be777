#include "validation/soak/swarm/swarm.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "ftl/policies/gc_policy.h"
#include "models/nand/timing/policy.h"
#include "validation/soak/swarm/shrink.h"

namespace ftlab::soak {
namespace {

constexpr std::uint64_t kMostShrinkingRuns = 2'000;

// CPU time of this process.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void keep_shrunk(const SwarmAsked& asked, std::uint64_t run, const SwarmPlan& plan, const Lie& lie) {
  const Shrunk shrunk = shrink(plan, kMostShrinkingRuns, lie);
  const std::string name = "swarm-" + std::to_string(asked.seed) + "-" + std::to_string(run) + ".json";
  const std::string path = (std::filesystem::path(asked.corpus) / name).string();
  std::filesystem::create_directories(asked.corpus);
  write_whole(path, plan_json(shrunk.plan, shrunk.outcome.failure));
  std::fprintf(stderr, "  shrunk in %llu runs to %llu operations: %s\n  %s\n", static_cast<unsigned long long>(shrunk.runs),
               static_cast<unsigned long long>(shrunk.plan.operations), path.c_str(), shrunk.outcome.failure.c_str());
}

bool wants_more(const SwarmAsked& asked, const SwarmReached& reached) {
  if (asked.operations > 0 && reached.operations >= asked.operations) return false;
  if (asked.runs > 0 && reached.runs >= asked.runs) return false;
  if (asked.seconds > 0 && reached.seconds >= static_cast<double>(asked.seconds)) return false;
  return reached.failures < asked.most_failures;
}

}  // namespace

void print_plan(const SwarmPlan& plan) {
  std::printf("  gc.policy=%s", gc_policy_kinds()[plan.drive.ftl.gc.policy].name.c_str());
  for (const PlanField& field : plan_fields()) {
    const std::uint64_t value = field.get(plan);
    if (field.off && value == *field.off) continue;
    std::printf(" %s=%llu", field.name, static_cast<unsigned long long>(value));
  }
  std::printf("\n");
}

SwarmReached run_swarm(const SwarmAsked& asked, const Lie& lie) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = cpu_seconds();
  SwarmReached reached;
  reached.timed_operations.resize(scheduling_policy_kinds().size());
  for (std::uint64_t run = asked.first_run; wants_more(asked, reached); run += asked.every) {
    const SwarmPlan plan = drawn_plan(asked.seed, run);
    if (asked.verbose) {
      std::printf("run %llu\n", static_cast<unsigned long long>(run));
      print_plan(plan);
      std::fflush(stdout);  // so that the current plan is known if the process is killed
    }
    const SwarmOutcome outcome = execute(plan, lie);
    ++reached.runs;
    reached.operations += outcome.operations;
    if (plan.timed) reached.timed_operations[plan.drive.nand.scheduling.policy] += outcome.operations;
    reached.pages_compared += outcome.pages_compared;
    reached.inspections += outcome.inspections;
    reached.probes.add(outcome.probes);
    if (asked.verbose) {
      std::printf("  %llu operations, %.3f s\n", static_cast<unsigned long long>(outcome.operations),
                  cpu_seconds() - cpu_begin - reached.cpu_seconds);
    }
    reached.seconds = seconds_since(begin);
    reached.cpu_seconds = cpu_seconds() - cpu_begin;
    if (outcome.failure.empty()) continue;
    ++reached.failures;
    std::fprintf(stderr, "FAILED: ftlab-soak swarm --seed=%llu --run=%llu, after %llu operations: %s\n",
                 static_cast<unsigned long long>(asked.seed), static_cast<unsigned long long>(run),
                 static_cast<unsigned long long>(outcome.operations), outcome.failure.c_str());
    if (!asked.corpus.empty()) keep_shrunk(asked, run, plan, lie);
  }
  return reached;
}

std::vector<Figure> figures_of(const SwarmAsked& asked, const SwarmReached& reached, bool probes) {
  std::vector<Figure> figures = {
      {"swarm: operations under a shadow", asked.operations, reached.operations, reached.failures},
      {"swarm: drives and workloads", asked.runs, reached.runs, reached.failures},
      {"swarm: pages compared", 0, reached.pages_compared, 0},
      {"swarm: inspections of the whole state", 0, reached.inspections, 0}};
  for (std::size_t i = 0; probes && i < ProbeCounts::names().size(); ++i) {
    const ProbeName& name = ProbeCounts::names()[i];
    figures.push_back({"probe: " + name.name, name.required ? 1u : 0u, reached.probes.count(i), 0});
  }
  for (std::size_t i = 0; probes && i < reached.timed_operations.size(); ++i)
    figures.push_back(
        {"probe: operations scheduled by " + scheduling_policy_kinds()[i].name, 1, reached.timed_operations[i], 0});
  return figures;
}

}  // namespace ftlab::soak
