#include "validation/run/precondition.h"

#include <array>
#include <cmath>
#include <numeric>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/workload/files/job_file.h"

namespace ftlab {
namespace {

constexpr const char* kOption = "--precondition";
constexpr std::array<const char*, 5> kNames = {"", "sequential", "random", "steady", "trace"};
constexpr std::uint32_t kFewestRounds = 3, kMostRounds = 25;
constexpr double kSteadyWithin = 0.01;
constexpr std::uint64_t kBlock = 1 << 20;

// Runs a job and returns its write amplification.
double write(Drive& drive, const std::string& options, const HostOptions& host) {
  JobContext context;
  context.capacity_bytes = drive.info().capacity_bytes;
  const JobFile jobs =
      parse_job_file("[precondition]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\n" + options, kOption, context);
  const RunStats stats = run_jobs(drive, jobs.jobs, host);
  const Counters run = difference(stats.device_after, stats.device_before);
  return static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes);
}

// Random drive writes, one full capacity per round, until the write amplification is steady. Returns the number of rounds.
std::uint32_t write_until_steady(Drive& drive, HostOptions host) {
  double before = 0;
  for (std::uint32_t round = 1;; ++round) {
    ++host.seed;
    const double wa = write(drive, "rw=randwrite\nbs=4k\nnorandommap\nrandrepeat=0\n", host);
    const bool steady = round >= kFewestRounds && std::abs(wa - before) <= kSteadyWithin * before;
    if (steady || round == kMostRounds) return round;
    before = wa;
  }
}

}  // namespace

Precondition precondition_named(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<Precondition>(i);
  throw ConfigError({kOption, 0}, "", "is not a state of a drive", name, "sequential, random, steady, trace",
                    nearest_name(name, {kNames.begin() + 1, kNames.end()}));
}

std::string precondition(SimulatedDevice& device, Precondition state, const HostOptions& host) {
  if (state == Precondition::none) return {};
  Drive* const drive = device.ssd();
  if (drive == nullptr)
    throw ConfigError({kOption, 0}, "", "is for SSDs; a disk has no state that its speed depends on",
                      kNames[static_cast<std::size_t>(state)]);
  const bool timed = drive->info().timed;
  const ZoneReport zones = device.device().zones();
  if (zones.zone_bytes != 0 && state != Precondition::sequential)
    throw ConfigError({kOption, 0}, "", "is not a state of a zoned drive, whose zones are written in order",
                      kNames[static_cast<std::size_t>(state)], "sequential");
  drive->set_clock(Clock::untimed);
  if (zones.zone_bytes == 0)
    write(*drive, "rw=write\nbs=1m\n", host);
  else
    write(*drive, "zonemode=zbd\nrw=write\nbs=" + std::to_string(std::gcd(kBlock, zones.capacity_bytes)) + "\n", host);
  std::string done = "all of the user space was written once in order";
  if (state == Precondition::random) {
    write(*drive, "rw=randwrite\nbs=4k\nnorandommap\nrandrepeat=0\nloops=2\n", host);
    done += ", then twice over at random";
  } else if (state == Precondition::steady) {
    done += fmt::format(", then {} times over at random, until steady", write_until_steady(*drive, host));
  }
  if (timed) drive->set_clock(Clock::timed);
  return "before the run " + done + " (--precondition)";
}

}  // namespace ftlab
