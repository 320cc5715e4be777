#include "validation/soak/parts.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {
namespace {

// Output of a program by lines; empty if it cannot be started or fails.
std::vector<std::string> lines_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::string> lines;
  if (pipe == nullptr) return lines;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    lines.emplace_back(line.data());
    if (lines.back().back() == '\n') lines.back().pop_back();
  }
  return lines;
}

Figure compared(const std::string& name, const std::vector<std::string>& wanted, const std::vector<std::string>& found) {
  Figure figure{name, wanted.size(), found.size(), 0};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i < found.size() && found[i] == wanted[i]) continue;
    ++figure.failures;
    std::fprintf(stderr, "FAILED: %s: \"%s\" in the place of \"%s\"\n", name.c_str(),
                 i < found.size() ? found[i].c_str() : "nothing", wanted[i].c_str());
  }
  return figure;
}

std::string quoted(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string hashes_of_job(std::uint64_t seed, std::uint64_t job) {
  SwarmPlan plan = drawn_plan(seed, job);
  plan.operations = std::min<std::uint64_t>(plan.operations, 2'000);
  plan.calm = std::min<std::uint64_t>(plan.calm, 200);
  const SwarmOutcome outcome = execute(plan);
  const std::string end = outcome.failure.empty() ? "" : " failed: " + outcome.failure;
  return std::to_string(job) + " " + outcome.completions.text() + " " + outcome.state.text() + end;
}

std::vector<Figure> compare_runs(const DeterminismAsked& asked) {
  std::vector<std::string> once, again;
  for (std::uint64_t job = 0; job < asked.jobs; ++job) {
    once.push_back(hashes_of_job(asked.seed, job));
    if (job > 0) again.push_back(hashes_of_job(asked.seed, job - 1));
  }
  if (asked.jobs > 0) again.push_back(hashes_of_job(asked.seed, asked.jobs - 1));
  std::vector<Figure> figures = {compared("determinism: jobs, twice in one process", once, again)};
  std::vector<std::string> programs = {std::filesystem::read_symlink("/proc/self/exe").string()};
  programs.insert(programs.end(), asked.programs.begin(), asked.programs.end());
  for (const std::string& program : programs) {
    const std::string command = quoted(program) + " determinism --print-hashes --seed " + std::to_string(asked.seed) +
                                " --jobs " + std::to_string(asked.jobs);
    figures.push_back(compared("determinism: jobs, in a process of " +
                                   std::filesystem::path(program).parent_path().parent_path().filename().string(),
                               once, lines_of(command)));
  }
  return figures;
}

}  // namespace ftlab::soak
