#include "validation/run/job_input.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/config/file.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/stats/series.h"
#include "sim/traces/formats/format.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/jobs/ini.h"
#include "validation/run/options.h"
#include "validation/run/own_files.h"
#include "validation/run/trace_input.h"

namespace ftlab {

JobContext context_of(const std::string& path, std::uint64_t capacity_bytes, const JobArguments& arguments) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  JobContext context;
  context.folder = folder.string();
  context.capacity_bytes = capacity_bytes;
  context.environment = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  context.include = [folder](const std::string& name) { return read_regular_file((folder / name).string()); };
  context.zone_bytes = arguments.zone_bytes;
  context.zones_of_device = !arguments.shrink.empty();
  context.strict = arguments.strict;
  context.device = arguments.device;
  for (const std::string& text : arguments.settings) context.overrides.push_back(parse_job_override(text));
  return context;
}

namespace {

// Checks the number of intervals before the run starts.
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

constexpr std::uint64_t kMostShrink = std::uint64_t{1} << 40;

std::uint64_t divisor_of(const std::string& text) {
  const std::uint64_t number = parsed<std::uint64_t>(text).value_or(0);
  if (number == 0 || number > kMostShrink)
    throw ConfigError({"--shrink-jobs", 0}, "", "is not a divisor of sizes", text, "a whole number from 1, or fit");
  return number;
}

// Parses the jobs with the smallest divisor that makes them valid. If none does, reports the error of the unshrunk file.
JobFile shrunk_to_fit(std::string_view text, const std::string& path, JobContext context) {
  const auto accepted = [&](std::uint64_t divisor) {
    context.shrink = divisor;
    try {
      parse_job_file(text, path, context);
      return true;
    } catch (const ConfigError&) {
      return false;
    }
  };
  std::uint64_t fits = 1, too_small = 0;
  while (!accepted(fits) && fits < kMostShrink) too_small = std::exchange(fits, fits * 2);
  while (fits - too_small > 1 && fits < kMostShrink) {
    const std::uint64_t middle = too_small + (fits - too_small) / 2;
    (accepted(middle) ? fits : too_small) = middle;
  }
  context.shrink = fits < kMostShrink ? fits : 1;
  return parse_job_file(text, path, context);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// True if the first line with content is valid in a job file: [section], option, option=value, include FILE.
bool begins_like_jobs(std::string_view text) {
  for (const std::string_view part : split(text, '\n')) {
    const std::string_view line = trimmed(part);
    if (line.empty() || line.front() == ';' || line.front() == '#' || line.starts_with("\xef\xbb\xbf")) continue;
    const std::string_view key = trimmed(line.substr(0, std::min({line.find('='), line.find(';'), line.size()})));
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; };
    if (std::any_of(line.begin(), line.end(), is_control)) return true;  // reported by the job file reader
    const auto fits = [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    return line.front() == '[' || line.front() == '=' || line.starts_with("include ") ||
           (is_letter(key.front()) && std::all_of(key.begin(), key.end(), fits));
  }
  return true;
}

std::string text_of_jobs(const std::string& path) {
  constexpr std::size_t kEnoughBytes = 65536;
  refuse_unless_jobs(path);
  std::error_code none;
  const bool large = std::filesystem::file_size(path, none) > kConfigLimitBytes && !none;
  std::string text;
  if (large) {
    std::ifstream in(path, std::ios::binary);
    text.resize(kEnoughBytes);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
  } else {
    text = read_text_file(path);
  }
  if (begins_like_jobs(text) || holds_fio_command(text) || is_vdbench_file(text)) return large ? read_text_file(path) : text;
  if (is_trace(path, {}))
    throw ConfigError({path, 0}, "", "is a trace, and a job file is asked for here; it is for ftlab run");
  throw ConfigError(
      {path, 0}, "",
      "is neither a job file (its first line is not a [section] or an option), nor a fio command, nor a trace in a "
      "known format; tried: " +
          joined(trace_format_names()),
      {}, "ftlab run --trace-format NAME for one of these, --trace-columns MAP.json for another");
}

}  // namespace

void add_job_options(CLI::App& command, JobArguments& arguments) {
  add_repeated(command, "--set-job", arguments.settings,
               "KEY=VALUE or SECTION:KEY=VALUE: override an option of the job file; repeatable");
  command.add_flag("--strict", arguments.strict,
                   "refuse jobs that fio would run through the page cache; default: run them as direct, with a note");
  command.add_option(
      "--shrink-jobs", arguments.shrink,
      "N: divide the job file's sizes and offsets in bytes by N; fit: by the least number with which they fit "
      "the drive");
}

std::string any_job_option(const JobArguments& arguments) {
  if (!arguments.settings.empty()) return "--set-job";
  if (arguments.strict) return "--strict";
  return arguments.shrink.empty() ? "" : "--shrink-jobs";
}

bool is_fio_command(const std::string& argument) { return argument.starts_with("fio "); }

JobFile load_jobs(const std::string& path, std::uint64_t capacity_bytes, const JobArguments& arguments) {
  if (is_fio_command(path)) return parse_jobs(path, "fio command", capacity_bytes, arguments);
  return parse_jobs(text_of_jobs(path), path, capacity_bytes, arguments);
}

std::vector<std::string> devices_in_jobs(const std::string& path, const JobArguments& arguments) {
  const JobContext context = context_of(path, 1, arguments);
  if (is_fio_command(path)) return devices_in_job_file(path, "fio command", context);
  return devices_in_job_file(text_of_jobs(path), path, context);
}

JobFile parse_jobs(std::string_view text, const std::string& path, std::uint64_t capacity_bytes,
                   const JobArguments& arguments) {
  JobContext context = context_of(path, capacity_bytes, arguments);
  if (arguments.shrink == "fit") return with_few_intervals(shrunk_to_fit(text, path, std::move(context)), path);
  if (!arguments.shrink.empty()) context.shrink = divisor_of(arguments.shrink);
  return with_few_intervals(parse_job_file(text, path, context), path);
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

bool is_procedure_file(const std::string& path) { return path.ends_with(".json") && !is_fio_command(path); }

}  // namespace ftlab
