#include "bindings/cli/run/simulate.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "ftl/drive/config/table_bytes.h"
#include "sim/config/share.h"
#include "validation/results/machine_memory.h"
#include "validation/results/progress_line.h"
#include "validation/results/spare_note.h"
#include "validation/run/state_file.h"
#include "validation/run/traces/block_recording.h"
#include "validation/run/unusual_values.h"

namespace ftlab {

std::unique_ptr<SimulatedDevice> device_of(const RunOptions& options, Clock clock, std::vector<Note>& past) {
  auto device = options.load.empty()
                    ? new_device(load_drive(options.drive, options.settings, options.host), clock, options.seed)
                    : loaded_device(options.load, options.drive, options.host, options.settings, clock, past);
  if (!options.save.empty() && device->ssd() == nullptr)
    throw ConfigError({"--save", 0}, "", "is for SSDs; the state of a disk is not kept", options.save);
  return device;
}

StateCache cache_of(const RunOptions& options) {
  return options.no_cache || !options.load.empty() ? StateCache() : StateCache::of_user();
}

std::string reached_text(Nanoseconds now, std::uint64_t requests) {
  return fmt::format("simulated {:.1f} min, {:.1f} M requests", static_cast<double>(now.count()) / 60e9,
                     static_cast<double>(requests) / 1e6);
}

std::string memory_needs(SimulatedDevice& device, Precondition state) {
  const Drive& drive = *device.ssd();
  return memory_needs(drive.config(), drive.medium().pages().keeps_versions(), preconditioning_bytes(drive, state));
}

void report_memory(SimulatedDevice& device, Precondition state) {
  if (device.ssd() == nullptr) return;
  const Drive& drive = *device.ssd();
  const std::uint64_t bytes =
      table_bytes(drive.config(), drive.medium().pages().keeps_versions()) + preconditioning_bytes(drive, state);
  spdlog::log(bytes >= kMuchMemoryBytes ? spdlog::level::warn : spdlog::level::info, "{}: {}", drive.config().name,
              memory_needs(device, state));
}

namespace {

// True if content versions are not needed: the drive is new, its state is not saved, and nothing is verified or power cut.
bool can_discard_versions(const RunOptions& options, const RunWorkload& workload) {
  const std::vector<Job>& jobs = workload.jobs().jobs;
  return options.load.empty() && options.save.empty() && !workload.cuts_power() &&
         std::none_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.verify.on; });
}

// The length of a run until steady state is unknown, so no share is shown.
std::function<void(Nanoseconds, std::uint64_t)> reporting(const RunOptions& options, const RunWorkload& workload,
                                                          ProgressLine& line) {
  if (!options.until_steady.empty())
    return [&line](Nanoseconds now, std::uint64_t requests) { line.draw(reached_text(now, requests) + ", until steady"); };
  return [&line, progress = workload.progress()](Nanoseconds now, std::uint64_t requests) mutable {
    const std::optional<double> done = progress.done(now, requests);
    line.draw(reached_text(now, requests), done ? std::optional(ProgressShare{*done}) : std::nullopt);
  };
}

// A job's random numbers follow from the run's seed, its place in the file and its randseed. `seed`: of the saved state.
std::string repeats_note(const RunOptions& options, std::uint64_t seed, const RunWorkload& workload) {
  const auto draws_writes = [](const Job& job) { return job.pattern.writes && job.pattern.random && !job.replay; };
  if (options.load.empty() || workload.trace || seed != options.seed) return "";
  if (std::ranges::none_of(workload.jobs().jobs, draws_writes)) return "";
  return fmt::format(
      "its run had --seed {}, too: the same random jobs write the same pages again, and the others stay as they are; --seed {} "
      "or another randseed= in the job draws others",
      seed, seed + 1);
}

HostOptions host_of(const RunOptions& options, const RunWorkload& workload, const Session& session, ProgressLine& line) {
  HostOptions host;
  host.seed = options.seed;
  host.series_interval = workload.series_interval();
  host.leave = session.interrupted;  // keeps the result so far
  host.progress = reporting(options, workload, line);
  return host;
}

// True if the drive should keep its versions until it is preconditioned: only then its state can be kept for later runs.
bool keeps_versions_for_cache(const RunOptions& options, const Drive& drive, Precondition state) {
  if (!cache_of(options).on() || !is_cacheable(drive, state)) return false;
  const std::uint64_t needed = table_bytes(drive.config()) + preconditioning_bytes(drive, state);
  return needed <= std::min(free_memory_bytes().value_or(needed), free_address_bytes().value_or(needed));
}

// Brings the drive into the state that the run requires. Returns a description of what was done, empty if nothing.
std::string bring_into(Precondition state, SimulatedDevice& device, const RunWorkload& workload, const RunOptions& options,
                       const Session& session) {
  if (state != Precondition::trace) {
    ProgressLine line;
    const StateCache cache = cache_of(options);
    Preconditioning wanted{state, options.seed, session.interrupted, &cache};
    wanted.progress = [&line, state](double drive_writes, double at_most) {
      line.draw(fmt::format("preconditioning, {:.2f} drive writes", drive_writes),
                ProgressShare{drive_writes / at_most, state == Precondition::steady});
    };
    return precondition(device, wanted);
  }
  return workload.trace->prefill(device, session.interrupted);
}

std::optional<double> steady_within(const RunOptions& options) {
  if (options.until_steady.empty()) return std::nullopt;
  return share_of({"--until-steady", 0}, "", options.until_steady, kUntilSteady);
}

void refuse_watch(const RunOptions& options, std::optional<double> within, const RunWorkload& workload) {
  if (!within) return;
  if (workload.trace) throw ConfigError({"--until-steady", 0}, "", "is for job files; a trace ends with its last request");
  refuse_jobs_that_end(workload.job_file, options.job);
}

std::optional<SteadyWatch> watch_for(const RunOptions& options, SimulatedDevice& tested) {
  const std::optional<double> within = steady_within(options);
  if (!within) return std::nullopt;
  const DeviceInfo info = tested.device().info();
  return SteadyWatch(*within, {info.capacity_bytes, info.mapping_bytes}, tested.device().counters());
}

// Empty if no recording was requested.
std::optional<BlockRecording> recording_for(const RunOptions& options, const RunWorkload& workload,
                                            SimulatedDevice& device) {
  if (options.record_blocks.empty()) return std::nullopt;
  const auto refuse_if = [&options](bool met, const std::string& problem) {
    if (met) throw ConfigError({"--record-blocks", 0}, "", problem, options.record_blocks);
  };
  refuse_if(options.untimed, "takes pictures on a grid of simulated time, and --untimed has no clock");
  refuse_if(workload.cuts_power(), "would show what a power cut undoes; " + options.job + " cuts the power");
  refuse_if(device.ssd() == nullptr, "is for SSDs; a disk has no superblocks");
  const RecordingPlan plan = read_recording_plan(options.record_blocks);
  return std::make_optional<BlockRecording>(*device.ssd(), plan);
}

void warn_of_pictures_not_taken(const BlockRecording& recording, const RunStats& stats) {
  if (recording.taken() == recording.plan().pictures()) return;
  spdlog::warn("--record-blocks: the run ended at {} s, so {} of {} pictures were taken",
               static_cast<double>(stats.ended.count()) / 1e9, recording.taken(), recording.plan().pictures());
}

}  // namespace

PreparedRun prepared_run(const RunOptions& options) {
  if (!options.variables.empty())
    throw ConfigError({"--variable", 0}, "", "is for procedures; job files take ${NAME} from the environment", options.job);
  PreparedRun run;
  const Precondition state_before = precondition_named(options.precondition);
  const std::optional<double> within = steady_within(options);
  run.device = device_of(options, options.untimed ? Clock::untimed : Clock::timed, run.past);
  JobArguments arguments = options.jobs;
  arguments.zone_bytes = run.device->device().zones().zone_bytes;
  run.workload = load_workload(options.job, arguments, options.trace, run.device->user_bytes(), options.untimed);
  const Drive* const ssd = run.device->ssd();
  refuse_impossible_workload(run.workload, options.job, *run.device);
  if (can_discard_versions(options, run.workload)) {
    run.discard_versions_later = ssd != nullptr && keeps_versions_for_cache(options, *ssd, state_before);
    if (!run.discard_versions_later) run.device->discard_versions();
  } else if (ssd != nullptr) {
    refuse_beyond_memory(ssd->config(), true, ssd->config().name);
  }
  if (ssd != nullptr)
    if (const std::string note = spare_note(ssd->config()); !note.empty()) run.past.push_back({ssd->config().name, 0, note});
  if (ssd != nullptr)
    if (const std::string note = repeats_note(options, ssd->seed(), run.workload); !note.empty())
      run.past.push_back({options.load, 0, note});
  std::ranges::copy(unusual_values(run.device->document()), std::back_inserter(run.past));
  if (state_before == Precondition::trace && !run.workload.trace)
    throw ConfigError({"--precondition", 0}, "", "writes what a trace reads, and " + options.job + " is a job file",
                      options.precondition, "sequential, random, steady");
  if (state_before != Precondition::trace) refuse_preconditioning(*run.device, state_before);
  refuse_watch(options, within, run.workload);
  recording_for(options, run.workload, *run.device);
  if (!options.interval.empty()) run.intervals.emplace(options.interval);
  return run;
}

FinishedRun simulate(PreparedRun prepared, const RunOptions& options, const Session& session, ResultFolder& folder,
                     const std::string& part) {
  const std::string prefix = part.empty() ? "" : part + "/";
  SimulatedDevice& device = *prepared.device;
  FinishedRun run{std::move(prepared.workload), {}, {}, {}};
  report_memory(device, precondition_named(options.precondition));
  if (const std::string done = bring_into(precondition_named(options.precondition), device, run.workload, options, session);
      !done.empty())
    prepared.past.push_back({options.job, 0, done});
  if (prepared.discard_versions_later) device.discard_versions();
  run.workload.note(prepared.past);
  run.watch = watch_for(options, device);
  std::optional<BlockRecording> recording = recording_for(options, run.workload, device);
  std::optional<StateFile> state;
  if (!options.save.empty()) state.emplace(options.save, folder.place_of(options.save));
  for (const Note& note : run.workload.jobs().notes) spdlog::warn("{}{}", part.empty() ? "" : part + ": ", note.shown());

  const auto began = std::chrono::steady_clock::now();
  ProgressLine line;
  HostOptions host = host_of(options, run.workload, session, line);
  if (run.watch) host.enough = [&run](const SeriesRow& row) { return run.watch->add(row); };
  run.stats = device.run(run.workload, host, recording ? &*recording : nullptr);
  line.wipe();
  const RunStats& stats = run.stats;
  if (stats.left_early && (stats.requests == 0 || folder.replaces())) throw Interrupted();  // keeps a complete result
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;

  const Effort effort{options.seed, wall.count(), peak_rss_bytes()};
  WorkloadReport report = run.workload.report(stats);
  if (prepared.intervals) report.intervals = &*prepared.intervals;
  run.result = device.result(run.workload.jobs(), stats, effort, report, run.watch ? &*run.watch : nullptr);
  for (const ResultFile& file : run.result.files) folder.write(prefix + file.name, file.text);
  if (recording) {
    warn_of_pictures_not_taken(*recording, stats);
    folder.write(prefix + "blocks.json", recording->text(stats));
  }
  if (state && !stats.left_early) device.save(*state);
  return run;
}

}  // namespace ftlab
