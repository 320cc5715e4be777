#include "validation/run/precondition.h"

#include <array>
#include <cmath>
#include <ctime>
#include <numeric>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "ftl/drive/config/table_bytes.h"
#include "ftl/drive/lifecycle.h"
#include "sim/core/archive.h"
#include "sim/core/error.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/workload/files/job_file.h"
#include "validation/results/machine_memory.h"

namespace ftlab {
namespace {

constexpr const char* kOption = "--precondition";
constexpr std::array<const char*, 5> kNames = {"", "sequential", "random", "steady", "trace"};
constexpr std::uint32_t kRandomRounds = 2, kFewestRounds = 3, kMostRounds = 25;
// With a map on demand. Then less than 1 %, exp(-5), of the pages lie in order, which makes the map cheaper, and which
// counting does not see.
constexpr std::uint32_t kFewestOnDemand = 5;
constexpr double kSteadyWithin = 0.01;

constexpr const char* kServesNoMore = "has flash that these writes would wear out, or leave with data that need retries";
constexpr const char* kRandomWrites = "rw=randwrite\nbs=4k\nnorandommap\nrandrepeat=0\n";
// So many tell a rate per write within 1 %, about one in the square root of their number.
constexpr std::uint64_t kFewestExecuted = 16'384;
constexpr std::uint64_t kRandomBytes = 4096, kSequentialBytes = 1 << 20;  // of a write

bool at_random(Precondition state) { return state == Precondition::random || state == Precondition::steady; }

double most_drive_writes(Precondition state) {
  return state == Precondition::sequential ? 1 : 1 + (state == Precondition::random ? kRandomRounds : kMostRounds);
}

// Empty, or the reason why random writes are executed instead of counted.
std::string counting_problem(const Drive& drive) {
  if (std::string problem = counted_aging_problem(drive, true); !problem.empty()) return problem;
  if (drive.config().ftl.mapping_bytes % kRandomBytes != 0) return "maps pages of less than the 4 KiB of a write";
  return {};
}

// Ends random drive writes when the write amplification is steady.
class RoundsUntilSteady {
 public:
  explicit RoundsUntilSteady(std::uint32_t fewest) : fewest_(fewest) {}
  // True if another drive write is needed after one with this write amplification.
  bool another(double wa) {
    const bool steady = ++done_ >= fewest_ && std::abs(wa - before_) <= kSteadyWithin * before_;
    before_ = wa;
    return !steady && done_ < kMostRounds;
  }
  std::uint32_t done() const { return done_; }

 private:
  std::uint32_t fewest_, done_ = 0;
  double before_ = 0;
};

// Pages programmed that counting does not see, where a pSLC cache or a map on demand stands aside: in proportion to those of
// writes that were executed. Pages of the map follow the entries that change outside of RAM: by misses, by folding and by
// collection. But pages that still lie in the order of the first fill, the share exp(-x) after x random drive writes, are
// moved together and share pages of the map.
class Unseen {
 public:
  Unseen(const Counters& executed, double drive_writes_before, std::uint64_t page) {
    const auto writes = static_cast<double>(executed.host_write_commands);
    misses_ = static_cast<double>(executed.mapping_misses) / writes;
    folded_ = static_cast<double>(executed.media_fold_bytes / page) / writes;
    const double changed = changes(executed, 1 - std::exp(-drive_writes_before));
    mapping_ = changed > 0 ? static_cast<double>(executed.media_mapping_bytes / page) / changed : 0;
  }
  void add(Drive& drive, const Counters& counted, double drive_writes) const {
    const double changed = changes(counted, 1 - (1 - std::exp(-drive_writes)) / drive_writes);
    Lifecycle(drive).add_unseen(
        static_cast<std::uint64_t>(mapping_ * changed),
        static_cast<std::uint64_t>(folded_ * static_cast<double>(counted.host_write_commands)));
  }

 private:
  double changes(const Counters& done, double out_of_order) const {
    return (misses_ + folded_) * static_cast<double>(done.host_write_commands) +
           out_of_order * static_cast<double>(done.relocated_pages);
  }

  double misses_, folded_;  // of a host write
  double mapping_ = 0;      // pages of the map programmed for each entry that changes
};

// The writes of one preconditioning.
class Writes {
 public:
  Writes(Drive& drive, const Preconditioning& wanted)
      : drive_(drive), wanted_(wanted), user_bytes_(static_cast<double>(drive.config().user_bytes)), seed_(wanted.seed) {}

  // Returns what was done. As with fio, whole blocks are written.
  std::string in_order() {
    const Device& device = drive_;
    const ZoneReport zones = device.zones();
    std::uint64_t rest = 0;
    if (zones.zone_bytes == 0) {
      execute("rw=write\nbs=1m\n", kSequentialBytes, 1);
      rest = drive_.config().user_bytes % kSequentialBytes;
    } else {
      const std::uint64_t bytes = std::gcd(kSequentialBytes, zones.capacity_bytes);
      execute(fmt::format("zonemode=zbd\nrw=write\nbs={}\n", bytes), bytes, 1);
    }
    return rest == 0 ? "all of the user space was written once in order"
                     : fmt::format("all of the user space but its last {:g} KiB was written once in order",
                                   static_cast<double>(rest) / 1024);
  }
  // Returns what was done.
  std::string at_random() {
    std::string uncounted = counting_problem(drive_);
    const bool steady = wanted_.state == Precondition::steady;
    const bool aside = uncounted.empty() && counts_in_part(drive_.config().ftl);
    const std::uint64_t executed = aside ? 2 * writes_to_settle() : 0;
    const bool in_part = aside && executed < writes_of_drive();
    if (aside && !in_part) uncounted = "is so small that counting would leave little out";
    RoundsUntilSteady rounds(in_part && !drive_.config().ftl.mapping.all_in_ram() ? kFewestOnDemand : kFewestRounds);
    const CountedPlan plan = steady ? CountedPlan{writes_of_drive(), 0, [&rounds](double wa) { return rounds.another(wa); }}
                                    : CountedPlan{kRandomRounds * writes_of_drive()};
    if (uncounted.empty() && !(in_part ? count_in_part(plan) : count(plan))) uncounted = kServesNoMore;
    if (!uncounted.empty() && steady) {
      rounds = RoundsUntilSteady(kFewestRounds);
      do ++seed_;
      while (rounds.another(execute(kRandomWrites, kRandomBytes, 1)));
    } else if (!uncounted.empty()) {
      execute(fmt::format("{}loops={}\n", kRandomWrites, kRandomRounds), kRandomBytes, kRandomRounds);
    }
    return (steady ? fmt::format(", then {} times over at random, until steady", rounds.done())
                   : std::string(", then twice over at random")) +
           (!uncounted.empty() ? "; they were executed, as the drive " + uncounted
            : in_part ? fmt::format("; the random writes were counted, but for {} that were executed", executed)
                      : "; the random writes were counted");
  }

 private:
  std::uint64_t writes_of_drive() const { return drive_.config().user_bytes / kRandomBytes; }

  void report(std::uint64_t writes, std::uint64_t bytes) const {
    if (wanted_.progress)
      wanted_.progress(done_ + static_cast<double>(writes * bytes) / user_bytes_, most_drive_writes(wanted_.state));
  }

  // Runs a job of `drive_writes` and returns its write amplification.
  double execute(const std::string& options, std::uint64_t bytes, double drive_writes) {
    JobContext context;
    context.capacity_bytes = drive_.info().capacity_bytes;
    const JobFile jobs =
        parse_job_file("[precondition]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\n" + options, kOption, context);
    HostOptions host;
    host.seed = seed_;
    host.interrupted = wanted_.interrupted;
    host.progress = [this, bytes](Nanoseconds, std::uint64_t requests) { report(requests, bytes); };
    const RunStats stats = run_jobs(drive_, jobs.jobs, host);
    const Counters run = difference(stats.device_after, stats.device_before);
    done_ += drive_writes;
    return static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes);
  }

  // Half of the writes that are executed: they fill the map's cache, which counting leaves empty, and write each page of the
  // map several times over.
  std::uint64_t writes_to_settle() const {
    const MappingConfig& mapping = drive_.config().ftl.mapping;
    const std::uint64_t unit = mapping.cache.whole_pages ? mapping.cache.page_bytes : mapping.cache.entry_bytes;
    const std::uint64_t units = mapping.all_in_ram() ? 0 : 2 * mapping.cache.budget_bytes / unit;
    return std::max<std::uint64_t>(kFewestExecuted, units + mapping.translation_pages);
  }
  Counters execute_half() {
    const Counters before = drive_.counters();
    ++seed_;
    execute(fmt::format("{}io_size={}\n", kRandomWrites, writes_to_settle() * kRandomBytes), kRandomBytes, 0);
    return difference(drive_.counters(), before);
  }

  // What stands aside is as large, and is written as often, as the counted data make it: so some writes are executed.
  bool count_in_part(CountedPlan plan) {
    const Counters before = drive_.counters();
    if (!plan.another) plan.writes -= std::min(plan.writes, 2 * writes_to_settle());
    if (!count(plan)) return false;
    const Counters counted = difference(drive_.counters(), before);
    const double drive_writes =
        static_cast<double>(counted.host_write_commands) / static_cast<double>(writes_of_drive());
    execute_half();
    Unseen(execute_half(), drive_writes, drive_.config().ftl.mapping_bytes).add(drive_, counted, drive_writes);
    return true;
  }

  // Like Lifecycle::age_by_counting().
  bool count(CountedPlan plan) {
    plan.write_bytes = kRandomBytes;
    plan.progress = [this](std::uint64_t writes) {
      if (wanted_.interrupted != nullptr && wanted_.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
      report(writes, kRandomBytes);
    };
    return Lifecycle(drive_).age_by_counting(plan, seed_);
  }

  Drive& drive_;
  const Preconditioning& wanted_;
  double user_bytes_;
  std::uint64_t seed_;
  double done_ = 0;  // drive writes of earlier jobs
};

// Empty if the cache has no such state. A damaged one leaves a new drive.
std::optional<std::string> load_state(SimulatedDevice& device, const StateCache& cache, const std::string& key) {
  const bool timed = device.ssd()->info().timed;
  try {
    return cache.load(key, *device.ssd());
  } catch (const ArchiveError& error) {
    spdlog::warn("a kept state of this drive was damaged and is made again: {}", error.what());
    device.replace();
    if (!timed) device.ssd()->set_clock(Clock::untimed);
    return std::nullopt;
  }
}

// Time of the processor in this thread: other programs on the machine make a state no more worth keeping.
double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string make_state(SimulatedDevice& device, const Preconditioning& wanted) {
  Drive* const drive = device.ssd();
  const bool timed = drive->info().timed;
  drive->set_clock(Clock::untimed);
  Writes writes(*drive, wanted);
  std::string done = writes.in_order();
  if (at_random(wanted.state)) done += writes.at_random();
  if (timed) drive->set_clock(Clock::timed);
  return "before the run " + done + " (--precondition)";
}

}  // namespace

Precondition precondition_named(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<Precondition>(i);
  throw ConfigError({kOption, 0}, "", "is not a state of a drive", name, "sequential, random, steady, trace",
                    nearest_name(name, {kNames.begin() + 1, kNames.end()}));
}

std::uint64_t preconditioning_bytes(const Drive& drive, Precondition state) {
  if (!at_random(state) || !counting_problem(drive).empty()) return 0;
  const std::uint64_t rounds = state == Precondition::random ? kRandomRounds : kFewestRounds;
  return counted_aging_bytes(drive.config(), drive.config().logical_pages(),
                             rounds * drive.config().user_bytes / kRandomBytes);
}

void refuse_preconditioning(SimulatedDevice& device, Precondition state) {
  if (state == Precondition::none) return;
  const Drive* const drive = device.ssd();
  if (drive == nullptr)
    throw ConfigError({kOption, 0}, "", "is for SSDs; a disk has no state that its speed depends on",
                      kNames[static_cast<std::size_t>(state)]);
  if (device.device().zones().zone_bytes != 0 && state != Precondition::sequential)
    throw ConfigError({kOption, 0}, "", "is not a state of a zoned drive, whose zones are written in order",
                      kNames[static_cast<std::size_t>(state)], "sequential");
  // The tables of a new drive take no memory until they are written.
  const bool versions = drive->medium().pages().keeps_versions(), is_new = drive->counters().mapped_bytes == 0;
  const std::uint64_t tables = is_new ? table_bytes(drive->config(), versions) : 0;
  refuse_beyond_memory(tables + preconditioning_bytes(*drive, state), kOption,
                       "sequential, a scaled drive, a larger ftl.mapping.page_bytes or a smaller capacity");
}

bool is_cacheable(const Drive& drive, Precondition state) {
  const FtlConfig& ftl = drive.config().ftl;
  const Counters counters = drive.counters();
  const std::uint64_t past =
      counters.host_write_bytes + counters.host_trim_bytes + counters.host_read_commands + counters.power_cuts;
  const bool is_new = past == 0 && drive.latest() == Nanoseconds{0};
  return at_random(state) && is_new && !ftl.gc.own && !ftl.placement.own && !ftl.mapping.cache.own;
}

std::string precondition(SimulatedDevice& device, const Preconditioning& wanted) {
  if (wanted.state == Precondition::none) return {};
  refuse_preconditioning(device, wanted.state);
  const StateCache* const cache = wanted.cache;
  if (cache == nullptr || !cache->on() || !is_cacheable(*device.ssd(), wanted.state) ||
      !device.ssd()->medium().pages().keeps_versions())
    return make_state(device, wanted);
  const std::string key =
      StateCache::key(*device.ssd(), device.document(), kNames[static_cast<std::size_t>(wanted.state)], wanted.seed);
  if (std::optional<std::string> note = load_state(device, *cache, key)) return *note;  // or the drive is a new object
  const double began_s = cpu_seconds();
  const std::string note = make_state(device, wanted);
  if (cache->worth_keeping(cpu_seconds() - began_s, table_bytes(device.ssd()->config()))) {
    if (const std::string problem = cache->keep(key, note, *device.ssd()); !problem.empty())
      spdlog::warn("the drive's state is not kept for later runs: {}", problem);
  }
  return note;
}

}  // namespace ftlab
