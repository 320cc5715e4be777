// Executes runs of one kind after another, reports and shrinks those that fail, and adds up what was reached.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "validation/soak/run.h"

namespace ftlab::soak {

// Results of a test part, one line per figure, and as JSON, so that one table can be made of all parts.

struct Figure {
  std::string name;
  std::uint64_t asked = 0;  // 0: no target
  std::uint64_t reached = 0;
  std::uint64_t failures = 0;
};

// True if the part reached its target without failures.
inline bool passed(const Figure& figure) { return figure.failures == 0 && figure.reached >= figure.asked; }
bool passed(const std::vector<Figure>& figures);

void print(const std::vector<Figure>& figures);
// Writes {"figures": [{"name", "asked", "reached", "failures"}]} atomically. Throws std::runtime_error.
void write_json(const std::vector<Figure>& figures, const std::string& path);

// Writes a file atomically. Throws std::runtime_error.
void write_whole(const std::string& path, const std::string& content);

// A further check of outcomes without failure. Returns the error, or nothing.
using Judge = std::string (*)(const RunOutcome& outcome);

// How plans are drawn.
struct Kind {
  const char* name;
  const char* about;
  Count measure;  // what a total is a number of
  RunPlan (*draw)(std::uint64_t seed, std::uint64_t run);
  Judge judge;
};
std::span<const Kind> kinds();
// REQUIRES: there is such a kind.
const Kind& kind_of(const std::string& name);

class Results {
 public:
  // `corpus`: folder for failing plans, shrunk if they fail without a judge; empty: they are not kept.
  explicit Results(std::string corpus = {}) : corpus_(std::move(corpus)) {}

  // Executes a plan. `name`: printed with a failure. With a lie, failures are expected and not printed.
  RunOutcome take(const std::string& name, const RunPlan& plan, Judge judge = nullptr, const Lie& lie = nullptr);

  Counts counts;
  std::uint64_t failures = 0;
  std::string first_failure;

 private:
  std::string corpus_;
};

struct Asked {
  std::uint64_t seed = 1;
  std::uint64_t first_run = 0;
  std::uint64_t every = 1;    // executes every n-th run, so that several processes can share the work
  std::uint64_t total = 0;    // of the kind's measure, after which no further run starts; 0: no limit
  std::uint64_t seconds = 0;  // wall time, likewise
  std::uint64_t most_failures = 5;
  std::string corpus;
  bool verbose = false;
};
Results run(const Kind& kind, const Asked& asked, const Lie& lie = nullptr);

// The totals. With `probes`, states that a long campaign of the kind reaches must have been reached.
std::vector<Figure> figures_of(const Kind& kind, const Asked& asked, const Results& results, bool probes);

// Replays stored plans, each of which must pass. `places`: files, and folders with *.json. Throws ConfigError for a file
// that is not a plan.
std::vector<Figure> replay_plans(const std::vector<std::string>& places);

// Trims of more than a page.
bool long_trim(const Request& request, const RunPlan& plan);
// A swarm that must fail, because its drives do not get long trims.
std::vector<Figure> run_canary();

// Jobs whose hashes must be equal on every machine and in every run: over the stream of completions (time, tag, status) and
// over the final state. Returns one line for each: number of the job, hash of the completions, hash of the state.
std::vector<std::string> hashes_of_jobs(std::uint64_t seed, std::uint64_t jobs);
// Runs the jobs twice in this process, once in a second process of this program, which must be ftlab-soak, and once in each
// of the other builds of it.
std::vector<Figure> compare_hashes(std::uint64_t seed, std::uint64_t jobs, const std::vector<std::string>& programs);

}  // namespace ftlab::soak
