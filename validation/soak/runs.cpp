#include "validation/soak/runs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "validation/soak/run.h"

namespace ftlab::soak {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostShrinkingRuns = 2'000;

// "swarm --seed 3 --run 5" is in the file swarm-seed-3-run-5.json.
std::string file_of(const std::string& name) {
  std::string file;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      file += c;
    } else if (!file.ends_with('-')) {
      file += '-';
    }
  }
  return file + ".json";
}

void keep(const std::string& corpus, const std::string& name, Shrunk failing, const Lie& lie) {
  if (!failing.outcome.failure.empty()) failing = shrink(failing.plan, kMostShrinkingRuns, lie);
  const std::string path = (fs::path(corpus) / file_of(name)).string();
  fs::create_directories(corpus);
  write_whole(path, plan_json(failing.plan, failing.outcome.failure));
  std::fprintf(stderr, "  shrunk in %llu runs to %llu operations: %s\n  %s\n", static_cast<unsigned long long>(failing.runs),
               static_cast<unsigned long long>(failing.plan.operations), path.c_str(), failing.outcome.failure.c_str());
}

std::vector<NamedPlan> plans_of(const std::vector<std::string>& places) {
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
  std::vector<NamedPlan> plans;
  for (const fs::path& file : files) {
    for (NamedPlan& plan : read_plans(file)) plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace

const Kind& kind_of(const std::string& name) {
  return *std::find_if(kinds().begin(), kinds().end(), [&](const Kind& kind) { return kind.name == name; });
}

RunOutcome Results::take(const std::string& name, const RunPlan& plan, Judge judge, const Lie& lie) {
  RunOutcome outcome = execute(plan, lie);
  counts.add(outcome.counts);
  const std::string wrong = outcome.failure.empty() && judge != nullptr ? judge(outcome) : outcome.failure;
  if (wrong.empty()) return outcome;
  ++failures;
  if (first_failure.empty()) first_failure = name + ": " + wrong;
  if (lie == nullptr) {
    std::fprintf(stderr, "FAILED: ftlab-soak %s: after %llu operations: %s\n", name.c_str(),
                 static_cast<unsigned long long>(outcome.counts[Count::operations]), wrong.c_str());
  }
  if (!corpus_.empty()) keep(corpus_, name, {plan, outcome, 0}, lie);
  return outcome;
}

Results run(const Kind& kind, const Asked& asked, const Lie& lie) {
  const auto begin = std::chrono::steady_clock::now();
  const auto wants_more = [&](const Results& results) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return (asked.total == 0 || results.counts[kind.measure] < asked.total) && results.failures < asked.most_failures &&
           (asked.seconds == 0 || passed.count() < static_cast<double>(asked.seconds));
  };
  Results results(asked.corpus);
  for (std::uint64_t run = asked.first_run; wants_more(results); run += asked.every) {
    const RunPlan plan = kind.draw(asked.seed, run);
    if (asked.verbose) {
      std::printf("run %llu\n%s", static_cast<unsigned long long>(run), plan_json(plan, "").c_str());
      std::fflush(stdout);  // so that the current plan is known if the process is killed
    }
    const std::string name =
        std::string(kind.name) + " --seed " + std::to_string(asked.seed) + " --run " + std::to_string(run);
    results.take(name, plan, kind.judge, lie);
  }
  return results;
}

std::vector<Figure> figures_of(const Kind& kind, const Asked& asked, const Results& results, bool probes) {
  const std::span<const Counts::Name> names = Counts::names();
  const auto group = kind.measure == Count::cuts ? Counts::Group::cut : Counts::Group::state;
  const auto measure = static_cast<std::size_t>(kind.measure);
  std::vector<Figure> figures = {
      {kind.name + (": " + names[measure].name), asked.total, results.counts[kind.measure], results.failures}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t count = results.counts.at(i);
    if (i == measure) continue;
    if (names[i].group == Counts::Group::total) figures.push_back({kind.name + (": " + names[i].name), 0, count, 0});
    if (probes && names[i].group == group) figures.push_back({"probe: " + names[i].name, 1, count, 0});
  }
  return figures;
}

std::vector<Figure> replay_plans(const std::vector<std::string>& places) {
  Results results;
  for (const auto& [name, plan] : plans_of(places)) results.take("replay " + name, plan);
  const std::uint64_t plans = results.counts[Count::runs];
  return {{"corpus: plans that failed once", plans, plans, results.failures}};
}

bool long_trim(const Request& request, const RunPlan& plan) {
  return request.op == Op::trim && request.length_bytes > plan.drive.ftl.mapping_bytes;
}

std::vector<Figure> run_canary() {
  constexpr std::uint64_t kOperations = 10'000'000;  // the budget of a commit
  Asked asked;
  asked.seed = 3;
  asked.total = kOperations;
  asked.most_failures = 1;
  const std::uint64_t found = run(kind_of("swarm"), asked, long_trim).failures;
  return {{"canary: a lie to the shadow, found", 1, found, found == 0 ? 1u : 0u}};
}

std::vector<std::string> hashes_of_jobs(std::uint64_t seed, std::uint64_t jobs) {
  std::vector<std::string> lines;
  for (std::uint64_t job = 0; job < jobs; ++job) {
    const Kind& kind = kinds()[job % kinds().size()];
    RunPlan plan = kind.draw(seed, job);
    plan.operations = std::min<std::uint64_t>(plan.operations, 2'000);
    plan.calm = std::min<std::uint64_t>(plan.calm, 200);
    const RunOutcome outcome = execute(plan);
    lines.push_back(std::to_string(job) + " " + outcome.completions.text() + " " + outcome.state.text() +
                    (outcome.failure.empty() ? "" : " failed: " + outcome.failure));
  }
  return lines;
}

namespace {

Figure compared(const std::string& name, const std::vector<std::string>& wanted, const std::vector<std::string>& found) {
  Figure figure{name, wanted.size(), found.size(), 0};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string line = i < found.size() ? found[i] : "nothing";
    if (line == wanted[i]) continue;
    ++figure.failures;
    std::fprintf(stderr, "FAILED: %s: \"%s\" in the place of \"%s\"\n", name.c_str(), line.c_str(), wanted[i].c_str());
  }
  return figure;
}

// Output of a program by lines; empty if it cannot be started.
std::vector<std::string> lines_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::string> lines;
  std::array<char, 256> line;
  while (pipe != nullptr && std::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    lines.emplace_back(line.data());
    if (lines.back().back() == '\n') lines.back().pop_back();
  }
  return lines;
}

}  // namespace

std::vector<Figure> compare_hashes(std::uint64_t seed, std::uint64_t jobs, const std::vector<std::string>& programs) {
  const std::vector<std::string> once = hashes_of_jobs(seed, jobs);
  std::vector<Figure> figures = {compared("determinism: jobs, twice in one process", once, hashes_of_jobs(seed, jobs))};
  std::vector<std::string> all = {fs::read_symlink("/proc/self/exe").string()};
  all.insert(all.end(), programs.begin(), programs.end());
  for (const std::string& program : all) {
    const std::string command = "'" + program + "' determinism --print-hashes --seed " + std::to_string(seed) + " --jobs " +
                                std::to_string(jobs);
    const std::string build = fs::path(program).parent_path().parent_path().filename().string();
    figures.push_back(compared("determinism: jobs, in a process of " + build, once, lines_of(command)));
  }
  return figures;
}

}  // namespace ftlab::soak
