#include "sim/host/host.h"

#include <cmath>

#include "sim/core/random.h"
#include "sim/testing/devices.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

const DirectionStats& writes(const JobStats& job) { return job.directions[static_cast<std::size_t>(Direction::write)]; }

}  // namespace

TEST_CASE("a closed loop keeps its queue depth, and Little's law holds exactly") {
  OneServer device(std::chrono::microseconds(10));
  const JobFile file = jobs_of("iodepth=8\n[j]\nrw=write\nbs=4k\nsize=40m\n");
  const RunStats stats = run_jobs(device, file.jobs, {});
  CHECK(device.most_outstanding == 8);
  CHECK(writes(stats.jobs[0]).requests == 10'240);
  CHECK(stats.ended == 10'240 * std::chrono::microseconds(10));
  // Mean outstanding = rate x mean latency: 8, except during the last eight requests, when the queue drains.
  const double outstanding = 10'240 * writes(stats.jobs[0]).latency.mean_ns() / static_cast<double>(stats.ended.count());
  CHECK(outstanding == Approx(8.0 - 28.0 / 10'240).epsilon(1e-4));
}

TEST_CASE("a job ends when the device turns read-only, its outstanding requests complete, and other jobs continue") {
  for (const std::string pace : {"", "rate_iops=100000\n"}) {
    OneServer device(std::chrono::microseconds(10));
    device.refuses_after = 1'000;
    const JobFile file =
        jobs_of("[w]\niodepth=8\nrw=write\nbs=4k\nsize=1g\n" + pace + "[r]\nstonewall\nrw=read\nbs=4k\nsize=1m\n");
    const RunStats stats = run_jobs(device, file.jobs, {});
    CHECK(writes(stats.jobs[0]).requests == 1'000);
    const std::uint64_t refused = stats.jobs[0].failed[static_cast<std::size_t>(Direction::write)];
    CHECK(refused >= 1);
    CHECK(refused <= 8);
    CHECK(stats.jobs[1].directions[static_cast<std::size_t>(Direction::read)].requests == 256);
    CHECK(device.requests.size() == 1'000 + refused + 256);
  }
}

TEST_CASE("write_hint sets the stream of each write") {
  OneServer device(std::chrono::microseconds(10));
  run_jobs(device,
           jobs_of("[a]\nrw=write\nbs=4k\nsize=64k\nwrite_hint=long\n[b]\nstonewall\nrw=write\nbs=4k\nsize=64k\n").jobs, {});
  REQUIRE(device.requests.size() == 32);
  for (std::size_t i = 0; i < 32; ++i) CHECK(device.requests[i].stream == (i < 16 ? 3 : 0));
}

TEST_CASE("ranges of a placement scheme set the stream of each write by its offset") {
  OneServer device(std::chrono::microseconds(10));
  JobFile file = jobs_of("[a]\nrw=write\nbs=4k\noffset=1m\nsize=1m\n");
  file.jobs[0].placement.by_offset = {{(1 << 20) + 4096, (1 << 20) + 16384, 5}, {0, (1 << 20) + 32768, 2}};
  run_jobs(device, file.jobs, {});
  REQUIRE(device.requests.size() == 256);
  for (std::size_t i = 0; i < 256; ++i) CHECK(device.requests[i].stream == (i >= 8 ? 0 : i >= 1 && i < 4 ? 5 : 2));
}

TEST_CASE("jobs of one group run together and a stonewall waits for all of them") {
  OneServer device(std::chrono::microseconds(10));
  const JobFile file =
      jobs_of("[a]\nrw=write\nbs=4k\nsize=4m\n[b]\nrw=read\nbs=4k\nsize=8m\n[c]\nstonewall\nrw=read\nbs=64k\nsize=1m\n");
  const RunStats stats = run_jobs(device, file.jobs, {});
  CHECK(stats.jobs[0].started == Nanoseconds{0});
  CHECK(stats.jobs[1].started == Nanoseconds{0});
  CHECK(stats.jobs[2].started == std::max(stats.jobs[0].ended, stats.jobs[1].ended));
  CHECK(stats.requests == 1024 + 2048 + 16);
  CHECK(stats.ended == stats.requests * std::chrono::microseconds(10));
}

TEST_CASE("a time-based job runs for its runtime after its ramp, and only that part is measured") {
  OneServer device(std::chrono::microseconds(100));
  const JobFile file = jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\ntime_based\nruntime=3\nramp_time=2\nstartdelay=1\n");
  const RunStats stats = run_jobs(device, file.jobs, {});
  CHECK(stats.jobs[0].started == std::chrono::seconds(3));
  CHECK(stats.jobs[0].ended == std::chrono::seconds(6));
  CHECK(writes(stats.jobs[0]).requests == Approx(30'000).margin(1));
  CHECK(stats.requests == Approx(50'000).margin(1));
  CHECK(device.requests.front().issued == std::chrono::seconds(1));
}

TEST_CASE("requests are announced to the device before they are submitted") {
  OneServer device(std::chrono::microseconds(1));
  const JobFile file = jobs_of("[j]\nrw=randwrite\nbs=4k\nsize=1m\n");
  run_jobs(device, file.jobs, {});
  CHECK(device.expected == device.requests.size());
}

TEST_CASE("an open loop submits at the given times, and waits follow the Pollaczek-Khinchine formula") {
  // Arrivals with exponential gaps, utilisation 0.6: mean wait = rho * service / (2 (1 - rho)) (M/D/1).
  OneServer device(std::chrono::microseconds(60));
  RandomStream random(2, "arrivals");
  double at_ns = 0;
  std::uint64_t left = 400'000;
  const auto next = [&](Arrival& arrival) {
    if (left-- == 0) return false;
    const double uniform = (static_cast<double>(random.bits() >> 11) + 1) / 9007199254740993.0;
    at_ns += -std::log(uniform) * 100'000.0;
    arrival.at = Nanoseconds{static_cast<std::uint64_t>(at_ns)};
    arrival.request = {0, Op::write, 0, 4096, Nanoseconds{0}};
    return true;
  };
  Job description;
  const RunStats stats = run_open_loop(device, next, description, {});
  CHECK(writes(stats.jobs[0]).requests == 400'000);
  const double wait_ns = writes(stats.jobs[0]).latency.mean_ns() - 60'000;
  CHECK(wait_ns == Approx(0.6 * 60'000 / (2 * 0.4)).epsilon(0.02));
}

TEST_CASE("an interruption ends the run") {
  OneServer device(std::chrono::microseconds(1));
  const JobFile file = jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\ntime_based\nruntime=1d\n");
  const std::atomic<bool> interrupted{true};
  HostOptions options;
  options.interrupted = &interrupted;
  CHECK_THROWS_AS(run_jobs(device, file.jobs, options), Interrupted);
}

TEST_CASE("jobs that need a clock are recognised") {
  CHECK(untimed_problem(jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\n").jobs[0]).empty());
  CHECK_FALSE(untimed_problem(jobs_of("[j]\nrw=write\nbs=4k\ntime_based\nruntime=5\n").jobs[0]).empty());
  CHECK_FALSE(untimed_problem(jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\nstartdelay=5\n").jobs[0]).empty());
  CHECK_FALSE(untimed_problem(jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\nramp_time=5\n").jobs[0]).empty());
}
