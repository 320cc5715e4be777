// ftlab-bench: measures the speed of the simulator. Prints a table or JSON, or compares two builds.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "validation/benchmarks/bench.h"

namespace {

using namespace ftlab;

// Two builds of the benchmarks, compared.
struct BuildComparison {
  std::string name;
  double here = 0, there = 0;  // medians
  double speed = 0;            // this build's over the other's; above 1: faster
  bool slower = false;         // by more than most_lost
};

struct AgainstOptions {
  std::string other;                  // benchmark program of the other build
  std::vector<std::string> sections;  // empty: all
  bool small = false;
  unsigned pairs = 5;       // runs of each program, alternating
  double most_lost = 0.05;  // largest accepted loss of speed, as a share
};

using Values = std::map<std::string, nlohmann::json>;

std::string quoted(const std::string& text) {
  std::string whole = "'";
  for (const char c : text) whole += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return whole + "'";
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  char piece[4096];
  for (std::size_t got; (got = std::fread(piece, 1, sizeof piece, pipe.get())) > 0;) text.append(piece, got);
  return text;
}

Values run(const std::string& program, const AgainstOptions& options) {
  std::string command = quoted(program) + " --json" + (options.small ? " --small" : "");
  for (const std::string& section : options.sections) command += " --only " + quoted(section);
  const nlohmann::json rows = nlohmann::json::parse(output_of(command), nullptr, false);
  if (!rows.is_array()) throw std::runtime_error(program + " printed no rows of benchmarks");
  Values values;
  for (const nlohmann::json& row : rows) {
    if (row.value("compared", true)) values[row.at("name")] = row;
  }
  return values;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct Row {
  std::vector<double> here, there, speed;
};

// Runs both programs alternately and compares, row by row, the median of the ratios of neighbouring runs: a disturbance that
// outlasts a run affects both. Throws std::runtime_error if a program fails or they have no row in common.
std::vector<BuildComparison> compare_builds(const std::string& own, const AgainstOptions& options) {
  std::vector<std::string> names;
  std::map<std::string, Row> rows;
  for (unsigned pair = 0; pair < options.pairs; ++pair) {
    const bool own_first = pair % 2 == 0;
    const Values first = run(own_first ? own : options.other, options);
    const Values second = run(own_first ? options.other : own, options);
    const Values& here = own_first ? first : second;
    const Values& there = own_first ? second : first;
    for (const auto& [name, row] : here) {
      const auto other = there.find(name);
      if (other == there.end()) continue;
      const double mine = row.at("value"), theirs = other->second.at("value");
      rows[name].here.push_back(mine);
      rows[name].there.push_back(theirs);
      rows[name].speed.push_back(row.at("at_most") ? theirs / mine : mine / theirs);
    }
  }
  if (rows.empty()) throw std::runtime_error(own + " and " + options.other + " have no benchmark in common");
  std::vector<BuildComparison> all;
  for (const auto& [name, row] : rows) {
    const double speed = median(row.speed);
    all.push_back({name, median(row.here), median(row.there), speed, speed < 1 - options.most_lost});
  }
  return all;
}

void print_heading() {
  std::printf("%-53s %10s %-16s %-10s %s\n", "work (CPU time of one core, unless said)", "measured", "", "asked",
              "share of the memory's limit");
}

void print(const BenchRow& row) {
  std::printf("%-53s %10.3f %-16s", row.name.c_str(), row.value, row.unit.c_str());
  char asked[32] = "";
  if (row.asked > 0) std::snprintf(asked, sizeof asked, "%s %.4g", row.at_most ? "<=" : ">=", row.asked);
  std::printf(" %-10s", asked);
  if (row.limit > 0) std::printf(" %.0f %% of %.1f", 100 * row.value / row.limit, row.limit);
  std::printf("\n");
  std::fflush(stdout);
}

nlohmann::ordered_json json_of(const BenchRow& row) {
  return {{"name", row.name},       {"value", row.value}, {"unit", row.unit},        {"asked", row.asked},
          {"at_most", row.at_most}, {"limit", row.limit}, {"compared", row.compared}};
}

int compare(const std::string& own, const AgainstOptions& options) {
  std::printf("%-53s %10s %10s %s\n", "work", "this build", "the other", "speed");
  bool slower = false;
  for (const BuildComparison& row : compare_builds(own, options)) {
    std::printf("%-53s %10.3f %10.3f %.3f%s\n", row.name.c_str(), row.here, row.there, row.speed,
                row.slower ? "  SLOWER" : "");
    slower = slower || row.slower;
  }
  return slower ? 1 : 0;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const BenchSection& section : bench_sections()) names.emplace_back(section.name);
  return names;
}

std::string explained() {
  std::string text = "\nSections:\n";
  for (const BenchSection& section : bench_sections()) {
    text +=
        "  " + std::string(section.name) + std::string(12 - section.name.size(), ' ') + std::string(section.about) + "\n";
  }
  return text + "\nExit status: 0 done, 1 slower than the other build by more than is allowed, 2 refused.\n";
}

int run_sections(const std::vector<std::string>& wanted, bool small, bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!json) print_heading();
  for (const BenchSection& section : bench_sections()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), section.name) == wanted.end()) continue;
    for (BenchRow& row : section.run(small)) {
      if (small) row.asked = 0;  // targets hold for the large drives
      if (json) {
        all.push_back(json_of(row));
      } else {
        print(row);
      }
    }
  }
  if (json) std::printf("%s\n", all.dump(2).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"ftlab-bench: the speed of the simulator"};
  bool json = false;
  AgainstOptions options;
  double most_lost_percent = 5;
  app.footer(explained());
  app.add_flag("--small", options.small, "a drive of 512 MiB instead of 64 GiB, for tests");
  app.add_flag("--json", json, "print JSON instead of the table");
  app.add_option("--only", options.sections, "run these sections only")->check(CLI::IsMember(section_names()));
  auto* const against =
      app.add_option("--against", options.other, "compare this build with another build's ftlab-bench, run in turn")
          ->check(CLI::ExistingFile);
  app.add_option("--pairs", options.pairs, "number of runs of each")
      ->needs(against)
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--most-lost", most_lost_percent, "percent of the speed that may be lost")
      ->needs(against)
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& refused) {
    return app.exit(refused) == 0 ? 0 : 2;
  }
  options.most_lost = most_lost_percent / 100;
  try {
    return options.other.empty() ? run_sections(options.sections, options.small, json)
                                 : compare(std::filesystem::read_symlink("/proc/self/exe"), options);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "ftlab-bench: %s\n", failed.what());
    return 2;
  }
}
