// ftlab run JOB.fio --drive DRIVE --out DIR, and the same with a trace
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <spdlog/spdlog.h>

#include "bindings/cli/commands.h"
#include "bindings/cli/summary.h"
#include "bindings/job_input.h"
#include "bindings/open_device.h"
#include "bindings/result.h"
#include "bindings/result_folder.h"
#include "bindings/trace_input.h"
#include "sim/config/error.h"
#include "sim/host.h"

namespace ftlab {
namespace {

struct RunOptions {
  std::string job;
  std::string drive;
  std::string out;
  std::vector<std::string> settings;
  std::vector<std::string> job_settings;
  std::uint64_t seed = 1;
  bool untimed = false;
  bool replace = false;
  bool json = false;
  TraceArguments trace;
};

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// A line on a terminal that is drawn over; nothing in a pipe.
class ProgressLine {
 public:
  void operator()(Nanoseconds now, std::uint64_t requests) {
    if (!terminal_) return;
    std::fprintf(stderr, "\rsimulated %.1f min, %.1f M requests ", static_cast<double>(now.count()) / 60e9,
                 static_cast<double>(requests) / 1e6);
    drawn_ = true;
  }
  ~ProgressLine() {
    if (drawn_) std::fprintf(stderr, "\r%60s\r", "");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) != 0;
  bool drawn_ = false;
};

// A job file, or a trace in its place.
struct Workload {
  JobFile job_file;
  std::unique_ptr<TraceRun> trace;

  const JobFile& jobs() const { return trace ? trace->jobs() : job_file; }
  RunStats run(Drive& drive, const HostOptions& host) {
    return trace ? trace->run(drive, host) : run_jobs(drive, job_file.jobs, host);
  }
  Nanoseconds series_interval() const { return trace ? trace->series_interval() : series_interval_for(job_file); }
  WorkloadReport report(const RunStats& stats) const {
    return trace ? WorkloadReport{"trace", trace->report(), trace->problems(stats)} : WorkloadReport{};
  }
};

Workload load_workload(const RunOptions& options, std::uint64_t capacity_bytes) {
  Workload workload;
  if (is_trace(options.job, options.trace)) {
    if (!options.job_settings.empty())
      throw ConfigError({"--set-job", 0}, "", "is for job files; " + options.job + " is read as a trace");
    workload.trace = std::make_unique<TraceRun>(options.job, options.trace, capacity_bytes, !options.untimed);
    return workload;
  }
  if (const std::string option = options.trace.any(); !option.empty())
    throw ConfigError({option, 0}, "", "is for traces; " + options.job + " is a job file");
  workload.job_file = load_jobs(options.job, capacity_bytes, options.job_settings);
  if (options.untimed) refuse_timed_jobs(workload.job_file, options.job);
  return workload;
}

void warn_of_notes(const JobFile& jobs) {
  for (const Note& note : jobs.notes) {
    if (note.line == 0)
      spdlog::warn("{}: note: {}", note.file, note.text);
    else
      spdlog::warn("{}:{}: note: {}", note.file, note.line, note.text);
  }
}

RunStats simulate(Drive& drive, Workload& workload, const RunOptions& options, const Session& session) {
  ProgressLine line;
  HostOptions host;
  host.seed = options.seed;
  host.series_interval = workload.series_interval();
  host.interrupted = session.interrupted;
  host.progress = std::ref(line);
  return workload.run(drive, host);
}

int run(const RunOptions& options, const Session& session) {
  const Node document = load_drive(options.drive, options.settings);
  const DriveConfig config = read_drive(document);
  Workload workload = load_workload(options, config.user_bytes);
  ResultFolder folder(options.out, options.replace);
  warn_of_notes(workload.jobs());

  const auto began = std::chrono::steady_clock::now();
  Drive drive(config, options.untimed ? Clock::untimed : Clock::timed);
  const RunStats stats = simulate(drive, workload, options, session);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;

  const Result result = make_result(drive, document, workload.jobs(), stats, {options.seed, wall.count(), peak_rss_bytes()},
                                    workload.report(stats));
  for (const ResultFile& file : result.files) folder.write(file.name, file.text);
  folder.commit();
  bool ended_early = false;
  for (const JobStats& job : stats.jobs) {
    if (job.error != 0) spdlog::warn("[{}] ended early: {}", job.job->name, job.problem);
    ended_early = ended_early || job.error != 0;
  }
  if (options.json) {
    std::fputs(result.files.front().text.c_str(), stdout);
  } else {
    std::fputs(summary(result, stats, options.out).c_str(), stdout);
  }
  if (!result.problems.empty()) {
    for (const std::string& problem : result.problems) std::fprintf(stderr, "%s\n", problem.c_str());
    return kResultFailed;
  }
  return result.failed_requests > 0 || ended_early ? kDriveFailed : kDone;
}

// The parser of options would take -1 for the largest number, a number beyond 64 bits for it too, and 010 for 8.
std::string seed_problem(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool decimal = error == std::errc() && end == text.data() + text.size() && std::to_string(seed) == text;
  return decimal ? "" : printable(text) + " is no seed (allowed: 0 to 18446744073709551615)";
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "simulate a fio job file, or replay a block trace, on a drive");
  command->add_option("job", options->job, "the job file, as fio reads it, or a trace: plain text, gzip or zstd")
      ->required();
  command->add_option("--drive", options->drive, "a drive of the library (see ftlab drives) or the path of a drive file")
      ->required();
  command->add_option("--out", options->out, "the folder for the results: new or empty")->required();
  command->add_flag("--replace", options->replace, "an earlier result in --out may be replaced");
  command->add_option("--set", options->settings, "KEY=VALUE: any key of the drive, as ftl.gc.policy=greedy; repeatable")
      ->allow_extra_args(false);
  command
      ->add_option("--set-job", options->job_settings,
                   "KEY=VALUE or SECTION:KEY=VALUE: an option over what the job file says; repeatable")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "of all chance in the run")
      ->check(CLI::Validator(seed_problem, "", "seed"))
      ->capture_default_str();
  command->add_flag("--untimed", options->untimed, "placement and write amplification only, at memory speed");
  command->add_flag("--json", options->json, "print result.json instead of the summary");
  add_reading_options(*command, options->trace);
  add_replay_options(*command, options->trace);
  command->footer(
      "A file whose first line (blank ones and comments aside) begins a [section] is a job file. One that is compressed,\n"
      "whose first lines fit a format of traces, or with which an option for traces is given, is a trace. --trace-format\n"
      "settles it.");
  command->callback([options, &session] { session.chosen = [options, &session] { return run(*options, session); }; });
}

}  // namespace ftlab
