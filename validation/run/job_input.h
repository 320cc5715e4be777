// Job files from the disk, with what the process around them adds: included files, environment, overrides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/files/job_file.h"

namespace CLI {
class App;
}

namespace ftlab {

// What a command says about its job file, as written.
struct JobArguments {
  JobArguments() = default;
  JobArguments(std::vector<std::string> overrides) : settings(std::move(overrides)) {}  // NOLINT: no more is said mostly

  std::vector<std::string> settings;  // --set-job
  bool strict = false;
  std::string shrink;  // --shrink-jobs: a number, or "fit"; empty: not
};

// Adds --set-job, --strict and --shrink-jobs.
void add_job_options(CLI::App& command, JobArguments& arguments);
// The first that was given, as written on the command line; empty when none was.
std::string any_job_option(const JobArguments& arguments);

// Whether an argument in place of a job file is a fio command itself, "fio --name=...", and not the path of a file.
bool is_fio_command(const std::string& argument);

// Of a job file, a file that holds a fio command, or such a command itself. Throws ConfigError; for a file that begins like
// none of them it says so.
JobFile load_jobs(const std::string& path, std::uint64_t capacity_bytes, const JobArguments& arguments);
// The same of a text; `path` names it in messages, and files that it includes are looked for beside it.
JobFile parse_jobs(std::string_view text, const std::string& path, std::uint64_t capacity_bytes,
                   const JobArguments& arguments);

// Throws ConfigError for the first job that needs a clock.
void refuse_timed_jobs(const JobFile& jobs, const std::string& path);

// Throws ConfigError for jobs that a search for the steady state cannot prolong: each must be time_based, or write and read
// at least four times its region; and all must run side by side.
void refuse_jobs_that_end(const JobFile& jobs, const std::string& path);

// The interval of series.csv: that of the job's own logs where it asks for them (log_avg_msec), else a second.
Nanoseconds series_interval_for(const JobFile& jobs);

// Whether a file is a procedure: JSON by name.
bool is_procedure_file(const std::string& path);

// Of a job file or a procedure: files as seen from its folder, and what the process around adds.
JobContext context_of(const std::string& path, std::uint64_t capacity_bytes, const JobArguments& arguments);

}  // namespace ftlab
