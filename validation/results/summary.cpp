#include "validation/results/summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "sim/stats/fio/report_group.h"
#include "validation/results/health/endurance.h"
#include "validation/results/run_problems.h"

namespace ftlab {
namespace {

constexpr std::size_t kChartColumns = 80;
constexpr std::size_t kChartRows = 12;

double mb_per_s(const SeriesRow& row) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t of_direction : row.bytes) bytes += of_direction;
  return row.length.count() == 0 ? 0.0 : static_cast<double>(bytes) * 1e3 / static_cast<double>(row.length.count());
}

// One column of the chart covers several intervals: their lowest, mean and highest value.
struct ChartColumn {
  double low = 0, mean = 0, high = 0;
};

std::vector<ChartColumn> columns_of(const std::vector<SeriesRow>& series) {
  const std::size_t count = std::min(kChartColumns, series.size());
  std::vector<ChartColumn> columns(count);
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t first = c * series.size() / count;
    const std::size_t end = (c + 1) * series.size() / count;
    ChartColumn& column = columns[c];
    column.low = mb_per_s(series[first]);
    for (std::size_t i = first; i < end; ++i) {
      const double value = mb_per_s(series[i]);
      column.low = std::min(column.low, value);
      column.high = std::max(column.high, value);
      column.mean += value / static_cast<double>(end - first);
    }
  }
  return columns;
}

// 1, 2 or 5 times a power of ten, at or above `value`.
double round_scale(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-3))));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value) return step * power;
  }
  return 10 * power;
}

// '#' where the column's mean lies in this row, '|' where its range does.
const char* mark(const ChartColumn& column, double bottom, double top) {
  if (column.mean >= bottom && column.mean < top) return "#";
  return column.low < top && column.high >= bottom ? "|" : " ";
}

// In minutes, seconds or milliseconds: the largest unit that gives ten or more.
std::string duration(Nanoseconds time) {
  const auto ns = static_cast<double>(time.count());
  if (ns >= 600e9) return fmt::format("{:.0f} min", ns / 60e9);
  return ns >= 10e9 ? fmt::format("{:.0f} s", ns / 1e9) : fmt::format("{:.0f} ms", ns / 1e6);
}

std::string line(const std::string& name, const std::string& value) { return fmt::format("  {:<24}{}\n", name, value); }

// As in fio: jobs joined by group_reporting are one line, added up.
std::string name_in_table(const ReportGroup& group) {
  const std::string count = group.jobs > 1 ? fmt::format(", {} jobs", group.jobs) : "";
  return group.first->name.substr(0, 23 - count.size()) + count;
}

std::string direction_line(const DirectionReport& direction) {
  const double seconds = static_cast<double>(direction.runtime.count()) / 1e9;
  if (seconds <= 0)  // no clock
    return fmt::format("{:>10} {:>10} {:>11} {:>11} {:>11}\n", "-", "-", "-", "-", "-");
  const Histogram& latency = direction.latency;
  const std::uint64_t p99 = std::min(latency.percentile_ns(99), latency.max_ns());  // a bin's middle may exceed the maximum
  return fmt::format("{:>10.2f} {:>10.0f} {:>11.1f} {:>11.1f} {:>11.1f}\n",
                     static_cast<double>(direction.bytes) / seconds / 1e6, static_cast<double>(direction.requests) / seconds,
                     latency.mean_ns() / 1e3, static_cast<double>(p99) / 1e3, static_cast<double>(latency.max_ns()) / 1e3);
}

std::string direction_lines(const RunStats& stats) {
  static constexpr const char* kNames[] = {"read", "write", "trim"};
  std::string text;
  for (const ReportGroup& group : report_groups(stats)) {
    for (std::size_t d = 0; d < kDirectionCount; ++d) {
      if (group.directions[d].requests == 0) continue;
      text += fmt::format("  {:<24}{:<6}", name_in_table(group), kNames[d]) + direction_line(group.directions[d]);
    }
  }
  return text;
}

std::string wa_line(const nlohmann::ordered_json& wa) {
  std::string parts;
  for (const auto& [name, value] : wa.items()) {
    if (name != "total" && value.get<double>() > 0)
      parts += fmt::format("{}{} {:.3f}", parts.empty() ? "" : " + ", name, value.get<double>());
  }
  return fmt::format("{:.3f}{}", wa["total"].get<double>(), parts.empty() ? "" : " = " + parts);
}

// Time range of the final window; without a clock, the range of host bytes written.
std::string window_text(const nlohmann::ordered_json& at_end) {
  const double from = at_end["from_s"].get<double>(), to = at_end["to_s"].get<double>();
  if (to > from) return fmt::format("{:.4g} to {:.4g} s", from, to);
  return fmt::format("{:.4g} to {:.4g} GB written", at_end["from_bytes"].get<double>() / 1e9,
                     at_end["to_bytes"].get<double>() / 1e9);
}

std::string wa_lines(const nlohmann::ordered_json& wa, const nlohmann::ordered_json& at_end) {
  const std::string since_beginning = line("  since the beginning", wa_line(wa));
  if (at_end.is_null()) return line("write amplification", "") + since_beginning;
  std::string text = fmt::format("{:.3f}", at_end["total"].get<double>());
  if (!at_end["half_width_95"].is_null()) text += fmt::format(" +- {:.3f}", at_end["half_width_95"].get<double>());
  text += " at the end, " + window_text(at_end);
  const bool steady = at_end["steady"].get<bool>();
  text += steady ? "; steady" : "; not steady: " + at_end["why_not_steady"].get<std::string>();
  return line("write amplification", text) + since_beginning;
}

// Rows of the table of jobs. Empty if the window is the whole run.
std::string rates_at_end_lines(const nlohmann::ordered_json& rates) {
  if (rates.is_null() || rates["from_s"].get<double>() <= 0) return "";
  std::string text;
  for (const char* direction : {"read", "write", "trim"}) {
    if (!rates.contains(direction)) continue;
    const auto& of = rates[direction];
    text += fmt::format("  {:<24}{:<6}{:>10.2f} {:>10.0f}   from {}\n", "at the end", direction,
                        of["bytes_per_s"].get<double>() / 1e6, of["iops"].get<double>(),
                        fmt::format("{:.4g} to {:.4g} s", rates["from_s"].get<double>(), rates["to_s"].get<double>()));
  }
  if (!rates["iops_half_width_95"].is_null())
    text.insert(text.size() - 1, fmt::format("; IOPS +- {:.2g}", rates["iops_half_width_95"].get<double>()));
  return text;
}

std::string problem_lines(const Result& result) {
  if (result.problems.empty()) return "";
  std::string text = "  PROBLEMS of these figures:\n";
  for (const Problem& problem : result.problems) text += "    " + problem_line(problem) + "\n";
  return text + "\n";
}

// The statistics that `nvme fdp stats` shows.
std::string placement_line(const nlohmann::ordered_json& health) {
  const auto count = [&](const char* key) { return health[key].get<std::uint64_t>(); };
  if (count("placement_handles") == 0) return "";
  const auto numbered = [](std::uint64_t number, const char* noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
  };
  const auto gigabytes = [&](const char* key) { return static_cast<double>(count(key)) / 1e9; };
  const std::string groups =
      count("reclaim_groups") < 2 ? "" : " in each of " + numbered(count("reclaim_groups"), "reclaim group");
  return line("placement",
              fmt::format("{}{}, {} opened since power-on; GB since new: host {:.4g}, media {:.4g}, erased {:.4g}",
                          numbered(count("placement_handles"), "handle"), groups,
                          numbered(count("reclaim_units_opened"), "reclaim unit"), gigabytes("host_write_bytes"),
                          gigabytes("media_write_bytes"), gigabytes("media_erase_bytes")));
}

std::string wear_line(const nlohmann::ordered_json& erases) {
  return fmt::format("min {}, mean {:.2f}, max {}, deviation {:.2f} ({} blocks)",
                     erases["per_block_min"].get<std::uint64_t>(), erases["per_block_mean"].get<double>(),
                     erases["per_block_max"].get<std::uint64_t>(), erases["per_block_stddev"].get<double>(),
                     erases["blocks"].get<std::uint64_t>());
}

// Covers the drive's whole life.
std::string endurance_lines(const nlohmann::ordered_json& e) {
  std::string text = life_text(life_of(e));
  if (e["bad_blocks"].get<std::uint64_t>() > 0) {
    text +=
        line("bad blocks", fmt::format("{} ({} from the factory), {} spare; {} superblocks left, {} needed",
                                       e["bad_blocks"].get<std::uint64_t>(), e["bad_blocks_factory"].get<std::uint64_t>(),
                                       e["spare_blocks"].get<std::uint64_t>(), e["superblocks_usable"].get<std::uint64_t>(),
                                       e["superblocks_needed"].get<std::uint64_t>()));
  }
  return text;
}

// Empty for drives without deduplication.
std::string sharing_line(const nlohmann::ordered_json& traffic) {
  const auto count = [&traffic](const char* name) { return traffic[name].get<std::uint64_t>(); };
  if (count("unique_bytes") == 0) return {};
  const auto written = static_cast<double>(std::max<std::uint64_t>(count("host_write_bytes"), 1));
  return line("deduplicated",
              fmt::format("{:.1f} % of what was written; {} MiB mapped are {} MiB of contents; table {} KiB, {} forgotten",
                          100 * static_cast<double>(count("deduplicated_bytes")) / written, count("mapped_bytes") >> 20,
                          count("unique_bytes") >> 20, count("fingerprint_bytes") >> 10, count("forgotten_fingerprints")));
}

// Empty for conventional drives.
std::string zones_line(const nlohmann::ordered_json& traffic) {
  const auto count = [&traffic](const char* name) { return traffic[name].get<std::uint64_t>(); };
  if (count("zone_resets") + count("zone_finishes") == 0) return {};
  return line("zones",
              fmt::format("{} reset, {} finished before they were full", count("zone_resets"), count("zone_finishes")));
}

std::string flash_lines(const nlohmann::ordered_json& f) {
  return sharing_line(f["traffic"]) + zones_line(f["traffic"]) + line("erases per block", wear_line(f["erases"])) +
         endurance_lines(f["endurance"]) +
         line("free superblocks", fmt::format("{} of {}", f["free"]["superblocks_free"].get<std::uint64_t>(),
                                              f["free"]["superblocks"].get<std::uint64_t>()));
}

std::string disk_lines(const nlohmann::ordered_json& d) {
  return line("disk", fmt::format("{} moves of the arm, {} revolutions lost, {} reads from RAM, {} KiB wait to be written",
                                  d["arm_moves"].get<std::uint64_t>(), d["lost_revolutions"].get<std::uint64_t>(),
                                  d["read_cache_hits"].get<std::uint64_t>(), d["cached_bytes"].get<std::uint64_t>() >> 10));
}

// Empty for job files without stonewalls.
std::string phase_lines(const nlohmann::ordered_json& phases) {
  std::string text;
  if (phases.size() < 2) return text;
  for (const auto& phase : phases) {
    std::string jobs;
    for (const auto& job : phase["jobs"]) jobs += (jobs.empty() ? "" : ", ") + job.get<std::string>();
    if (!phase["watts"].is_null()) text += line("", fmt::format("{:.3f} W in {}", phase["watts"].get<double>(), jobs));
  }
  return text;
}

// REQUIRES: the drive has a power model.
std::string energy_lines(const nlohmann::ordered_json& energy) {
  const double total = energy["joules"].get<double>();
  std::string mean = fmt::format("{:.4g} J", total);
  if (!energy["watts"].is_null()) mean = fmt::format("{:.3f} W on average, ", energy["watts"].get<double>()) + mean;
  if (!energy["joules_per_host_gb"].is_null())
    mean += fmt::format(", {:.4g} J for each GB of the host", energy["joules_per_host_gb"].get<double>());
  std::string parts;
  for (const auto& [name, pj] : energy["parts_pj"].items()) {
    const double share = total > 0 ? pj.get<double>() / 1e12 / total : 0;
    if (share > 0) parts += fmt::format("{}{} {:.1f} %", parts.empty() ? "" : ", ", name, 100 * share);
  }
  return line("power", mean) + phase_lines(energy["phases"]) + (parts.empty() ? "" : line("energy by part", parts));
}

// Empty unless a trace recorded how long its requests took.
std::string response_lines(const nlohmann::ordered_json& f) {
  std::string text;
  if (!f.contains("trace") || !f["trace"].contains("response_times")) return text;
  for (const auto& [direction, times] : f["trace"]["response_times"].items()) {
    const auto us = [](const nlohmann::ordered_json& of) {
      return fmt::format("p50 {:.1f}, p99 {:.1f} us", of["p50_ns"].get<double>() / 1e3, of["p99_ns"].get<double>() / 1e3);
    };
    std::string shown = "recorded " + us(times["recorded"]);
    const auto& by = times["simulated_by_recorded"];
    if (!times["simulated"].is_null()) shown += "; simulated " + us(times["simulated"]);
    if (!by["p50"].is_null() && !by["p99"].is_null())
      shown += fmt::format(", {:.3g} and {:.3g} of that", by["p50"].get<double>(), by["p99"].get<double>());
    text += line("response of " + direction + "s", shown);
  }
  return text;
}

}  // namespace

std::string throughput_chart(const RunStats& stats) {
  std::vector<SeriesRow> series = stats.series;
  // Requests outstanding at the end of the runtime form a last interval of milliseconds with a meaningless rate.
  if (series.size() > 1 && series.back().length < series.front().length / 2) series.pop_back();
  if (series.size() < 2 || series.front().length.count() == 0) return {};
  const std::vector<ChartColumn> columns = columns_of(series);
  double highest = 0;
  for (const ChartColumn& column : columns) highest = std::max(highest, column.high);
  const double scale = round_scale(highest);
  std::string text = "MB/s (# mean, | range within a column)\n";
  for (std::size_t row = kChartRows; row-- > 0;) {
    const double bottom = scale * static_cast<double>(row) / kChartRows;
    const double top = scale * static_cast<double>(row + 1) / kChartRows;
    const bool labelled = row % 3 == 2;
    text += labelled ? fmt::format("{:>8.4g} |", top) : "         |";
    for (const ChartColumn& column : columns) text += mark(column, bottom, top);
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  text += fmt::format("       0 +{}\n", std::string(columns.size(), '-'));
  const std::string end = duration(series.back().end);
  text += fmt::format("          0{:>{}}\n", end, std::max(columns.size() - 1, end.size() + 1));  // space after the 0
  return text;
}

std::string job_table(const RunStats& stats) {
  const std::string lines = direction_lines(stats);
  if (lines.empty()) return "  no request was carried out\n";
  return fmt::format("  {:<24}{:<6}{:>10} {:>10} {:>11} {:>11} {:>11}\n", "job, since the beginning", "", "MB/s", "IOPS",
                     "mean us", "p99 us", "max us") +
         lines;
}

std::string summary(const Result& result, const RunStats& stats, const std::string& out) {
  const auto& f = result.ftlab;
  const double wall = f["simulator"]["wall_s"].get<double>();
  std::string text = throughput_chart(stats) + "\n";
  if (!f["complete"].get<bool>()) text = "INCOMPLETE: " + f["ended_because"].get<std::string>() + "\n\n" + text;
  text += problem_lines(result) + job_table(stats) + rates_at_end_lines(f.value("rates_at_end", nlohmann::ordered_json())) +
          "\n";
  text += response_lines(f) + line("drive", f["drive"]["name"].get<std::string>());
  if (f.contains("disk")) text += disk_lines(f["disk"]);
  if (f["traffic"]["host_write_bytes"].get<std::uint64_t>() > 0 && f.contains("erases"))
    text += wa_lines(f["wa"], f["wa_at_end"]);
  if (f.contains("erases")) text += flash_lines(f);
  if (f.contains("health")) text += placement_line(f["health"]);
  if (f.contains("energy")) text += energy_lines(f["energy"]);
  if (stats.verify) {
    const VerifyStats& v = *stats.verify;
    text += line("verified", fmt::format("{} reads, {} pages; {}", v.reads, v.granules,
                                         v.mismatches == 0 ? "no mismatch" : fmt::format("{} MISMATCHES", v.mismatches)));
  }
  const std::uint64_t unmapped = f["traffic"]["unmapped_read_pages"].get<std::uint64_t>();
  if (unmapped > 0) text += line("reads of empty space", fmt::format("{} pages, answered without touching flash", unmapped));
  text += line("simulator",
               fmt::format("{:.1f} simulated s in {:.2f} s; {:.2f} M host requests/s, {:.2f} M media operations/s, {} MiB",
                           f["simulated_s"].get<double>(), wall, f["simulator"]["host_ios_per_wall_s"].get<double>() / 1e6,
                           f["simulator"]["media_ops_per_wall_s"].get<double>() / 1e6,
                           f["simulator"]["peak_rss_bytes"].get<std::uint64_t>() >> 20));
  text += line("signature", f["signature"].get<std::string>());
  text += line("result", out);
  return text;
}

std::string steady_summary(const SteadyWatch& watch) {
  const SteadyWatch::Verdict verdict = watch.verdict();
  if (!verdict.reached) return line("steady state", "not reached: " + verdict.why_not);
  std::string text;
  if (verdict.iops.measured)
    text = fmt::format("reached after {:.1f} s, steady from {:.1f} s: {:.1f} +- {:.1f} IOPS",
                       static_cast<double>(verdict.at.count()) / 1e9, static_cast<double>(verdict.from.count()) / 1e9,
                       verdict.iops.mean, verdict.iops.half_width);
  else
    text = fmt::format("reached after {:.4g} GB written, steady from {:.4g} GB", static_cast<double>(verdict.at_bytes) / 1e9,
                       static_cast<double>(verdict.from_bytes) / 1e9);
  if (verdict.wa.measured) text += fmt::format(", WA {:.4f} +- {:.4f}", verdict.wa.mean, verdict.wa.half_width);
  return line("steady state", text);
}

}  // namespace ftlab
