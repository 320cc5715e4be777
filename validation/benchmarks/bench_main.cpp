// ftlab-bench: measures the speed of the simulator. Prints a table or JSON, or compares two builds.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "validation/benchmarks/against.h"
#include "validation/benchmarks/bench.h"

namespace {

using namespace ftlab;

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
