#include "validation/compare/comparability.h"

#include <algorithm>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"

namespace ftlab {
namespace {

// A run that is not yet steady can be compared with another in the same state.
constexpr std::string_view kComparable[] = {"not_steady", "not_written_over", "unusual_value"};
constexpr double kSizeRatio = 2;
constexpr std::size_t kSentence = 300;  // characters shown of a sentence from a result file

std::string gigabytes(std::uint64_t bytes) { return fmt::format("{:.4g} GB", static_cast<double>(bytes) / 1e9); }

void add_own(char side, const Measurement& measurement, std::vector<std::string>& found) {
  if (measurement.buffered)
    found.push_back(
        fmt::format("{} ran through the page cache (direct=0): its latencies are those of memory; measure with "
                    "direct=1",
                    side));
  if (!measurement.facts) return;
  const RunFacts& facts = *measurement.facts;
  if (!facts.ended_because.empty()) found.push_back(fmt::format("{} is incomplete: {}", side, facts.ended_because));
  if (facts.untimed) found.push_back(fmt::format("{} ran --untimed: it has no rates and no latencies", side));
  for (const RunFacts::Problem& problem : facts.problems) {
    if (std::find(std::begin(kComparable), std::end(kComparable), problem.code) != std::end(kComparable)) continue;
    found.push_back(fmt::format("{}: {}: {}; {}", side, printable(problem.code), printable(problem.text, kSentence),
                                printable(problem.remedy, kSentence)));
  }
}

void add_sizes(const Measurement& a, const Measurement& b, std::vector<std::string>& found) {
  if (a.capacity_bytes == 0 || b.capacity_bytes == 0) return;
  const auto ratio = static_cast<double>(std::max(a.capacity_bytes, b.capacity_bytes)) /
                     static_cast<double>(std::min(a.capacity_bytes, b.capacity_bytes));
  if (ratio < kSizeRatio) return;
  found.push_back(
      fmt::format("A has {} and B {}: random requests go over different ranges; give both the same size= in bytes, or "
                  "simulate a drive of the other's size",
                  gigabytes(a.capacity_bytes), gigabytes(b.capacity_bytes)));
}

void add_steadiness(const RunFacts& a, const RunFacts& b, std::vector<std::string>& found) {
  if (!a.wa || !b.wa || !a.wa->at_end || !b.wa->at_end || a.wa->steady == b.wa->steady) return;
  const RunFacts::WriteAmplification& other = a.wa->steady ? *b.wa : *a.wa;
  found.push_back(fmt::format("{} is steady and {} is not ({}); run both longer, or with --until-steady",
                              a.wa->steady ? 'A' : 'B', a.wa->steady ? 'B' : 'A', other.why_not_steady));
}

void add_host(char side, const Measurement& measurement, const std::string& host, std::vector<std::string>& found) {
  if (host.empty() || !measurement.facts || measurement.facts->host.empty() || measurement.facts->host == host) return;
  found.push_back(
      fmt::format("{} was simulated on the host \"{}\" and the measurement made on \"{}\"; simulate with that --host", side,
                  measurement.facts->host, host));
}

}  // namespace

std::vector<std::string> obstacles(const Measurement& a, const Measurement& b, const std::string& host) {
  std::vector<std::string> found;
  add_host('A', a, host, found);
  add_host('B', b, host, found);
  add_own('A', a, found);
  add_own('B', b, found);
  add_sizes(a, b, found);
  if (!a.facts || !b.facts) return found;
  add_steadiness(*a.facts, *b.facts, found);
  return found;
}

bool are_two_designs(const Measurement& a, const Measurement& b) {
  return a.facts && b.facts && a.facts->simulated && b.facts->simulated && !a.facts->drive.empty() &&
         !b.facts->drive.empty() && a.facts->drive != b.facts->drive;
}

std::vector<DesignRow> design_rows(const Measurement& a, const Measurement& b) {
  std::vector<DesignRow> rows;
  if (!a.facts || !b.facts) return rows;
  const auto add = [&rows](const char* name, const std::optional<double>& of_a, const std::optional<double>& of_b,
                           bool less_is_better = true, double unit = 1) {
    if (of_a && of_b) rows.push_back({name, *of_a / unit, *of_b / unit, less_is_better});
  };
  const auto whole = [](const Measurement& m) { return m.facts->wa ? std::optional(m.facts->wa->whole_run) : std::nullopt; };
  const auto at_end = [](const Measurement& m) { return m.facts->wa ? m.facts->wa->at_end : std::nullopt; };
  add("write amplification at the end", at_end(a), at_end(b));
  add("write amplification since the beginning", whole(a), whole(b));
  add("blocks erased by the run", a.facts->blocks_erased, b.facts->blocks_erased);
  add("erases per block, mean", a.facts->erases_per_block, b.facts->erases_per_block);
  add("life in host writes, TB", a.facts->tbw_bytes, b.facts->tbw_bytes, false, 1e12);
  return rows;
}

}  // namespace ftlab
