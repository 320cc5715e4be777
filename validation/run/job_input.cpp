#include "validation/run/job_input.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sim/config/error.h"
#include "sim/config/file.h"
#include "sim/host/host.h"
#include "sim/stats/series.h"

namespace ftlab {

JobContext context_of(const std::string& path, std::uint64_t capacity_bytes, const std::vector<std::string>& overrides) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  JobContext context;
  context.folder = folder.string();
  context.capacity_bytes = capacity_bytes;
  context.environment = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  context.include = [folder](const std::string& name) { return read_regular_file((folder / name).string()); };
  for (const std::string& text : overrides) context.overrides.push_back(parse_job_override(text));
  return context;
}

namespace {

// Found out here, not after the intervals.
JobFile with_few_intervals(JobFile jobs, const std::string& path) {
  const Nanoseconds interval = series_interval_for(jobs);
  for (const Job& job : jobs.jobs) {
    if (!job.time_based || *job.runtime / interval <= kMostSeriesRows) continue;
    throw ConfigError({path, job.line}, job.name, "runs for more intervals than series.csv may have",
                      std::to_string(*job.runtime / interval),
                      "up to " + std::to_string(kMostSeriesRows) + ": a longer log_avg_msec, or a shorter runtime");
  }
  return jobs;
}

}  // namespace

JobFile load_jobs(const std::string& path, std::uint64_t capacity_bytes, const std::vector<std::string>& overrides) {
  const JobContext context = context_of(path, capacity_bytes, overrides);
  return with_few_intervals(parse_job_file(read_text_file(path), path, context), path);
}

JobFile parse_jobs(std::string_view text, const std::string& path, std::uint64_t capacity_bytes,
                   const std::vector<std::string>& overrides) {
  return with_few_intervals(parse_job_file(text, path, context_of(path, capacity_bytes, overrides)), path);
}

void refuse_timed_jobs(const JobFile& jobs, const std::string& path) {
  for (const Job& job : jobs.jobs) {
    const std::string problem = untimed_problem(job);
    if (!problem.empty()) throw ConfigError({path, job.line}, job.name, problem);
  }
}

void refuse_jobs_that_end(const JobFile& jobs, const std::string& path) {
  constexpr std::uint64_t kFewestPasses = 4;
  for (const Job& job : jobs.jobs) {
    if (job.job_group != jobs.jobs.front().job_group) {
      throw ConfigError({path, job.line}, job.name,
                        "waits for other jobs; --until-steady looks at jobs that run side by side");
    }
    const std::uint64_t region = job.region_end_bytes - job.region_first_bytes;
    const bool long_enough = job.amount_bytes / kFewestPasses >= region / std::max<std::uint64_t>(job.loops, 1);
    if (!job.time_based && !long_enough) {
      throw ConfigError({path, job.line}, job.name, "ends by itself before a steady state could be seen",
                        std::to_string(job.amount_bytes) + " bytes",
                        "time_based, or io_size of at least 4 times the region");
    }
  }
}

Nanoseconds series_interval_for(const JobFile& jobs) {
  for (const Job& job : jobs.jobs) {
    if (job.log_interval.count() > 0) return job.log_interval;
  }
  return std::chrono::seconds(1);
}

bool is_procedure_file(const std::string& path) { return path.ends_with(".json"); }

}  // namespace ftlab
