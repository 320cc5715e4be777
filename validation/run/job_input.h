// Reads job files from disk with include files, environment variables and overrides.
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

// Job options of a command line, unparsed.
struct JobArguments {
  JobArguments() = default;
  JobArguments(std::vector<std::string> overrides) : settings(std::move(overrides)) {}  // NOLINT: no more is said mostly

  std::vector<std::string> settings;  // --set-job
  bool strict = false;
  std::string shrink;    // --shrink-jobs: a number, or "fit"; empty: do not shrink
  std::string device{};  // only the jobs of this device; empty: all jobs
  std::uint64_t zone_bytes = 0;  // of the drive, not an option; 0: it is conventional
};

// Adds --set-job, --strict and --shrink-jobs.
void add_job_options(CLI::App& command, JobArguments& arguments);
// The first given option, as written on the command line; empty if none was given.
std::string any_job_option(const JobArguments& arguments);

// True if the argument is a fio command, "fio --name=..", and not the path of a job file.
bool is_fio_command(const std::string& argument);

// Loads a job file, a file that contains a fio command, or a fio command. Throws ConfigError, also if the file looks like
// none of them.
JobFile load_jobs(const std::string& path, std::uint64_t capacity_bytes, const JobArguments& arguments);
// Names of the devices of the jobs, each once, in the order of their first appearance. Throws ConfigError.
std::vector<std::string> devices_in_jobs(const std::string& path, const JobArguments& arguments);
// Like load_jobs() with the content `text`. Messages show `path`, and included files are relative to its folder.
JobFile parse_jobs(std::string_view text, const std::string& path, std::uint64_t capacity_bytes,
                   const JobArguments& arguments);

// Throws ConfigError for the first job that needs a clock.
void refuse_timed_jobs(const JobFile& jobs, const std::string& path);

// Throws ConfigError for jobs that --until-steady cannot prolong. Each must be time_based, or write and read at least four
// times its region, and all must run at the same time.
void refuse_jobs_that_end(const JobFile& jobs, const std::string& path);

// Interval of series.csv: log_avg_msec of the jobs if set, otherwise one second.
Nanoseconds series_interval_for(const JobFile& jobs);

// True for procedures, which have the extension .json.
bool is_procedure_file(const std::string& path);

// Context to parse a job file or a procedure: its folder for relative paths, the environment and the overrides.
JobContext context_of(const std::string& path, std::uint64_t capacity_bytes, const JobArguments& arguments);

}  // namespace ftlab
