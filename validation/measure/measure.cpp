#include "validation/measure/measure.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "sim/config/file.h"
#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/procedures/execute.h"
#include "validation/measure/contents/durability_log.h"
#include "validation/measure/device/content.h"
#include "validation/measure/health/health_watch.h"
#include "validation/measure/preparation.h"
#include "validation/measure/real_run.h"
#include "validation/measure/target/facts.h"
#include "validation/results/progress_line.h"
#include "validation/results/standard_output.h"
#include "validation/run/job_input.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

OpenTarget open_target(const MeasureOptions& options) {
  if (options.keep && !options.create)
    throw ConfigError({"--keep", 0}, "", "is for the file that --create makes; any other one stays as it is");
  if (!options.create) return OpenTarget::open(options.device);
  if (!options.size_bytes || options.offset_bytes != 0)
    throw ConfigError({"--create", 0}, "", "needs --size, and no --offset: it is the size of the new file");
  return OpenTarget::create(options.device, *options.size_bytes);
}

ByteRange range_of(const MeasureOptions& options, const DeviceFacts& facts) {
  const std::uint64_t end = facts.size_bytes.value_or(0);
  if (!options.size_bytes && options.offset_bytes >= end)
    throw ConfigError({"--offset", 0}, "", "lies behind the end of the device", std::to_string(options.offset_bytes),
                      "less than " + std::to_string(end));
  const std::uint64_t size = options.size_bytes.value_or(end - options.offset_bytes);
  if (size < kSectorBytes)
    throw ConfigError({"--size", 0}, "", "is less than a sector", std::to_string(size), "at least 512 bytes");
  return {options.offset_bytes, options.offset_bytes + size};
}

Intent intent_of(const MeasureOptions& options, const Plan& plan, const ByteRange& range) {
  Intent intent = plan.intent(range, 0);
  intent.destroy = options.destroy;
  intent.discard_consent = options.allow_discard;
  return intent;
}

std::string name_of(const DeviceFacts& facts) {
  return facts.resolved + (facts.context.model ? " (" + *facts.context.model + ")" : "") +
         (facts.serial ? ", serial number " + *facts.serial : "");
}

int report(const DeviceFacts& facts, const Plan& plan, const ByteRange& range, const Decision& decision,
           const std::string& illness) {
  std::fputs((name_of(facts) + "\n" + plan.text(range)).c_str(), stdout);
  const Refusal* const refusal = std::get_if<Refusal>(&decision);
  if (refusal == nullptr && illness.empty()) {
    std::fputs("  It would be done. This was a dry run: nothing was written.\n", stdout);
    return kDone;
  }
  std::fputs(((refusal != nullptr ? refusal->text() : "") + illness).c_str(), stderr);
  return kRefused;
}

// Clears O_NONBLOCK, with which the device would fail requests that have to wait.
void make_blocking(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0)
    throw TargetError("the open target cannot be set to wait for its requests");
  if ((::fcntl(descriptor, F_GETFL) & O_DIRECT) == 0) throw TargetError("the open target is no longer open for direct I/O");
}

std::string reported(const SeriesRow& row) {
  std::uint64_t requests = 0, bytes = 0;
  for (const std::uint64_t count : row.requests) requests += count;
  for (const std::uint64_t count : row.bytes) bytes += count;
  const double seconds = static_cast<double>(row.length.count()) / 1e9;
  return fmt::format("{:.0f} s, {:.0f} IOPS, {:.1f} MB/s", static_cast<double>(row.end.count()) / 1e9,
                     static_cast<double>(requests) / seconds, static_cast<double>(bytes) / seconds / 1e6);
}

// Returns a number that differs from that of every other run.
std::uint64_t new_run(std::uint64_t seed) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return RandomStream(seed ^ static_cast<std::uint64_t>(now), "run " + std::to_string(::getpid())).bits();
}

// Everything that a permitted measurement runs on.
class Bench {
 public:
  Bench(const MeasureOptions& options, const OpenTarget& target, const DeviceFacts& facts, const Permit& permit,
        const Plan& plan, std::atomic<bool>& leave)
      : device_(permit, engine_of(options, target, *facts.kind, plan.footprint.depth),
                {name_of(facts), options.seed, new_run(options.seed), plan.footprint.depth, &leave}),
        promises_(promises_of(options, facts, permit, device_)),
        watchdog_(
            promises_ ? static_cast<Device&>(*promises_) : device_,
            {std::chrono::seconds(options.patience_s), [this](std::uint64_t tag) { return device_.problem(tag); }, &leave}) {
  }

  RealDevice& device() { return device_; }
  Watchdog& watchdog() { return watchdog_; }

 private:
  static std::unique_ptr<DurabilityLog> promises_of(const MeasureOptions& options, const DeviceFacts& facts,
                                                    const Permit& permit, RealDevice& device) {
    if (options.state.empty()) return nullptr;
    device.stamp_writes();
    return std::make_unique<DurabilityLog>(device, options.state, device.run(), facts.serial.value_or(""), permit.range());
  }

  static std::unique_ptr<Engine> engine_of(const MeasureOptions& options, const OpenTarget& target, TargetKind kind,
                                           std::size_t depth) {
    std::string why_not;
    std::unique_ptr<Engine> engine = make_engine(options.engine, target.descriptor(), kind, depth, why_not);
    if (!why_not.empty()) spdlog::warn("io_uring is not used, threads are: {}", why_not);
    return engine;
  }

  RealDevice device_;
  std::unique_ptr<DurabilityLog> promises_;  // only if the run has a state file
  Watchdog watchdog_;
};

int status_of(const RealRun::Outcome& outcome) {
  if (outcome.interrupted) return kInterrupted;
  const bool failed = !outcome.ended_because.empty() || outcome.failed_requests > 0 || outcome.mismatches > 0;
  return failed || outcome.job_failed ? kDriveFailed : kDone;
}

int report(const RealRun::Outcome& outcome, const MeasureOptions& options) {
  const std::filesystem::path result = std::filesystem::path(options.out) / "result.json";
  if (options.json && std::filesystem::exists(result)) {
    std::fputs(read_text_file(result.string()).c_str(), stdout);
  } else {
    std::fputs((outcome.table + "  result: " + options.out + "\n").c_str(), stdout);
  }
  if (!outcome.ended_because.empty())
    std::fprintf(stderr, "the measurement is incomplete: %s\n", outcome.ended_because.c_str());
  return status_of(outcome);
}

// Facts about the device, and its health before the first request.
struct KnownTarget {
  DeviceFacts facts;
  SmartAnswer smart;  // block devices only
};

KnownTarget inspect_target(const OpenTarget& target) {
  KnownTarget known{gather_facts(target), {}};
  known.smart.why_not = "a file has no SMART";
  if (known.facts.kind != TargetKind::block_device) return known;
  known.smart = ask_smartctl(known.facts.resolved);
  if (known.smart.reading) add_smart_identity(known.facts, *known.smart.reading);
  return known;
}

Json smart_of(const SmartAnswer& answer) {
  if (!answer.reading) return {{"not_known", answer.why_not}};
  Json json = smart_json(*answer.reading);
  json["unjudged"] = unjudged(*answer.reading);
  return json;
}

// Returns why the drive's health forbids a measurement (R14).
std::string bad_health(const SmartAnswer& answer) {
  std::string text;
  if (!answer.reading) return text;
  for (const std::string& reason : beyond_limits(*answer.reading, SmartLimits{})) text += "R14: " + reason + "\n";
  if (!text.empty()) text += rules_explained({{"R14", ""}});
  return text;
}

// Before anything is touched, finds steps that a real device cannot execute.
void rehearse_all(const Plan& plan, const Permit& permit, const std::atomic<bool>& leave) {
  if (plan.procedure) rehearse(*plan.procedure, MeasuredDevice(nullptr, nullptr, permit.may_discard(), leave), plan.context);
}

// Executes a permitted measurement, step by step.
class PermittedRun {
 public:
  PermittedRun(const MeasureOptions& options, const KnownTarget& known, const Plan& plan, const Intent& intent,
               const Permit& permit, std::atomic<bool>& leave)
      : options_(options), known_(known), plan_(plan), intent_(intent), permit_(permit), leave_(leave) {}

  int run(OpenTarget& target) {
    rehearse_all(plan_, permit_, leave_);
    if (plan_.jobs)
      for (const Note& note : plan_.jobs->notes) spdlog::warn("{}", note.shown());
    GrowingFolder folder(options_.out);
    const Json preparation =
        preparation_json({known_.facts, intent_, options_.seed, plan_.text_of_work, plan_.json(), smart_of(known_.smart)});
    const OnRecord record = keep_on_record(folder.path() / "preamble.json", preparation);
    if (options_.keep) target.keep();
    if (target.created_here()) fill_created_file(target, record);
    if (plan_.footprint.writes || plan_.footprint.trims) target.allow_writing(permit_, record);
    make_blocking(target.descriptor());
    ::prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);  // makes rates and pauses exact to the microsecond
    Bench bench(options_, target, known_.facts, permit_, plan_, leave_);
    return measure(bench, folder, {{"device", preparation["device"]}, {"host", preparation["host"]}});
  }

 private:
  void fill_created_file(const OpenTarget& target, const OnRecord& record) {
    const ContentBytes content(options_.seed);
    target.fill_created_file(
        record, [&content](std::span<std::byte> bytes, std::uint64_t offset) { content.fill(bytes, Request{}, ~offset); });
  }

  int measure(Bench& bench, GrowingFolder& folder, const Json& device) {
    HealthWatch health(known_.facts.resolved, known_.smart, leave_);
    ProgressLine progress;
    RealRun::Options how{options_.seed, device, &leave_, [&progress](const SeriesRow& row) { progress.draw(reported(row)); },
                         [&health] { return health.reason(); }};
    RealRun real_run(bench.device(), bench.watchdog(), folder, how);
    MeasuredDevice tested(&bench.watchdog(), &bench.device(), permit_.may_discard(), leave_);
    const RealRun::Outcome outcome = plan_.jobs
                                         ? real_run.run(*plan_.jobs, series_interval_for(*plan_.jobs))
                                         : real_run.execute(*plan_.procedure, plan_.text_of_work, tested, plan_.context);
    progress.wipe();
    folder.write("smart.json", health.finish().dump(2) + "\n");
    if (outcome.ended_because.empty()) folder.complete();
    return report(outcome, options_);
  }

  const MeasureOptions& options_;
  const KnownTarget& known_;
  const Plan& plan_;
  const Intent& intent_;
  const Permit& permit_;
  std::atomic<bool>& leave_;
};

}  // namespace

int check_promises(const std::string& state, const std::string& device) {
  const Promises promises = read_promises(state);
  const OpenTarget target = OpenTarget::open(device);
  const DeviceFacts facts = gather_facts(target);
  if (facts.serial.value_or("") != promises.serial)
    throw ConfigError({state, 1}, "", "is of another device than " + device, promises.serial, facts.serial.value_or(""));
  const AfterCut after = ftlab::check_against(promises, target.descriptor());
  std::fputs(after.text().c_str(), stdout);
  return after.holds() ? kDone : kDriveFailed;
}

int measure(const MeasureOptions& options, std::atomic<bool>& leave) {
  if (options.work.file.empty()) throw ConfigError({"ftlab-measure", 0}, "", "needs a job file or a procedure");
  if (options.out.empty() && !options.dry_run) throw ConfigError({"ftlab-measure", 0}, "--out", "is missing");
  OpenTarget target = open_target(options);
  KnownTarget known = inspect_target(target);
  const ByteRange range = range_of(options, known.facts);
  const Plan plan = make_plan(options.work, range.end - range.first);
  if (known.facts.kind == TargetKind::regular_file && !target.created_here())
    known.facts.unwritten_bytes = unwritten_bytes(target.descriptor(), plan.reads(range));
  const Intent intent = intent_of(options, plan, range);
  const Decision decision = decide(known.facts, intent);
  const std::string illness = bad_health(known.smart);
  if (options.dry_run) return report(known.facts, plan, range, decision, illness);
  const Refusal* const refusal = std::get_if<Refusal>(&decision);
  if (refusal != nullptr || !illness.empty()) {
    std::fputs(((refusal != nullptr ? refusal->text() : "") + illness).c_str(), stderr);
    return kRefused;
  }
  return PermittedRun(options, known, plan, intent, std::get<Permit>(decision), leave).run(target);
}

}  // namespace ftlab
