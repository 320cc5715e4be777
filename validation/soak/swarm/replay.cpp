#include "validation/soak/swarm/replay.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "validation/soak/swarm/swarm.h"

namespace ftlab::soak {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::vector<std::string>& places) {
  std::vector<fs::path> files;
  for (const fs::path place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<Figure> replay_plans(const std::vector<std::string>& places) {
  Figure figure{"corpus: plans that failed once", 0, 0, 0};
  for (const fs::path& file : files_of(places)) {
    const SwarmPlan plan = read_plan(file);
    const SwarmOutcome outcome = execute(plan);
    ++figure.asked;
    ++figure.reached;
    if (outcome.failure.empty()) continue;
    ++figure.failures;
    std::fprintf(stderr, "FAILED: %s: after %llu operations: %s\n", file.c_str(),
                 static_cast<unsigned long long>(outcome.operations), outcome.failure.c_str());
    print_plan(plan);
  }
  return {figure};
}

bool trim_unheard(const Request& request, const SwarmPlan& plan) {
  return request.op == Op::trim && request.length_bytes > plan.drive.ftl.mapping_bytes;
}

std::vector<Figure> run_canary() {
  constexpr std::uint64_t kRuns = 60;
  std::uint64_t found = 0;
  for (std::uint64_t run = 0; run < kRuns && found == 0; ++run)
    found += !execute(drawn_plan(3, run), trim_unheard).failure.empty();
  return {{"canary: a lie to the shadow, found", 1, found, found == 0 ? 1u : 0u}};
}

}  // namespace ftlab::soak
