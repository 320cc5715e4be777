// ftlab compare A B: compares two measurements, each simulated, measured or published.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bindings/cli/commands.h"
#include "sim/config/names.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "validation/compare/comparison.h"
#include "validation/results/result_folder.h"
#include "validation/run/open_device.h"
#include "validation/run/options.h"

namespace ftlab {
namespace {

struct CompareWords {
  std::string a, b;
  std::vector<std::string> quantities, tolerances, rw;
  std::string direction, depth, block_bytes, jobs, grid;
  std::string out;
  std::string host;
  bool replace = false;
  bool json = false;
};

std::optional<Direction> direction_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return static_cast<Direction>(index_of_name({"--direction", 0}, "", "is none", name, {"read", "write", "trim"}));
}

NumberRange range_of(const std::string& text, const char* option) {
  return text.empty() ? NumberRange{} : parse_number_range(text, option);
}

Selection selection_of(const CompareWords& words) {
  Selection selection;
  selection.direction = direction_named(words.direction);
  for (const std::string& rw : words.rw) selection.rw.push_back(parse_access(rw, "--rw"));
  selection.depth = range_of(words.depth, "--depth");
  selection.block_bytes = range_of(words.block_bytes, "--bs");
  selection.jobs = range_of(words.jobs, "--jobs");
  return selection;
}

std::optional<double> grid_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto seconds = parsed<double>(text);
  if (!seconds || !(*seconds >= 1e-6 && *seconds <= 1e6))
    throw ConfigError({"--grid", 0}, "", "is not a number of seconds in range", text, "0.000001 to 1000000");
  return seconds;
}

CompareOptions options_of(const CompareWords& words) {
  CompareOptions options;
  for (const std::string& name : words.quantities) options.metrics.push_back(metric_named(name, "--quantity"));
  options.step_s = grid_of(words.grid);
  if (!words.host.empty()) options.host = load_host(words.host).find("name")->text;
  options.tolerances = Tolerances(words.tolerances);
  return options;
}

void keep(const Comparison& comparison, const std::string& json, ResultFolder folder) {
  folder.write("comparison.json", json);
  folder.write("comparison.csv", comparison_csv(comparison));
  folder.write("curves.csv", curves_csv(comparison));
  folder.commit();
}

// File names need not be UTF-8, but JSON must be.
constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;

int run_compare(const CompareWords& words) {
  const CompareOptions options = options_of(words);
  const Selection selection = selection_of(words);
  Measurement a = read_measurement(words.a), b = read_measurement(words.b);
  select(selection, a);
  select(selection, b);
  const Comparison comparison = compare(a, b, options);
  const std::string json = comparison_json(comparison).dump(2, ' ', false, kReplace) + "\n";
  if (!words.out.empty()) keep(comparison, json, ResultFolder(words.out, words.replace));
  std::fputs(words.json ? json.c_str() : comparison_text(comparison).c_str(), stdout);
  if (!words.out.empty() && !words.json) std::printf("  result: %s\n", words.out.c_str());
  return comparison.within() ? kDone : kResultFailed;
}

void add_options(CLI::App& command, CompareWords& words) {
  command.add_option("A", words.a, "result to judge")->required();
  command.add_option("B", words.b, "reference result")->required();
  add_repeated(command, "--tolerance", words.tolerances,
               "[WHAT:]median=5%, [WHAT:]p95=15%, MEASURE=10%, with commas between; repeatable");
  add_repeated(command, "--quantity", words.quantities,
               "only this quantity: iops, bytes_per_s, latency_mean_ns, latency_ns_p99 (any percentile); repeatable");
  command.add_option("--direction", words.direction, "only read, write or trim");
  add_repeated(command, "--rw", words.rw, "only this kind of access, e.g. randread; repeatable");
  command.add_option("--bs", words.block_bytes, "only these block sizes: 4k, or 4k-64k");
  command.add_option("--depth", words.depth, "only these queue depths: 32, or 1-32");
  command.add_option("--jobs", words.jobs, "only these numbers of jobs");
  command.add_option("--grid", words.grid, "seconds of a grid cell when curves over time are compared");
  command.add_option(
      "--host", words.host,
      "the host that the measured one was made on, of the library (see ftlab hosts) or a host file: a simulation "
      "on another is named as not comparable");
  command.add_option("--out", words.out, "write comparison.json, comparison.csv and curves.csv to this folder");
  command.add_flag("--replace", words.replace, "replace an earlier comparison in --out");
  command.add_flag("--json", words.json, "print JSON");
}

constexpr const char* kFooter =
    "A and B: a result folder of ftlab run or ftlab-measure, fio's JSON or logs (a file or a folder of them), or a figure "
    "file\n"
    "(validation/measured). Points are matched by rw, mix, block size, depth, jobs and direction; labels tell equal ones "
    "apart.\n"
    "Every error is A / B - 1. Rates and mean latencies are judged: median of the absolute errors within 5 %, 95th "
    "percentile\n"
    "within 15 %, of points and of rates over time. Percentiles are judged when --quantity or --tolerance names them, "
    "shapes\n"
    "when --tolerance does: fall_time, fall_depth, steady_level, swing, knee, end_ratio (validation/compare/shape.h). WHAT "
    "is "
    "a\n"
    "quantity or series; `any` instead of a percentage removes a limit.\n"
    "Two simulations of different drives are two designs: rows say which is better and by how much, and nothing is judged "
    "unless\n"
    "--tolerance is given. Reasons why two runs are not comparable precede the figures.\n"
    "Exit status: 0 within the tolerances or nothing to judge, 4 not within them, 2 refused.";

}  // namespace

void add_compare(CLI::App& app, Session& session) {
  const auto words = std::make_shared<CompareWords>();
  CLI::App* const command = app.add_subcommand("compare", "compare two results: simulated, measured or published");
  add_options(*command, *words);
  command->footer(kFooter);
  when_chosen(*command, session, [words] { return run_compare(*words); });
}

}  // namespace ftlab
