// A procedure: ordered steps around fio jobs, as a JSON document. The document is only read here, not executed; the keys of
// each step are listed in docs/workloads.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// SNIA's rule for the steady state of rounds (Solid State Storage Performance Test Specification 2.0.2, 2020): over the last
// five rounds the range of the tracked figure is at most 20 % of its average, and the line fitted by least squares rises or
// falls by at most 10 % of that average. At most 25 rounds are run.
struct SteadyRule {
  std::size_t window = 5;
  std::uint64_t range_percent = 20;  // largest minus smallest, relative to the average
  std::uint64_t slope_percent = 10;  // excursion of the fitted line over the window, relative to the average
  std::size_t most = 25;             // maximum number of rounds
};

struct SteadyRounds {
  bool reached = false;
  std::size_t rounds = 0;       // so far
  std::size_t first_round = 0;  // first round of the window, counted from 1; 0: fewer rounds than the window
  double average = 0;           // over the window
  double range = 0;
  double slope = 0;            // slope of the fitted line, per round
  double at_first_round = 0;   // value of the fitted line at first_round
  double slope_excursion = 0;  // |slope| * (window - 1)
};

// Judges the last rounds. REQUIRES: rule.window >= 2.
SteadyRounds judge_rounds(std::span<const double> rounds, const SteadyRule& rule);

// A variable of the procedure: ${NAME} in job files, "${NAME}" for numbers of steps. `repeat` iterates over a list.
struct Variable {
  std::string name;
  std::vector<std::string> values;
  bool list = false;
  std::size_t line = 0;
};

// A number that may be written as a variable; resolved when the step is reached.
struct DeferredNumber {
  std::string text;  // digits with or without a unit, or ${NAME}
  std::string key;   // path, for messages
  std::size_t line = 0;
  std::uint64_t low = 0, high = 0;
  bool given() const { return !text.empty(); }
};

enum class StepKind : std::uint8_t {
  purge,
  precondition,
  age,
  job,
  idle,
  trim,
  snapshot,
  restore,
  power_cycle,
  repeat,
  rounds
};
const char* name_of(StepKind kind);

// Which measured row of a round decides on the steady state, and by which figure.
struct Track {
  enum class Figure : std::uint8_t { iops, mb_per_s, latency_mean };
  Figure figure = Figure::iops;
  std::string step;                                        // name of the step; empty: any
  std::vector<std::pair<std::string, std::string>> where;  // values of variables
  std::size_t line = 0;
};

struct Step {
  StepKind kind = StepKind::job;
  std::string name;
  std::string path;  // in the document, for messages
  std::size_t line = 0;

  bool new_drive = false;                     // purge: replaces the drive by a new one; false: trims the whole drive
  bool random = false;                        // precondition, age: the pattern
  DeferredNumber times, block_bytes, depth;   // precondition, age: capacities written, block size, queue depth
  bool counted = false;                       // age: by counting instead of by requests
  std::string state;                          // age: one of --precondition instead of a pattern; else empty
  std::string file;                           // job, precondition: a job file, relative to the procedure's folder;
  std::vector<std::string> lines;             // or the lines of one job
  bool measured = true;                       // job: it has a row in procedure.csv
  bool keep = true;                           // job: keeps its whole result in a folder; false: only its row and its figures
  DeferredNumber seed;                        // job: runs with the same seed are identical; not given: each run differs
  DeferredNumber milliseconds;                // idle
  DeferredNumber offset_bytes, length_bytes;  // trim; no length: to the end
  std::vector<std::string> over;              // repeat: lists to iterate over, the first outermost
  DeferredNumber replicates;                  // repeat
  SteadyRule rule;                            // rounds
  Track track;
  std::vector<Step> steps;  // repeat, rounds
};

struct Procedure {
  std::string file;
  std::string name;
  std::vector<Variable> variables;
  std::vector<std::pair<std::string, std::string>> report;  // fields of the report's header, as written
  std::vector<Step> steps;
};

// True if a document is meant as a procedure, not as a drive.
bool is_procedure(const Node& document);

// Reads and checks a procedure. `settings` are "NAME=VALUE", or "NAME=A,B,C" for a list, and override the document's
// variables. Throws ConfigError.
Procedure read_procedure(const Node& document, const std::vector<std::string>& settings);

}  // namespace ftlab
