// ftlab-bench: how fast is it? Prints a table, or JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "validation/benchmarks/bench.h"

namespace {

void print_table(const std::vector<ftlab::BenchRow>& rows) {
  std::printf("%-52s %10s %-24s %s\n", "work (CPU time of one core)", "measured", "", "asked");
  for (const ftlab::BenchRow& row : rows) {
    std::printf("%-52s %10.3f %-24s", row.name.c_str(), row.value, row.unit.c_str());
    if (row.floor > 0) std::printf(" %s %g", row.at_most ? "<=" : ">=", row.floor);
    std::printf("\n");
  }
}

void print_json(const std::vector<ftlab::BenchRow>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ftlab::BenchRow& row : rows) {
    all.push_back(
        {{"name", row.name}, {"value", row.value}, {"unit", row.unit}, {"asked", row.floor}, {"at_most", row.at_most}});
  }
  std::printf("%s\n", all.dump(2).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"ftlab-bench: the speed of the simulator"};
  bool small = false;
  bool json = false;
  app.add_flag("--small", small, "a drive of 512 MiB instead of 64 GiB, for tests");
  app.add_flag("--json", json, "print JSON instead of the table");
  CLI11_PARSE(app, argc, argv);
  const std::vector<ftlab::BenchRow> rows = ftlab::run_benchmarks(small);
  if (json) {
    print_json(rows);
  } else {
    print_table(rows);
  }
}
