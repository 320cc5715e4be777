// ftlab run JOB.fio --drive DRIVE --out DIR
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/cli/commands.h"
#include "sim/config/share.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/stats/steady_watch.h"
#include "validation/results/machine_memory.h"
#include "validation/results/procedure_summary.h"
#include "validation/results/progress_line.h"
#include "validation/results/result.h"
#include "validation/results/result_folder.h"
#include "validation/results/run_problems.h"
#include "validation/results/spare_note.h"
#include "validation/results/intervals.h"
#include "validation/results/summary.h"
#include "validation/run/job_input.h"
#include "validation/run/own_files.h"
#include "validation/run/precondition.h"
#include "validation/run/procedure_run.h"
#include "validation/run/simulated_device.h"
#include "validation/run/state_file.h"
#include "validation/run/traces/block_recording.h"
#include "validation/run/unusual_values.h"
#include "validation/run/workload.h"

namespace ftlab {
namespace {

struct RunOptions {
  std::string job;
  std::string drive;
  std::string host;
  std::string out;
  std::vector<std::string> settings;
  JobArguments jobs;
  std::vector<std::string> variables;
  std::string save;
  std::string load;
  std::string until_steady;   // a share (sim/config/share.h); empty: the run ends with its jobs
  std::string precondition;   // state of the drive before the run; empty: unchanged
  std::string record_blocks;  // FROM:TO:EVERY; empty: no recording
  std::string interval;       // what the drive file is based on; empty: no intervals
  std::uint64_t seed = 1;
  bool untimed = false;
  bool replace = false;
  bool json = false;
  TraceArguments trace;
};

void refuse_state_of_disk(const std::string& save, SimulatedDevice& device) {
  if (!save.empty() && device.ssd() == nullptr)
    throw ConfigError({"--save", 0}, "", "is for SSDs; the state of a disk is not kept", save);
}

std::unique_ptr<SimulatedDevice> device_of(const RunOptions& options, Clock clock, std::vector<Note>& past) {
  return options.load.empty() ? new_device(load_drive(options.drive, options.settings, options.host), clock, options.seed)
                              : loaded_device(options.load, options.drive, options.host, options.settings, clock, past);
}

// True if content versions are not needed: the drive is new, its state is not saved, and nothing is verified or power cut.
bool can_discard_versions(const RunOptions& options, const RunWorkload& workload) {
  const std::vector<Job>& jobs = workload.jobs().jobs;
  return options.load.empty() && options.save.empty() && !workload.cuts_power() &&
         std::none_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.verify.on; });
}

std::string reached(Nanoseconds now, std::uint64_t requests) {
  return fmt::format("simulated {:.1f} min, {:.1f} M requests", static_cast<double>(now.count()) / 60e9,
                     static_cast<double>(requests) / 1e6);
}

// The length of a run until steady state is unknown, so no share is shown.
std::function<void(Nanoseconds, std::uint64_t)> reporting(const RunOptions& options, const RunWorkload& workload,
                                                          ProgressLine& line) {
  if (!options.until_steady.empty())
    return [&line](Nanoseconds now, std::uint64_t requests) { line.draw(reached(now, requests) + ", until steady"); };
  return [&line, progress = workload.progress()](Nanoseconds now, std::uint64_t requests) mutable {
    const std::optional<double> done = progress.done(now, requests);
    line.draw(reached(now, requests), done ? std::optional(ProgressShare{*done}) : std::nullopt);
  };
}

HostOptions host_of(const RunOptions& options, const RunWorkload& workload, const Session& session, ProgressLine& line) {
  HostOptions host;
  host.seed = options.seed;
  host.series_interval = workload.series_interval();
  host.leave = session.interrupted;  // keeps the result so far
  host.progress = reporting(options, workload, line);
  return host;
}

// Brings the drive into the state that the run requires. Returns a description of what was done, empty if nothing.
std::string bring_into(Precondition state, SimulatedDevice& device, const RunWorkload& workload, const RunOptions& options,
                       const Session& session) {
  if (state != Precondition::trace) {
    ProgressLine line;
    HostOptions host;
    host.seed = options.seed;
    host.interrupted = session.interrupted;
    host.progress = [&line](Nanoseconds, std::uint64_t requests) {
      line.draw(fmt::format("preconditioning, {:.1f} M requests", static_cast<double>(requests) / 1e6));
    };
    return precondition(device, state, host);
  }
  if (!workload.trace)
    throw ConfigError({"--precondition", 0}, "", "writes what a trace reads, and " + options.job + " is a job file",
                      options.precondition, "sequential, random, steady");
  return workload.trace->prefill(device, session.interrupted);
}

std::optional<double> steady_within(const RunOptions& options) {
  if (options.until_steady.empty()) return std::nullopt;
  return share_of({"--until-steady", 0}, "", options.until_steady, kUntilSteady);
}

std::optional<SteadyWatch> watch_for(const RunOptions& options, std::optional<double> within, const RunWorkload& workload,
                                     SimulatedDevice& tested) {
  if (!within) return std::nullopt;
  if (workload.trace) throw ConfigError({"--until-steady", 0}, "", "is for job files; a trace ends with its last request");
  refuse_jobs_that_end(workload.job_file, options.job);
  const DeviceInfo info = tested.device().info();
  return SteadyWatch(*within, {info.capacity_bytes, info.mapping_bytes}, tested.device().counters());
}

// Empty if no recording was requested.
std::optional<BlockRecording> recording_for(const RunOptions& options, const RunWorkload& workload,
                                            SimulatedDevice& device) {
  if (options.record_blocks.empty()) return std::nullopt;
  const ConfigError::Place place{"--record-blocks", 0};
  if (options.untimed)
    throw ConfigError(place, "", "takes pictures on a grid of simulated time, and --untimed has no clock",
                      options.record_blocks);
  if (workload.cuts_power())
    throw ConfigError(place, "", "would show what a power cut undoes; " + options.job + " cuts the power",
                      options.record_blocks);
  const RecordingPlan plan = read_recording_plan(options.record_blocks);
  if (device.ssd() == nullptr) throw ConfigError(place, "", "is for SSDs; a disk has no superblocks", options.record_blocks);
  return std::make_optional<BlockRecording>(*device.ssd(), plan);
}

void warn_of_pictures_not_taken(const BlockRecording& recording, const RunStats& stats) {
  if (recording.taken() == recording.plan().pictures()) return;
  spdlog::warn("--record-blocks: the run ended at {} s, so {} of {} pictures were taken",
               static_cast<double>(stats.ended.count()) / 1e9, recording.taken(), recording.plan().pictures());
}

int print(const Result& result, const RunStats& stats, const RunOptions& options, const SteadyWatch* watch) {
  if (options.json) {
    std::fputs(result.files.front().text.c_str(), stdout);
  } else {
    std::fputs(summary(result, stats, options.out).c_str(), stdout);
    if (watch != nullptr) std::fputs(steady_summary(*watch).c_str(), stdout);
    if (!options.interval.empty()) std::fputs(interval_table(result).c_str(), stdout);
  }
  bool job_failed = false;
  for (const JobStats& job : stats.jobs) {
    if (job.error != 0) spdlog::warn("[{}] {}", job.job->name, job.failure());
    job_failed = job_failed || job.error != 0;
  }
  for (const Problem& problem : result.problems) spdlog::warn("problem: {}", problem_line(problem));
  for (const std::string& failed : result.failed_checks) std::fprintf(stderr, "%s\n", failed.c_str());
  if (!result.failed_checks.empty()) return kResultFailed;
  return result.failed_requests > 0 || job_failed ? kDriveFailed : kDone;
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
    line.draw("this step " + reached(now, requests), ProgressShare{*done, true});
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

int run_procedure_on_drive(const RunOptions& options, const Session& session) {
  if (options.untimed)
    throw ConfigError({"--untimed", 0}, "", "applies to job files only; the steps of a procedure state their own clock");
  if (options.jobs.strict || !options.jobs.shrink.empty())
    throw ConfigError({options.jobs.strict ? "--strict" : "--shrink-jobs", 0}, "", "is for job files, not for procedures");
  if (!options.until_steady.empty())
    throw ConfigError({"--until-steady", 0}, "", "is for job files; a procedure has the step \"rounds\"");
  if (!options.precondition.empty())
    throw ConfigError({"--precondition", 0}, "", "is for job files and traces; a procedure has the step \"precondition\"");
  if (!options.record_blocks.empty())
    throw ConfigError({"--record-blocks", 0}, "", "is for job files and traces; record a step of a procedure as a job file");
  if (!options.interval.empty())
    throw ConfigError({"--interval", 0}, "", "is for job files and traces; the figures of a procedure are those of its steps");
  std::vector<Note> past;
  const std::unique_ptr<SimulatedDevice> device = device_of(options, Clock::timed, past);
  refuse_state_of_disk(options.save, *device);
  for (const Note& note : past) spdlog::warn("{}", note.shown());
  ProgressLine line;
  session.heed_interruption();
  const auto outcome = run_procedure(procedure_of(options, session, line), *device);
  line.wipe();
  return print(*outcome, options);
}

int run(const RunOptions& options, const Session& session) {
  if (options.drive.empty() && options.load.empty()) {
    throw ConfigError({"ftlab run", 0}, "--drive", "is missing", {},
                      "a drive of the library, the path of a drive file, or --load STATE");
  }
  refuse_unless_jobs_or_procedure(options.job);
  if (is_procedure_file(options.job)) return run_procedure_on_drive(options, session);
  if (!options.variables.empty())
    throw ConfigError({"--variable", 0}, "", "is for procedures; job files take ${NAME} from the environment", options.job);
  const Precondition state_before = precondition_named(options.precondition);
  const std::optional<double> within = steady_within(options);
  const Clock clock = options.untimed ? Clock::untimed : Clock::timed;
  std::vector<Note> past;
  const std::unique_ptr<SimulatedDevice> device = device_of(options, clock, past);
  refuse_state_of_disk(options.save, *device);
  RunWorkload workload = load_workload(options.job, options.jobs, options.trace, device->user_bytes(), options.untimed);
  const Drive* const ssd = device->ssd();
  refuse_impossible_workload(workload, options.job, *device);
  if (can_discard_versions(options, workload)) {
    device->discard_versions();
  } else if (ssd != nullptr) {
    refuse_beyond_memory(ssd->config(), true, ssd->config().name);
  }
  if (ssd != nullptr)
    if (const std::string note = spare_note(ssd->config()); !note.empty()) past.push_back({ssd->config().name, 0, note});
  std::ranges::copy(unusual_values(device->document()), std::back_inserter(past));
  session.heed_interruption();
  if (const std::string done = bring_into(state_before, *device, workload, options, session); !done.empty())
    past.push_back({options.job, 0, done});
  workload.note(past);
  std::optional<SteadyWatch> watch = watch_for(options, within, workload, *device);
  std::optional<BlockRecording> recording = recording_for(options, workload, *device);
  const auto intervals = options.interval.empty() ? std::nullopt : std::make_optional<Intervals>(options.interval);
  ResultFolder folder(options.out, options.replace, {options.save});
  std::optional<StateFile> state;
  if (!options.save.empty()) state.emplace(options.save, folder.place_of(options.save));
  for (const Note& note : workload.jobs().notes) spdlog::warn("{}", note.shown());

  const auto began = std::chrono::steady_clock::now();
  ProgressLine line;
  HostOptions host = host_of(options, workload, session, line);
  if (watch) host.enough = [&watch](const SeriesRow& row) { return watch->add(row); };
  const RunStats stats = device->run(workload, host, recording ? &*recording : nullptr);
  line.wipe();
  if (stats.left_early && (stats.requests == 0 || folder.replaces())) throw Interrupted();  // keeps a complete result
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;

  const Effort effort{options.seed, wall.count(), peak_rss_bytes()};
  Result result = device->result(workload.jobs(), stats, effort, workload.report(stats), watch ? &*watch : nullptr);
  if (intervals) add_intervals(result, stats, *intervals);
  for (const ResultFile& file : result.files) folder.write(file.name, file.text);
  if (recording) {
    warn_of_pictures_not_taken(*recording, stats);
    folder.write("blocks.json", recording->text(stats));
  }
  if (stats.left_early) folder.write(kIncompleteMark, "This result is incomplete: it was interrupted\n");
  if (state && !stats.left_early) device->save(*state);
  folder.commit();
  const int status = print(result, stats, options, watch ? &*watch : nullptr);
  if (!stats.left_early) return status;
  std::fprintf(stderr, "interrupted; what there was is kept in %s, marked %s%s\n", options.out.c_str(), kIncompleteMark,
               state ? "; the drive's state is not saved" : "");
  return kInterrupted;
}

// The option parser would accept -1 and numbers over 64 bits as the largest number, and 010 as 8.
std::string seed_problem(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool decimal = error == std::errc() && end == text.data() + text.size() && std::to_string(seed) == text;
  return decimal ? "" : printable(text) + " is not a seed (allowed: 0 to 18446744073709551615)";
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
  command->add_option("--drive", options->drive, "a drive of the library (see ftlab drives) or a drive file");
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
  command->add_option("--interval", options->interval,
                      "add the bounds in which a real drive's figures lie in 80 % of cases, as learned from how the library's "
                      "drives miss; what the drive file is based on: sheet (data sheets and reviews), this-port (measurements "
                      "in this computer) or other-port (in another one)");
  command->add_option(
      "--precondition", options->precondition,
      "state of the drive before the run: sequential (written once), random (then twice over at random) or "
      "steady (at random until write amplification stays), or trace (what the trace reads before it writes it, "
      "written once in order); takes no simulated time");
  command
      ->add_option("--record-blocks", options->record_blocks,
                   "FROM:TO:EVERY, e.g. 0:120s:500ms: record the state of all superblocks in blocks.json; the "
                   "report animates it")
      ->check(CLI::Validator([](std::string& text) { return text.empty() ? "is empty" : ""; }, "", "stretch"));
  command->add_option("--out", options->out, "folder for the results; it must be new or empty")->required();
  command->add_flag("--replace", options->replace, "replace an earlier result in --out");
  command
      ->add_option("--set", options->settings,
                   "KEY=VALUE: set any key of the drive file, e.g. ftl.gc.policy=greedy, or of the host, e.g. host.cores=4; "
                   "repeatable")
      ->allow_extra_args(false);
  add_job_options(*command, options->jobs);
  command
      ->add_option("--variable", options->variables, "NAME=VALUE or NAME=A,B,C: set a variable of the procedure; repeatable")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "seed of all random numbers of the run")
      ->check(CLI::Validator(seed_problem, "", "seed"))
      ->capture_default_str();
  command->add_flag("--untimed", options->untimed, "skip the timing: placement and write amplification only");
  command->add_flag("--json", options->json, "print result.json instead of the summary");
  add_reading_options(*command, options->trace);
  add_replay_options(*command, options->trace);
  command->footer(
      "A file is read as a job file when its first line, apart from blank lines and comments, is a [section]. It is read as "
      "a\n"
      "trace when it is compressed, when its first lines match a trace format, or when an option for traces is given.\n"
      "--trace-format forces a trace.");
  command->callback([options, &session] { session.chosen = [options, &session] { return run(*options, session); }; });
}

}  // namespace ftlab
