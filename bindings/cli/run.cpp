// ftlab run JOB.fio --drive DRIVE --out DIR
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/commands.h"
#include "bindings/cli/run_procedure.h"
#include "bindings/cli/subject.h"
#include "bindings/cli/summary.h"
#include "bindings/cli/workload.h"
#include "bindings/disk_result.h"
#include "bindings/job_input.h"
#include "bindings/progress_line.h"
#include "bindings/result.h"
#include "bindings/result_folder.h"
#include "bindings/state_file.h"
#include "sim/config/error.h"
#include "sim/host.h"
#include "sim/host_software.h"
#include "sim/rebased_device.h"
#include "sim/stats/steady_watch.h"

namespace ftlab {
namespace {

struct RunOptions {
  std::string job;
  std::string drive;
  std::string out;
  std::vector<std::string> settings;
  std::vector<std::string> job_settings;
  std::vector<std::string> variables;
  std::string save;
  std::string load;
  std::string until_steady;  // per cent; empty: the jobs end by themselves
  std::uint64_t seed = 1;
  bool untimed = false;
  bool replace = false;
  bool json = false;
  TraceArguments trace;
};

void refuse_state_of_disk(const std::string& save, const Subject& subject) {
  if (!save.empty() && subject.disk)
    throw ConfigError({"--save", 0}, "", "is for SSDs; the state of a disk is not kept", save);
}

Result result_of(const Subject& subject, const JobFile& jobs, const RunStats& stats, const Effort& effort,
                 const WorkloadReport& workload, const SteadyWatch* watch) {
  return subject.disk ? make_result(*subject.disk, subject.document, jobs, stats, effort, workload, watch)
                      : make_result(*subject.drive, subject.document, jobs, stats, effort, workload, watch);
}

Subject subject_of(const RunOptions& options, Clock clock, std::vector<Note>& past) {
  return options.load.empty() ? new_drive(options.drive, options.settings, clock, options.seed)
                              : loaded_drive(options.load, options.drive, options.settings, clock, past);
}

RunStats simulate(const Subject& subject, const RunWorkload& workload, const RunOptions& options, const Session& session,
                  SteadyWatch* watch) {
  ProgressLine line;
  HostOptions host;
  host.seed = options.seed;
  host.series_interval = workload.series_interval();
  host.interrupted = session.interrupted;
  host.progress = [&line](Nanoseconds now, std::uint64_t requests) {
    line.draw(fmt::format("simulated {:.1f} min, {:.1f} M requests", static_cast<double>(now.count()) / 60e9,
                          static_cast<double>(requests) / 1e6));
  };
  if (watch != nullptr) host.enough = [watch](const SeriesRow& row) { return watch->add(row); };
  RebasedDevice device(subject.device(), subject.idle_from());
  const HostSoftwareConfig& computer = subject.drive ? subject.drive->config().host : subject.disk->config().host;
  if (options.untimed || !computer.costs()) return workload.run(device, host);
  HostSoftware software(device, computer, options.seed);
  return workload.run(software, host);
}

std::optional<SteadyWatch> watch_for(const RunOptions& options, const RunWorkload& workload, const Subject& subject) {
  if (options.until_steady.empty()) return std::nullopt;
  if (workload.trace) throw ConfigError({"--until-steady", 0}, "", "is for job files; a trace ends with its last request");
  if (options.untimed) throw ConfigError({"--until-steady", 0}, "", "needs a clock, which --untimed has not");
  refuse_jobs_that_end(workload.job_file, options.job);
  return SteadyWatch(std::stod(options.until_steady) / 100, subject.user_bytes(), subject.device().counters());
}

// A disk has none.
void refuse_trims(const JobFile& jobs, const std::string& path) {
  for (const Job& job : jobs.jobs) {
    if (job.pattern.trims)
      throw ConfigError({path, job.line}, "rw", "trims, and a disk has no TRIM", job.rw, "reads and writes");
  }
}

int print(const Result& result, const RunStats& stats, const RunOptions& options, const SteadyWatch* watch) {
  if (options.json) {
    std::fputs(result.files.front().text.c_str(), stdout);
  } else {
    std::fputs(summary(result, stats, options.out).c_str(), stdout);
    if (watch != nullptr) std::fputs(steady_summary(*watch).c_str(), stdout);
  }
  bool job_failed = false;
  for (const JobStats& job : stats.jobs) {
    if (job.error != 0) spdlog::warn("[{}] {}", job.job->name, job.failure());
    job_failed = job_failed || job.error != 0;
  }
  for (const std::string& problem : result.problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!result.problems.empty()) return kResultFailed;
  return result.failed_requests > 0 || job_failed ? kDriveFailed : kDone;
}

int run_procedure_on_drive(const RunOptions& options, const Session& session) {
  if (options.untimed)
    throw ConfigError({"--untimed", 0}, "", "is for job files; a procedure says of each step whether it is timed");
  if (!options.until_steady.empty())
    throw ConfigError({"--until-steady", 0}, "", "is for job files; a procedure has the step \"rounds\"");
  std::vector<Note> past;
  Subject subject = subject_of(options, Clock::timed, past);
  refuse_state_of_disk(options.save, subject);
  for (const Note& note : past) spdlog::warn("{}", note.shown());
  return run_procedure({options.job, options.out, options.replace, options.json, options.seed, options.variables,
                        options.job_settings, options.save},
                       std::move(subject), session);
}

int run(const RunOptions& options, const Session& session) {
  if (options.drive.empty() && options.load.empty()) {
    throw ConfigError({"ftlab run", 0}, "--drive", "is missing", {},
                      "a drive of the library, the path of a drive file, or --load STATE");
  }
  if (is_procedure_file(options.job)) return run_procedure_on_drive(options, session);
  if (!options.variables.empty())
    throw ConfigError({"--variable", 0}, "", "is for procedures; job files take ${NAME} from the environment", options.job);
  const Clock clock = options.untimed ? Clock::untimed : Clock::timed;
  std::vector<Note> past;
  const Subject subject = subject_of(options, clock, past);
  refuse_state_of_disk(options.save, subject);
  RunWorkload workload =
      load_workload(options.job, options.job_settings, options.trace, subject.user_bytes(), options.untimed);
  if (subject.disk) refuse_trims(workload.job_file, options.job);
  workload.note(past);
  std::optional<SteadyWatch> watch = watch_for(options, workload, subject);
  ResultFolder folder(options.out, options.replace);
  std::optional<StateFile> state;
  if (!options.save.empty()) state.emplace(options.save);
  for (const Note& note : workload.jobs().notes) spdlog::warn("{}", note.shown());

  const auto began = std::chrono::steady_clock::now();
  const RunStats stats = simulate(subject, workload, options, session, watch ? &*watch : nullptr);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;

  const Effort effort{options.seed, wall.count(), peak_rss_bytes()};
  const Result result =
      result_of(subject, workload.jobs(), stats, effort, workload.report(stats), watch ? &*watch : nullptr);
  for (const ResultFile& file : result.files) folder.write(file.name, file.text);
  if (state) state->save(*subject.drive, subject.document);
  folder.commit();
  return print(result, stats, options, watch ? &*watch : nullptr);
}

// The parser of options would take -1 for the largest number, a number beyond 64 bits for it too, and 010 for 8.
std::string percent_problem(const std::string& text) {
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const bool fits = end != text.c_str() && *end == '\0' && percent >= 0.01 && percent <= 50;
  return fits ? "" : printable(text) + " is no percentage for --until-steady (allowed: 0.01 to 50)";
}

std::string seed_problem(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool decimal = error == std::errc() && end == text.data() + text.size() && std::to_string(seed) == text;
  return decimal ? "" : printable(text) + " is no seed (allowed: 0 to 18446744073709551615)";
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "simulate a fio job file, a procedure of many or a block trace on a drive");
  command
      ->add_option("job", options->job,
                   "the job file, as fio reads it, a procedure (.json) or a trace (plain text, gzip, zstd)")
      ->required();
  command->add_option("--drive", options->drive, "a drive of the library (see ftlab drives) or the path of a drive file");
  command->add_option("--load", options->load,
                      "a state to go on from; with --drive or --set another design takes its flash over by a power-on scan");
  command->add_option("--save", options->save, "where to keep the drive's state at the end of the run");
  command
      ->add_option("--until-steady", options->until_steady,
                   "end the run when throughput and write amplification are known within so many per cent (95 % confidence)")
      ->expected(0, 1)
      ->default_str("2")
      ->check(CLI::Validator(percent_problem, "", "percent"));
  command->add_option("--out", options->out, "the folder for the results: new or empty")->required();
  command->add_flag("--replace", options->replace, "an earlier result in --out may be replaced");
  command->add_option("--set", options->settings, "KEY=VALUE: any key of the drive, as ftl.gc.policy=greedy; repeatable")
      ->allow_extra_args(false);
  command
      ->add_option("--set-job", options->job_settings,
                   "KEY=VALUE or SECTION:KEY=VALUE: an option over what the job file says; repeatable")
      ->allow_extra_args(false);
  command->add_option("--variable", options->variables, "NAME=VALUE or NAME=A,B,C: a variable of the procedure; repeatable")
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
