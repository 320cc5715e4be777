#include "validation/results/result.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include "sim/core/signature.h"
#include "sim/counters.h"
#include "validation/results/result_parts.h"
#include "validation/results/run_problems.h"
#include "validation/results/summary.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

// The jobs of all parts with their statistics, as one run. Groups of different drives stay apart.
struct JoinedRun {
  std::vector<Job> jobs;
  RunStats stats;

  explicit JoinedRun(const std::vector<DrivePart>& parts) {
    std::size_t groups = 0, report_groups = 0;
    for (const DrivePart& part : parts) {
      std::size_t next_group = groups, next_report_group = report_groups;
      for (const JobStats& job : part.stats.jobs) {
        jobs.push_back(*job.job);
        jobs.back().group += groups;
        jobs.back().report_group += report_groups;
        next_group = std::max(next_group, jobs.back().group + 1);
        next_report_group = std::max(next_report_group, jobs.back().report_group + 1);
        stats.jobs.push_back(job);
      }
      groups = next_group;
      report_groups = next_report_group;
      stats.requests += part.stats.requests;
      stats.ended = std::max(stats.ended, part.stats.ended);
      stats.left_early = stats.left_early || part.stats.left_early;
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) stats.jobs[i].job = &jobs[i];
  }

  // From now on all jobs are one entry of the report.
  void make_one_group(const std::string& name) {
    for (Job& job : jobs) {
      job.name = name;
      job.report_group = 0;
    }
  }
};

Counters sum_of(const std::vector<DrivePart>& parts) {
  Counters sum;
  for (const DrivePart& part : parts) {
    const Counters run = difference(part.stats.device_after, part.stats.device_before);
    for (const CounterField& field : kCounterFields) sum.*field.member += run.*field.member;
  }
  return sum;
}

Json drives_json(const std::vector<DrivePart>& parts) {
  Json list = Json::array();
  for (const DrivePart& part : parts) {
    const Json& of = part.result.ftlab;
    list.push_back({{"device", part.device},
                    {"drive", of["drive"]["name"]},
                    {"folder", part.folder},
                    {"signature", of["signature"]},
                    {"simulated_s", of["simulated_s"]},
                    {"wa", of["wa"]},
                    {"wa_at_end", of.value("wa_at_end", Json())},
                    {"traffic", of["traffic"]}});
  }
  return list;
}

std::string signature_of(const std::vector<DrivePart>& parts) {
  Signature signature;
  for (const DrivePart& part : parts)
    signature.add(std::stoull(part.result.ftlab["signature"].get<std::string>(), nullptr, 16));
  return signature.text();
}

std::string row(const std::string& name, const std::string& value) { return fmt::format("  {:<23} {}\n", name, value); }

bool wrote(const Json& of) { return of["traffic"]["host_write_bytes"].get<std::uint64_t>() > 0; }

std::string amplification(const Json& of) { return fmt::format("{:.3f}", of["wa"]["total"].get<double>()); }

}  // namespace

Result join_results(const std::vector<DrivePart>& parts, const Effort& effort) {
  Result joined;
  const JoinedRun run(parts);
  const Counters sum = sum_of(parts);
  for (const DrivePart& part : parts) {
    joined.failed_requests += part.result.failed_requests;
    for (const std::string& failed : part.result.failed_checks) joined.failed_checks.push_back(part.device + ": " + failed);
    for (const Problem& problem : part.result.problems)
      joined.problems.push_back({problem.code, part.device + ": " + problem.text, problem.remedy});
  }
  joined.ftlab = {{"version", FTLAB_VERSION},
                  {"compiler", FTLAB_COMPILER},
                  {"signature", signature_of(parts)},
                  {"seed", effort.seed},
                  {"clock", parts.front().result.ftlab["clock"]},
                  {"simulated_s", static_cast<double>(run.stats.ended.count()) / 1e9},
                  {"drives", drives_json(parts)},
                  {"wa", write_amplification(sum)},
                  {"traffic", traffic(sum)},
                  {"failed_requests", joined.failed_requests},
                  {"problems", problems_json(joined.problems)},
                  {"failed_checks", joined.failed_checks},
                  {"complete", !run.stats.left_early},
                  {"simulator", simulator(run.stats, effort, sum)}};
  joined.files.push_back({"result.json", result_text(run.stats, joined.ftlab)});
  return joined;
}

std::string joined_summary(const std::vector<DrivePart>& parts, const Result& joined, const std::string& out) {
  JoinedRun run(parts);
  std::string text = joined.problems.empty() ? "" : "  PROBLEMS of these figures:\n";
  for (const Problem& problem : joined.problems) text += "    " + problem_line(problem) + "\n";
  if (!joined.problems.empty()) text += "\n";
  const std::string table = job_table(run.stats);
  run.make_one_group("all drives");
  const std::string total = job_table(run.stats);
  text += table + total.substr(total.find('\n') + 1) + "\n";
  for (const Json& of : joined.ftlab["drives"]) {
    const std::string written = wrote(of) ? ", write amplification " + amplification(of) : "";
    text += row(of["device"].get<std::string>(),
                fmt::format("{}{}, signature {}, in {}", of["drive"].get<std::string>(), written,
                            of["signature"].get<std::string>(), of["folder"].get<std::string>()));
  }
  if (wrote(joined.ftlab)) text += row("write amplification", amplification(joined.ftlab) + " of all drives");
  return text + row("result", out);
}

}  // namespace ftlab
