// A drive scaled to an eighth gives the same curves as the full drive.
#include "validation/run/scaled_drive.h"

#include <cmath>
#include <memory>

#include "sim/config/refusal.h"
#include "sim/host/host.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "validation/run/simulated_device.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kScale = 8;
constexpr double kWithin = 0.02;  // relative to the full drive's curve

JobFile jobs_of(const std::string& options, std::uint64_t capacity) {
  JobContext context;
  context.capacity_bytes = capacity;
  return parse_job_file("[j]\nioengine=libaio\nfilename=/dev/drive\nrefill_buffers\n" + options, "j.fio", context);
}

RunStats run(SimulatedDevice& tested, const std::string& options, std::uint64_t interval_ms) {
  const JobFile jobs = jobs_of(options, tested.device().info().capacity_bytes);
  HostOptions host;
  host.series_interval = Nanoseconds{interval_ms * 1'000'000};
  const Nanoseconds begin = tested.now();
  RebasedDevice device(tested.device(), begin);
  RunStats stats = run_jobs(device, jobs.jobs, host);
  tested.ran_until(begin + stats.ended);
  return stats;
}

// Fills the drive sequentially, then writes randomly for `seconds_whole` (time of the full drive). Returns the mean rate of
// each tenth of that time in MB/s.
std::vector<double> worn_in(const Node& drive, std::uint64_t seconds_whole, std::uint64_t scale) {
  const auto tested = new_device(read_device(scale == 1 ? drive : with_smaller_blocks(drive, scale)), 1);
  tested->set_timed(false);
  run(*tested, "rw=write\nbs=1m\n", 1000);
  tested->set_timed(true);
  const std::uint64_t ms = seconds_whole * 1000 / scale;
  const RunStats stats =
      run(*tested,
          "rw=randwrite\nbs=4k\niodepth=32\nnorandommap\nrandrepeat=0\ntime_based\nruntime=" + std::to_string(ms) + "ms\n",
          ms / 10);
  std::vector<double> rates;
  for (const SeriesRow& row : stats.series) {
    double bytes = 0;
    for (const std::uint64_t b : row.bytes) bytes += static_cast<double>(b);
    rates.push_back(bytes / static_cast<double>(row.length.count()) * 1000);
  }
  rates.resize(10);
  return rates;
}

// Compares wear-in by tenths of the time. Skips the tenths in which the first blocks are collected, all about equally full:
// the rate depends on how much emptier than the mean the emptiest block is, which is more with fewer pages per block
// (relative spread of a binomial). That trough needs the full drive.
void compare_worn_in(const Node& drive, std::uint64_t seconds, std::size_t trough_ends) {
  const std::vector<double> whole = worn_in(drive, seconds, 1), eighth = worn_in(drive, seconds, kScale);
  for (std::size_t tenth = 0; tenth < whole.size(); ++tenth) {
    if (tenth > 0 && tenth < trough_ends) continue;
    CAPTURE(tenth, whole[tenth], eighth[tenth]);
    // The first tenth contains the drop at the start of GC, whose timing is quantized to superblocks.
    CHECK(std::abs(eighth[tenth] / whole[tenth] - 1) < (tenth == 0 ? 0.03 : kWithin));
  }
  CHECK(whole.back() < 0.75 * whole.front());
}

// A quarter of the blocks of the library's Intel X25-M, because the full drive takes a minute to wear in.
Node whole_drive() { return with_fewer_blocks(load_drive("intel-x25-m-160", {}), 4); }

TEST_CASE("with an eighth of the pages per block, random writes fall to the same level", "[.][long]") {
  compare_worn_in(whole_drive(), 1200, 4);
}

TEST_CASE("the whole X25-M scaled to an eighth wears in to the same level", "[.][long]") {
  compare_worn_in(load_drive("intel-x25-m-160", {}), 2400, 7);
}

TEST_CASE("a drive scaled to an eighth is as fast as the full one at every queue depth") {
  const Node drive = whole_drive();
  const auto whole = new_device(read_device(drive), 1);
  const auto eighth = new_device(read_device(with_smaller_blocks(drive, kScale)), 1);
  for (SimulatedDevice* tested : {whole.get(), eighth.get()}) {
    tested->set_timed(false);
    run(*tested, "rw=write\nbs=1m\n", 1000);
    tested->set_timed(true);
  }
  for (const char* pattern : {"randread\nbs=4k", "read\nbs=128k", "randread\nbs=64k"}) {
    for (const char* depth : {"1", "4", "32"}) {
      const std::string options = std::string("rw=") + pattern + "\niodepth=" + depth +
                                  "\nsize=1g\nrandrepeat=0\nnorandommap\ntime_based\nruntime=200ms\n";
      const double a = static_cast<double>(run(*whole, options, 1000).requests);
      const double b = static_cast<double>(run(*eighth, options, 1000).requests);
      CAPTURE(pattern, depth, a, b);
      CHECK(std::abs(b / a - 1) < kWithin);
    }
  }
}

TEST_CASE("a scale that does not fit the drive's numbers is refused") {
  const Node drive = load_drive("kingston-ssdnow-v-64", {});
  CHECK(refusal([&] { with_smaller_blocks(drive, 4096); }).find("geometry.pages_per_block: is less than the scale") !=
        std::string::npos);
  CHECK(refusal([&] {
          with_smaller_blocks(load_drive("wd-5000bpkt", {}), 2);
        }).find("is missing in the drive file, or no number") != std::string::npos);
}

}  // namespace
TEST_CASE("over-provisioning sets the user capacity, for any way to write a share") {
  const auto spare = [](const std::string& setting) {
    return read_device(load_drive("example-25nm-mlc", {setting})).ssd->over_provisioning();
  };
  for (const double share : {0.07, 0.28, 1.0}) {
    CHECK(std::abs(spare("over_provisioning=" + std::to_string(share)) / share - 1) < 1e-3);
  }
  CHECK(spare("over_provisioning=28%") == spare("over_provisioning=0.28"));
}

TEST_CASE("a drive is named as scaled, once, if and only if its capacity differs from its make") {
  const auto name = [](const Node& drive) { return drive.find("name")->text; };
  const std::string kingston = name(load_drive("kingston-ssdnow-v-64", {}));
  CHECK(name(load_drive("kingston-ssdnow-v-64", {"user_sectors=327680"})) == kingston + " (scaled to 167.8 MB)");
  CHECK(name(load_drive("kingston-ssdnow-v-64", {"ftl.gc.policy=fifo"})) == kingston);
  const Node eighth = with_smaller_blocks(load_drive("intel-x25-m-160", {}), 8);
  CHECK(name(eighth).ends_with(" (scaled to 20.01 GB)"));
  CHECK(name(with_fewer_blocks(eighth, 2)).ends_with(" 160 GB (scaled to 10 GB)"));
  CHECK(name(with_fewer_blocks(eighth, 1)) == name(eighth));
}

}  // namespace ftlab
