#include "bindings/job_input.h"

#include <cstdlib>
#include <filesystem>

#include "sim/config/error.h"
#include "sim/config/file.h"
#include "sim/host.h"

namespace ftlab {

JobFile load_jobs(const std::string& path, std::uint64_t capacity_bytes, const std::vector<std::string>& overrides) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  JobContext context;
  context.capacity_bytes = capacity_bytes;
  context.environment = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  context.include = [folder](const std::string& name) { return read_text_file((folder / name).string()); };
  for (const std::string& text : overrides) context.overrides.push_back(parse_job_override(text));
  return parse_job_file(read_text_file(path), path, context);
}

void refuse_timed_jobs(const JobFile& jobs, const std::string& path) {
  for (const Job& job : jobs.jobs) {
    const std::string problem = untimed_problem(job);
    if (!problem.empty()) throw ConfigError({path, job.line}, job.name, problem);
  }
}

Nanoseconds series_interval_for(const JobFile& jobs) {
  for (const Job& job : jobs.jobs) {
    if (job.log_interval.count() > 0) return job.log_interval;
  }
  return std::chrono::seconds(1);
}

}  // namespace ftlab
