// ftlab run JOB.fio --drive DRIVE --out DIR, ftlab bench DRIVE --out DIR
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iterator>

#include <spdlog/spdlog.h>

#include "bindings/cli/run/simulate.h"
#include "sim/config/library.h"
#include "sim/core/error.h"
#include "validation/results/machine_memory.h"
#include "validation/results/progress_line.h"
#include "validation/results/result.h"
#include "validation/results/run_problems.h"
#include "validation/results/summary.h"
#include "validation/run/drives_of_devices.h"
#include "validation/run/options.h"
#include "validation/run/own_files.h"
#include "validation/run/procedure_run.h"

namespace ftlab {
namespace {

bool job_failed(const RunStats& stats) {
  return std::any_of(stats.jobs.begin(), stats.jobs.end(), [](const JobStats& job) { return job.error != 0; });
}

// Shows on stderr why the figures may be worthless, and returns the exit status.
int status_of(const Result& result, bool job_failed) {
  for (const Problem& problem : result.problems) spdlog::warn("problem: {}", problem_line(problem));
  for (const std::string& failed : result.failed_checks) std::fprintf(stderr, "%s\n", failed.c_str());
  if (!result.failed_checks.empty()) return kResultFailed;
  return result.failed_requests > 0 || job_failed ? kDriveFailed : kDone;
}

int print(const Result& result, const RunStats& stats, const RunOptions& options, const SteadyWatch* watch) {
  if (options.json) {
    std::fputs(result.files.front().text.c_str(), stdout);
  } else {
    std::fputs(summary(result, stats, options.out).c_str(), stdout);
    if (watch != nullptr) std::fputs(steady_summary(*watch).c_str(), stdout);
    if (!options.interval.empty()) std::fputs(interval_table(result.ftlab).c_str(), stdout);
  }
  for (const JobStats& job : stats.jobs)
    if (job.error != 0) spdlog::warn("[{}] {}", job.job->name, job.failure());
  return status_of(result, job_failed(stats));
}

int print_accepted(const RunOptions& options, SimulatedDevice& device) {
  const std::string needs =
      device.ssd() == nullptr ? "" : "; " + memory_needs(device, precondition_named(options.precondition));
  std::printf("%s: accepted for \"%s\"%s\n", is_fio_command(options.job) ? "fio command" : options.job.c_str(),
              device.document().find("name")->text.c_str(), needs.c_str());
  return kDone;
}

ProcedureRun procedure_of(const RunOptions& options, const Session& session, ProgressLine& line) {
  ProcedureRun run{options.job,       options.out,           options.replace, options.seed,
                   options.variables, options.jobs.settings, options.save};
  run.interrupted = session.interrupted;
  const auto done = std::make_shared<double>(0);  // before the current step
  run.ended = [&line, done](const std::string& folder, double share) {
    *done = share;
    line.draw(folder + " done", ProgressShare{share, true});
  };
  run.progress = [&line, done](Nanoseconds now, std::uint64_t requests) {
    line.draw("this step " + reached_text(now, requests), ProgressShare{*done, true});
  };
  return run;
}

int print(const ProcedureOutcome& outcome, const RunOptions& options) {
  for (const std::string& note : outcome.record.notes) spdlog::warn("{}", note);
  const std::string text = options.json
                               ? outcome.summary
                               : procedure_summary(outcome.procedure, outcome.record) + "  result: " + options.out + "\n";
  std::fputs(text.c_str(), stdout);
  for (const StepProblem& of_step : outcome.problems)
    spdlog::warn("problem: {}: {}", of_step.folder, problem_line(of_step.problem));
  for (const std::string& failed : outcome.failed_checks) std::fprintf(stderr, "%s\n", failed.c_str());
  if (!outcome.failed_checks.empty()) return kResultFailed;
  return outcome.record.failed_requests > 0 ? kDriveFailed : kDone;
}

void refuse_if(bool given, const char* option, const std::string& why) {
  if (given) throw ConfigError({option, 0}, "", why);
}

int run_procedure_on_drive(const RunOptions& options, const Session& session) {
  refuse_if(options.untimed, "--untimed", "applies to job files only; the steps of a procedure state their own clock");
  refuse_if(options.jobs.strict, "--strict", "is for job files, not for procedures");
  refuse_if(!options.jobs.shrink.empty(), "--shrink-jobs", "is for job files, not for procedures");
  refuse_if(!options.until_steady.empty(), "--until-steady", "is for job files; a procedure has the step \"rounds\"");
  refuse_if(!options.precondition.empty(), "--precondition",
            "is for job files and traces; a procedure has the step \"precondition\"");
  refuse_if(!options.record_blocks.empty(), "--record-blocks",
            "is for job files and traces; record a step of a procedure as a job file");
  refuse_if(!options.interval.empty(), "--interval",
            "is for job files and traces; the figures of a procedure are those of its steps");
  std::vector<Note> past;
  const std::unique_ptr<SimulatedDevice> device = device_of(options, Clock::timed, past);
  device->keep_states_in(cache_of(options));
  for (const Note& note : past) spdlog::warn("{}", note.shown());
  ProgressLine line;
  if (options.check) {
    rehearse_procedure(procedure_of(options, session, line), *device);
    return print_accepted(options, *device);
  }
  report_memory(*device, Precondition::none);
  session.heed_interruption();
  const auto outcome = run_procedure(procedure_of(options, session, line), *device);
  line.wipe();
  return print(*outcome, options);
}

// The words of each variant: those of this command without what concerns all variants together.
std::vector<std::string> words_of_each(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--") return kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end()), kept;
    const std::string option = words[i].substr(0, words[i].find('='));
    if (option == "--vary" || option == "--out") {
      i += option == words[i] ? 1 : 0;
    } else if (option != "--report" && option != "--replace" && option != "--check") {
      kept.push_back(words[i]);
    }
  }
  return kept;
}

// The Python package runs the variants, each by this command.
int run_variants(const RunOptions& options, const Session& session) {
  const auto refuse = [](const char* option, const char* problem, const std::string& allowed) {
    throw ConfigError({option, 0}, "", problem, {}, allowed);
  };
  if (options.vary.empty()) refuse("--report", "compares the variants of --vary", "ftlab report " + options.out);
  if (!options.save.empty()) refuse("--save", "names one file, and --vary makes several drives", "a run of one variant");
  if (options.json) refuse("--json", "prints one result, and --vary makes several", "the result.json of each variant");
  std::vector<std::string> words = {"--out", options.out};
  for (const std::string& varied : options.vary) words.insert(words.end(), {"--vary", varied});
  if (options.report) words.emplace_back("--report");
  if (options.replace) words.emplace_back("--replace");
  if (options.check) words.emplace_back("--check");
  words.emplace_back("--");
  std::ranges::copy(words_of_each(session.words), std::back_inserter(words));
  return start_python("variants", words);
}

// Ends a run that may have been interrupted, when all other files are written.
int commit(ResultFolder& folder, const RunOptions& options, bool left_early, const std::function<int()>& print) {
  if (left_early) folder.write(kIncompleteMark, "This result is incomplete: it was interrupted\n");
  folder.commit();
  const int status = print();
  if (!left_early) return status;
  std::fprintf(stderr, "interrupted; what there was is kept in %s, marked %s%s\n", options.out.c_str(), kIncompleteMark,
               options.save.empty() ? "" : "; the drive's state is not saved");
  return kInterrupted;
}

// True for jobs, whose files name devices; procedures and traces name none.
bool names_devices(const RunOptions& options) {
  return !is_procedure_file(options.job) && (is_fio_command(options.job) || !is_trace(options.job, options.trace));
}

void refuse_beside_several_drives(const RunOptions& options) {
  refuse_if(!names_devices(options), "--drive", "a procedure or a trace runs on one drive, and several --drive are given");
  refuse_if(!options.load.empty(), "--load", "is the state of one drive, and several --drive are given");
  refuse_if(!options.save.empty(), "--save", "is for the state of one drive, and several --drive are given");
  refuse_if(!options.host.empty(), "--host", "is a computer that its drives would share, and several --drive are given");
}

int print(const std::vector<DrivePart>& parts, const Result& joined, const RunOptions& options) {
  const std::string text = options.json ? joined.files.front().text : joined_summary(parts, joined, options.out);
  std::fputs(text.c_str(), stdout);
  for (const DrivePart& part : parts)
    for (const JobStats& job : part.stats.jobs)
      if (job.error != 0) spdlog::warn("{}: [{}] {}", part.device, job.job->name, job.failure());
  const bool failed = std::any_of(parts.begin(), parts.end(), [](const auto& part) { return job_failed(part.stats); });
  return status_of(joined, failed);
}

// Each drive runs the jobs of its device by itself: none of them depends on those of another drive.
int run_on_several(const RunOptions& options, const Session& session) {
  refuse_beside_several_drives(options);
  const std::vector<DriveOfDevice> drives =
      drives_of_devices(options.drives, devices_in_jobs(options.job, options.jobs), options.job);
  refuse_unless_writable(options.out, options.replace);
  std::vector<RunOptions> each(drives.size(), options);
  for (std::size_t i = 0; i < drives.size(); ++i) {
    each[i].drive = drives[i].drive;
    each[i].jobs.device = drives[i].device;
    const PreparedRun accepted = prepared_run(each[i]);
    if (accepted.device->document().find("host") != nullptr)
      throw ConfigError({"--set", 0}, "host", "is a computer that its drives would share, and several --drive are given");
    if (options.check) print_accepted(options, *accepted.device);
  }
  if (options.check) return kDone;
  session.heed_interruption();
  ResultFolder folder(options.out, options.replace);
  const auto began = std::chrono::steady_clock::now();
  std::vector<RunWorkload> workloads;
  std::vector<DrivePart> parts;
  for (std::size_t i = 0; i < drives.size() && (i == 0 || !parts.back().stats.left_early); ++i) {
    spdlog::info("{} is {}", drives[i].device, drives[i].drive);
    FinishedRun run = simulate(prepared_run(each[i]), each[i], session, folder, drives[i].folder);
    workloads.push_back(std::move(run.workload));
    parts.push_back({drives[i].device, drives[i].folder, std::move(run.result), std::move(run.stats)});
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  const Result joined = join_results(parts, {options.seed, wall.count(), peak_rss_bytes()});
  for (const ResultFile& file : joined.files) folder.write(file.name, file.text);
  return commit(folder, options, parts.back().stats.left_early, [&] { return print(parts, joined, options); });
}

int run(const RunOptions& given, const Session& session) {
  if (!given.vary.empty() || given.report) return run_variants(given, session);
  if (given.drives.empty() && given.load.empty()) {
    throw ConfigError({"ftlab run", 0}, "--drive", "is missing", {},
                      "a drive of the library, the path of a drive file, or --load STATE");
  }
  refuse_unless_jobs_or_procedure(given.job);
  if (given.drives.size() > 1) return run_on_several(given, session);
  RunOptions options = given;
  if (!given.drives.empty()) options.drive = given.drives.front();
  if (options.drive.find('=') != std::string::npos && names_devices(options))
    options.drive = drive_given_alone(options.drive, devices_in_jobs(options.job, options.jobs), options.job);
  if (is_procedure_file(options.job)) return run_procedure_on_drive(options, session);
  refuse_unless_writable(options.out, options.replace, {options.save});  // before a large drive is made
  PreparedRun accepted = prepared_run(options);
  if (options.check) return print_accepted(options, *accepted.device);
  session.heed_interruption();
  ResultFolder folder(options.out, options.replace, {options.save});
  FinishedRun run = simulate(std::move(accepted), options, session, folder, "");
  return commit(folder, options, run.stats.left_early,
                [&] { return print(run.result, run.stats, options, run.watch ? &*run.watch : nullptr); });
}

void add_no_cache(CLI::App& command, bool& no_cache) {
  command.add_flag("--no-cache", no_cache, "make states of --precondition without ftlab's cache (see ftlab cache)");
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "simulate a fio job file, a procedure or a block trace on a drive");
  command
      ->add_option("job", options->job,
                   "a fio job file, a procedure (.json) or a trace (plain text, gzip, zstd); or behind --, a fio "
                   "command line")
      ->required();
  add_repeated(*command, "--drive", options->drives,
               "a drive of the library (see ftlab drives) or a drive file; repeated, one for each device that the jobs "
               "name, in that order or as DEVICE=DRIVE");
  command->add_option(
      "--host", options->host,
      "the computer that it is in: a host of the library (see ftlab hosts) or a host file [ideal: no overhead]");
  command->add_option(
      "--load", options->load,
      "continue from this saved state; with --drive or --set a different design takes over its flash by a power-on scan");
  command->add_option("--save", options->save, "save the drive's state to this file at the end of the run");
  command
      ->add_option(
          "--until-steady", options->until_steady,
          "end the run when throughput and write amplification are known within this share, as 2% (95 % confidence)")
      ->expected(0, 1)
      ->default_str("2%");
  command->add_option(
      "--interval", options->interval,
      "add the bounds in which a real drive's figures lie in 80 % of cases, as learned from how the library's "
      "drives miss; what the drive file is based on: sheet (data sheets and reviews), this-port (measurements "
      "in this computer) or other-port (in another one)");
  command->add_option(
      "--precondition", options->precondition,
      "state of the drive before the run: sequential (written once), random (then twice over at random) or "
      "steady (random drive writes, until the last two differ by at most 1 % in write amplification), or trace (what "
      "the trace reads before it writes it, "
      "written once in order); takes no simulated time");
  command
      ->add_option("--record-blocks", options->record_blocks,
                   "FROM:TO:EVERY, e.g. 0:120s:500ms: record the state of all superblocks in blocks.json; the "
                   "report animates it")
      ->check(CLI::Validator([](std::string& text) { return text.empty() ? "is empty" : ""; }, "", "stretch"));
  add_repeated(*command, "--vary", options->vary,
               "KEY=VALUE,VALUE: run once for each value, in a folder of --out each; KEY: a key of --set, job:OPTION, op, "
               "drive, host or seed; repeatable: all combinations");
  command->add_flag("--report", options->report, "with --vary: a page in the folder report of --out compares the runs");
  command->add_flag("--check", options->check, "check the input, simulate nothing");
  command->add_option("--out", options->out, "folder for the results; it must be new or empty")->required();
  command->add_flag("--replace", options->replace, "replace an earlier result in --out");
  add_repeated(*command, "--set", options->settings,
               "KEY=VALUE: set any key of the drive file, e.g. ftl.gc.policy=greedy, or of the host, e.g. host.cores=4; "
               "repeatable");
  add_job_options(*command, options->jobs);
  add_repeated(*command, "--variable", options->variables,
               "NAME=VALUE or NAME=A,B,C: set a variable of the procedure; repeatable");
  add_seed(*command, options->seed, "seed of all random numbers of the run");
  command->add_flag("--untimed", options->untimed, "skip the timing: placement and write amplification only");
  add_no_cache(*command, options->no_cache);
  command->add_flag("--json", options->json, "print result.json instead of the summary");
  add_reading_options(*command, options->trace);
  add_replay_options(*command, options->trace);
  command->footer(
      "A file is read as a job file when its first line, apart from blank lines and comments, is a [section]. It is read as "
      "a\n"
      "trace when it is compressed, when its first lines match a trace format, or when an option for traces is given.\n"
      "--trace-format forces a trace.");
  when_chosen(*command, session, [options, &session] { return run(*options, session); });
}

void add_bench(CLI::App& app, Session& session) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "corners of a drive: 1 MiB, and 4 KiB at depths 1 to 64, fresh and steady");
  command->add_option("drive", options->drive, "a drive of the library (see ftlab drives) or a drive file")->required();
  command->add_option("--host", options->host, "the computer that it is in [ideal: no overhead]");
  add_repeated(*command, "--set", options->settings, "KEY=VALUE, as for ftlab run; repeatable");
  add_repeated(*command, "--variable", options->variables,
               "NAME=VALUE or NAME=A,B,C: of the procedure, as depth=1,32; repeatable");
  add_seed(*command, options->seed, "seed of all random numbers");
  command->add_option("--out", options->out, "folder for the results; it must be new or empty")->required();
  command->add_flag("--replace", options->replace, "replace an earlier result in --out");
  add_no_cache(*command, options->no_cache);
  command->add_flag("--json", options->json, "print result.json instead of the summary");
  command->footer("The procedure is configs/jobs/bench/corners.json; ftlab report draws its result.");
  when_chosen(*command, session, [options, &session] {
    options->job = config_folder() + "/jobs/bench/corners.json";
    return run_procedure_on_drive(*options, session);
  });
}

}  // namespace ftlab
