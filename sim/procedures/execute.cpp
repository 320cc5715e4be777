#include "sim/procedures/execute.h"

#include <algorithm>
#include <set>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/counters.h"
#include "sim/host/jobs/host_zones.h"
#include "sim/host/stack/rebased_device.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kTrimBytes = std::uint64_t{64} << 20;  // per command
constexpr std::size_t kFewestDigits = 2;

bool matches(const Track& track, const Step& step, const Values& values) {
  if (!step.measured || (step.kind != StepKind::job)) return false;
  if (!track.step.empty() && track.step != step.name) return false;
  return std::all_of(track.where.begin(), track.where.end(), [&values](const auto& wanted) {
    const auto has =
        std::find_if(values.rbegin(), values.rend(), [&wanted](const auto& v) { return v.first == wanted.first; });
    return has != values.rend() && has->second == wanted.second;
  });
}

class Rehearsal : public Performer {
 public:
  Rehearsal(const Procedure& procedure, const DeviceUnderTest& device, std::uint64_t capacity_bytes)
      : procedure_(procedure), device_(device), zones_(device.zones()), capacity_bytes_(capacity_bytes) {}

  std::size_t steps() const { return steps_; }

  void act(const Action& action) override {
    const Step& step = *action.step;
    const auto verifies = [](const Job& job) { return job.verify.on; };
    if (std::any_of(action.jobs.jobs.begin(), action.jobs.jobs.end(), verifies)) require(step, Ability::contents);
    const auto trims = [](const Job& job) { return job.pattern.trims; };
    const bool by_trim = step.kind == StepKind::trim || (step.kind == StepKind::purge && !step.new_drive);
    if (by_trim || std::any_of(action.jobs.jobs.begin(), action.jobs.jobs.end(), trims)) require(step, Ability::trim);
    if (by_trim) require_whole_zones(action);
    fitting_zones(zones_, "the device", capacity_bytes_, action.jobs.jobs, procedure_.file);
    steps_ += rounds_ == nullptr ? 1 : rounds_->rule.most;
    if (rounds_ != nullptr) tracked_ += matches(rounds_->track, step, action.values);
    switch (step.kind) {
      case StepKind::purge:
        if (step.new_drive) require(step, Ability::replace);
        break;
      case StepKind::age: require_aging(action); break;
      case StepKind::power_cycle: require(step, Ability::power_cycle); break;
      case StepKind::snapshot:
        require(step, Ability::snapshot);
        kept_.insert(step.name);
        break;
      case StepKind::restore:
        require(step, Ability::snapshot);
        if (kept_.count(step.name) == 0) refuse(step, "names no snapshot that was made before it", step.name);
        break;
      default: break;
    }
  }

  void begin_rounds(const Step& step, const Values&) override {
    rounds_ = &step;
    tracked_ = 0;
  }

  bool another_round() override {
    if (tracked_ != 1) {
      throw ConfigError({procedure_.file, rounds_->track.line}, rounds_->path + ".track",
                        "names " + std::to_string(tracked_) + " rows of each round", {},
                        "exactly one: its \"step\", and \"where\" its variables have which values");
    }
    rounds_ = nullptr;
    return false;
  }

 private:
  void require(const Step& step, Ability ability) const {
    const std::string reason = device_.cannot(ability);
    if (!reason.empty()) refuse(step, "cannot be done here: the device " + reason);
  }

  void require_whole_zones(const Action& action) const {
    const std::uint64_t zone = zones_.zone_bytes;
    if (zone == 0 || (action.offset_bytes % zone == 0 && action.length_bytes % zone == 0)) return;
    refuse(*action.step, "resets whole zones of the device",
           std::to_string(action.offset_bytes) + " + " + std::to_string(action.length_bytes),
           "multiples of " + std::to_string(zone));
  }

  void require_aging(const Action& action) const {
    const Step& step = *action.step;
    if (step.counted) return require_counting(action);
    require(step, step.state.empty() ? Ability::untimed : Ability::states);
    if (zones_.zone_bytes != 0 && !step.state.empty() && step.state != "sequential")
      refuse(step, "is not a state of a zoned drive, whose zones are written in order", step.state, "sequential");
  }

  void require_counting(const Action& action) const {
    static const std::string kByRequests = "\"by\": \"requests\", which carries out every write";
    const Step& step = *action.step;
    const std::string reason = device_.cannot(Ability::counting);
    if (!reason.empty()) refuse(step, "cannot be counted: the device " + reason, {}, kByRequests);
    const std::uint64_t block_bytes = device_.counted_block_bytes();
    if (action.block_bytes == block_bytes) return;
    refuse(step, "counts whole pages of the drive's map, and blocks of another size change more or less than one",
           std::to_string(action.block_bytes), "\"block_bytes\": " + std::to_string(block_bytes) + ", or " + kByRequests);
  }

  [[noreturn]] void refuse(const Step& step, const std::string& problem, const std::string& value = {},
                           const std::string& allowed = {}) const {
    throw ConfigError({procedure_.file, step.line}, step.path + " (" + name_of(step.kind) + ")", problem, value, allowed);
  }

  const Procedure& procedure_;
  const DeviceUnderTest& device_;
  const ZoneReport zones_;
  std::uint64_t capacity_bytes_;
  std::set<std::string> kept_;
  std::size_t steps_ = 0;
  const Step* rounds_ = nullptr;
  std::size_t tracked_ = 0;
};

// Sends one command at a time; returns the time at which the last is done. Failed commands are counted in `failed`. Zones of
// a zoned device are reset.
Nanoseconds trim_range(Device& device, Nanoseconds now, std::uint64_t offset, std::uint64_t length, std::uint64_t& failed) {
  const std::uint64_t zone = device.zones().zone_bytes;
  while (length > 0) {
    Request request{0, Op::trim, offset, std::min(length, zone == 0 ? kTrimBytes : zone), now};
    if (zone != 0) request.zone = ZoneCommand::reset;
    device.submit({&request, 1});
    Completion done;
    FTLAB_CHECK(device.wait(kNever, {&done, 1}) == 1, "a trim never came back");
    failed += done.status != Status::ok;
    now = done.completed;
    offset += request.length_bytes;
    length -= request.length_bytes;
  }
  return now;
}

class Performance : public Performer {
 public:
  Performance(const ProcedureOptions& options, DeviceUnderTest& device, std::size_t most_steps)
      : options_(options), device_(device), digits_(std::max(kFewestDigits, std::to_string(most_steps).size())) {}

  ProcedureRecord finish() { return std::move(record_); }

  void act(const Action& action) override {
    StepRecord step{action.number, action.step, {}, action.round, action.values, now_, now_, {}, {}, 0, {}};
    const std::uint64_t energy_before = energy_now();
    switch (action.step->kind) {
      case StepKind::purge: purge(action); break;
      case StepKind::trim: trim(action); break;
      case StepKind::idle:
        device_.idle(action.duration);
        now_ += action.duration;
        break;
      case StepKind::snapshot: device_.keep(action.step->name); break;
      case StepKind::restore: device_.take_back(action.step->name); break;
      case StepKind::power_cycle: device_.power_cycle(); break;
      case StepKind::age:
        if (action.step->counted || !action.step->state.empty()) {
          age(action);
          break;
        }
        device_.set_timed(false);
        run(action, step);
        device_.set_timed(true);
        break;
      default: run(action, step); break;
    }
    step.ended = now_;
    step.mapped_bytes = device_.device().counters().mapped_bytes;
    if (!is_another_device(*action.step) && energy_now() > 0) step.energy_pj = energy_now() - energy_before;
    record_.steps.push_back(std::move(step));
  }

  void begin_rounds(const Step& step, const Values& values) override {
    record_.rounds.push_back({&step, values, {}, {}});
    round_begins_ = record_.steps.size();
  }

  bool another_round() override {
    RoundsRecord& rounds = record_.rounds.back();
    const Track& track = rounds.step->track;
    for (std::size_t i = round_begins_; i < record_.steps.size(); ++i) {
      const StepRecord& step = record_.steps[i];
      if (matches(track, *step.step, step.values)) rounds.tracked.push_back(step.figures->value(track.figure));
    }
    round_begins_ = record_.steps.size();
    rounds.judged = judge_rounds(rounds.tracked, rounds.step->rule);
    return !rounds.judged.reached && rounds.tracked.size() < rounds.step->rule.most;
  }

 private:
  std::uint64_t energy_now() const { return device_.device().counters_at(device_.now()).energy_pj; }

  static bool is_another_device(const Step& step) {
    return step.kind == StepKind::restore || (step.kind == StepKind::purge && step.new_drive);
  }

  void purge(const Action& action) { action.step->new_drive ? device_.replace() : trim(action); }

  void trim(const Action& action) {
    const Nanoseconds begin = device_.now();
    const Nanoseconds end =
        trim_range(device_.device(), begin, action.offset_bytes, action.length_bytes, record_.failed_requests);
    device_.ran_until(end);
    now_ += end - begin;
  }

  // Without running jobs. A state has the seed that --precondition gives it.
  void age(const Action& action) {
    const HostOptions host = options_.host ? options_.host({}) : HostOptions{};
    const auto progress = [&host](std::uint64_t writes) {
      if (host.interrupted != nullptr && host.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
      if (host.progress) host.progress(Nanoseconds{0}, writes);
    };
    if (!action.step->state.empty()) return device_.precondition(action.step->state, options_.seed, progress);
    device_.age(action.random_bytes, RandomStream(options_.seed, "run " + std::to_string(++runs_)).bits(), progress);
  }

  void run(const Action& action, StepRecord& step) {
    const Nanoseconds origin = device_.now();
    RebasedDevice device(device_.device(), origin);
    HostOptions host = options_.host ? options_.host(action.jobs) : HostOptions{};
    ++runs_;
    const std::string chance = action.seed ? "seed " + std::to_string(*action.seed) : "run " + std::to_string(runs_);
    host.seed = RandomStream(options_.seed, chance).bits();
    const RunStats stats = run_jobs(device, action.jobs.jobs, host);
    device_.ran_until(origin + stats.ended);
    now_ += stats.ended;
    step.ended = now_;
    if (action.step->keep) step.folder = folder_of(action);
    step.figures = figures_of(stats);
    step.at_end = end_of(stats, device.info());
    record_.failed_requests += step.figures->failed;
    // Figures exclude the ramp; a mismatch counts wherever it was seen.
    if (stats.verify && step.figures->failed == 0) record_.failed_requests += stats.verify->mismatches;
    for (const Note& note : action.jobs.notes) {
      const std::string text = note.shown();
      if (std::find(record_.notes.begin(), record_.notes.end(), text) == record_.notes.end()) record_.notes.push_back(text);
    }
    if (options_.ran && action.step->keep) options_.ran(step, action.jobs, stats);
  }

  static std::optional<FinalWindow> end_of(const RunStats& stats, const DeviceInfo& device) {
    const auto window = final_window(stats, {device.capacity_bytes, device.mapping_bytes});
    return window && window->host_bytes() > 0 && window->wa > 0 ? window : std::nullopt;
  }

  std::string folder_of(const Action& action) const {
    const std::string number = std::to_string(action.number);
    return std::string(digits_ - std::min(digits_, number.size()), '0') + number + "-" + action.step->name;
  }

  const ProcedureOptions& options_;
  DeviceUnderTest& device_;
  std::size_t digits_;
  ProcedureRecord record_;
  Nanoseconds now_{0};
  std::size_t runs_ = 0;
  std::size_t round_begins_ = 0;
};

template <class T>
T sum(const PerDirection<T>& values) {
  T all{};
  for (const T& value : values) all += value;
  return all;
}

}  // namespace

double Figures::value(Track::Figure figure) const {
  const double seconds = static_cast<double>(measured.count()) / 1e9;
  if (figure == Track::Figure::latency_mean) return latency.mean_ns();
  if (seconds == 0) return 0;
  return figure == Track::Figure::iops ? static_cast<double>(sum(requests)) / seconds
                                       : static_cast<double>(sum(bytes)) / seconds / 1e6;
}

Figures figures_of(const RunStats& stats) {
  Figures figures;
  Nanoseconds first = kNever, last{0};
  for (const JobStats& job : stats.jobs) {
    first = std::min(first, job.started);
    last = std::max(last, job.ended);
    for (std::size_t d = 0; d < kDirectionCount; ++d) {
      figures.requests[d] += job.directions[d].requests;
      figures.bytes[d] += job.directions[d].bytes;
      figures.failed += job.failed[d];
      figures.latency.merge(job.directions[d].latency);
    }
  }
  if (last > first) figures.measured = last - first;
  const Counters run = difference(stats.device_after, stats.device_before);
  figures.host_write_bytes = run.host_write_bytes;
  figures.media_write_bytes = run.media_write_bytes();
  return figures;
}

std::size_t rehearse(const Procedure& procedure, const DeviceUnderTest& device, const JobContext& jobs) {
  Rehearsal rehearsal(procedure, device, jobs.capacity_bytes);
  walk(procedure, jobs, rehearsal);
  return rehearsal.steps();
}

ProcedureRecord execute(const Procedure& procedure, DeviceUnderTest& device, const JobContext& jobs,
                        const ProcedureOptions& options) {
  Performance performance(options, device, rehearse(procedure, device, jobs));
  walk(procedure, jobs, performance);
  return performance.finish();
}

}  // namespace ftlab
