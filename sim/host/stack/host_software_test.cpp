// Time that the host's CPU adds to each request, to the nanosecond, and the limit of one thread on a job's rate.
#include "sim/host/stack/host_software.h"

#include "sim/host/host.h"
#include "sim/testing/devices.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

Request request(std::uint64_t tag, Nanoseconds issued, std::uint16_t queue = 0) {
  Request r{tag, Op::read, 0, 4096, issued};
  r.queue = queue;
  return r;
}

Completion next(Device& device) {
  Completion done;
  REQUIRE(device.wait(kNever, {&done, 1}) == 1);
  return done;
}

Nanoseconds host_part(const Completion& done) { return done.parts[static_cast<std::size_t>(LatencyPart::host)]; }

double iops(Device& device, const std::string& options) {
  const JobFile file = jobs_of("[j]\nrw=randread\nbs=4k\nsize=64m\nnumber_ios=4000\n" + options);
  const RunStats stats = run_jobs(device, file.jobs, {});
  return static_cast<double>(stats.requests) * 1e9 / static_cast<double>(stats.ended.count());
}

}  // namespace

TEST_CASE("a request takes its thread's time for submission and completion, to the nanosecond") {
  ManyServers device(ns(10'000));
  HostSoftware host(device, {ns(1500), ns(700), 0});
  const Request one = request(7, ns(100));
  host.submit({&one, 1});
  Completion done;
  CHECK(host.wait(ns(100 + 1500 + 10'000 + 700 - 1), {&done, 1}) == 0);
  REQUIRE(host.wait(ns(100 + 1500 + 10'000 + 700), {&done, 1}) == 1);
  CHECK(done.tag == 7);
  CHECK(host_part(done) == ns(2200));
  CHECK(done.parts[0] == ns(10'000));
  CHECK(device.requests.front().issued == ns(1600));
}

TEST_CASE("requests of one thread are submitted one after the other, those of two threads in parallel") {
  ManyServers device(ns(10'000));
  HostSoftware host(device, {ns(1000), ns(500), 0});
  const Request three[] = {request(0, ns(0)), request(1, ns(0)), request(2, ns(0), 1)};
  host.submit(three);
  CHECK(next(host).tag == 0);
  const Completion other_thread = next(host), second = next(host);
  CHECK(other_thread.tag == 2);
  CHECK(other_thread.completed == ns(11'500));
  CHECK(second.tag == 1);
  CHECK(second.completed == ns(2000 + 10'000 + 500));
  CHECK(host_part(second) == ns(2500));
}

TEST_CASE("a completion waits while its thread submits another request") {
  ManyServers device(ns(10'000));
  HostSoftware host(device, {ns(1000), ns(500), 0});
  const Request first = request(0, ns(0)), second = request(1, ns(10'800));
  host.submit({&first, 1});
  CHECK(host.wait(ns(10'800), {}) == 0);
  host.submit({&second, 1});  // the thread is busy from 10 800 to 11 800; the completion comes at 11 000
  const Completion done = next(host);
  CHECK(done.tag == 0);
  CHECK(done.completed == ns(11'800 + 500));
  CHECK(next(host).completed == ns(21'800 + 500));
}

TEST_CASE("completions are delayed with the given frequency, by times between least and most") {
  ManyServers device(ns(10'000));
  HostSoftware host(device, {ns(1000), ns(500), 0, {{200'000, ns(4000), ns(6000)}, {10'000, ns(90'000), ns(90'000)}}}, 7);
  std::uint64_t late = 0, very_late = 0, total = 0;
  constexpr std::uint64_t kRequests = 100'000;
  for (std::uint64_t i = 0; i < kRequests; ++i) {
    const Request one = request(i, ns(i * 1'000'000));
    host.submit({&one, 1});
    const std::uint64_t delay = host_part(next(host)).count() - 1500;
    REQUIRE((delay == 0 || (delay >= 4000 && delay <= 6000) || delay == 90'000));
    late += delay > 0 && delay <= 6000;
    very_late += delay == 90'000;
    total += delay <= 6000 ? delay : 0;
  }
  CHECK(late == Approx(20'000).epsilon(0.03));
  CHECK(very_late == Approx(1000).epsilon(0.15));
  CHECK(static_cast<double>(total) / static_cast<double>(late) == Approx(5000).epsilon(0.005));
}

TEST_CASE("one thread limits a job to one request per submission and completion time, more jobs reach the device's limit") {
  const auto rate = [](std::uint32_t cores, const std::string& options) {
    OneServer device(ns(4000));
    HostSoftware host(device, {ns(6000), ns(4000), cores});
    return iops(host, options);
  };
  CHECK(rate(0, "iodepth=32\n") == Approx(1e9 / 10'000).epsilon(0.01));
  CHECK(rate(0, "iodepth=32\nnumjobs=2\n") == Approx(2e9 / 10'000).epsilon(0.01));
  CHECK(rate(0, "iodepth=32\nnumjobs=4\n") == Approx(1e9 / 4000).epsilon(0.01));
  CHECK(rate(1, "iodepth=32\nnumjobs=4\n") == Approx(1e9 / 10'000).epsilon(0.01));
  CHECK(rate(2, "iodepth=32\nnumjobs=4\n") == Approx(2e9 / 10'000).epsilon(0.01));
}

TEST_CASE("at queue depth 1 the times of device and host add up") {
  OneServer device(ns(4000));
  HostSoftware host(device, {ns(6000), ns(4000), 0});
  CHECK(iops(host, "iodepth=1\n") == Approx(1e9 / 14'000).epsilon(1e-9));
}

TEST_CASE("reads and writes have separate times, and a flush costs the same as a write") {
  for (const Op op : {Op::read, Op::write, Op::flush}) {
    ManyServers device(ns(10'000));
    HostSoftware host(device, {{ns(1500), ns(2500)}, {ns(700), ns(900)}, 0});
    Request one = request(1, ns(0));
    one.op = op;
    host.submit({&one, 1});
    CHECK(host_part(next(host)) == (op == Op::read ? ns(2200) : ns(3400)));
  }
}

TEST_CASE("the adapter's processor handles the commands of all threads one at a time, and limits their rate") {
  HostSoftwareConfig config;
  config.adapter = {ns(800), ns(1200)};
  ManyServers idle_device(ns(10'000));
  HostSoftware idle(idle_device, config);
  const Request two[] = {request(0, ns(100)), request(1, ns(100), 1)};
  idle.submit(two);
  CHECK(next(idle).completed == ns(100 + 800 + 10'000));
  CHECK(next(idle).completed == ns(100 + 2 * 800 + 10'000));
  ManyServers device(ns(10'000));
  HostSoftware host(device, config);
  CHECK(iops(host, "iodepth=32\nnumjobs=4\n") == Approx(1e9 / 800).epsilon(0.01));
}

TEST_CASE("a sleeping core delays each request at depth 1 by its wake-up time, to the nanosecond") {
  HostSoftwareConfig config{ns(6000), ns(4000), 0};
  config.sleep = {ns(3000), ns(5000)};
  OneServer device(ns(4000));  // longer than the idle time before sleep: one wake-up for each completion
  HostSoftware host(device, config);
  Nanoseconds now{0};
  for (std::uint64_t i = 0; i < 10; ++i) {
    const Request one = request(i, now);
    host.submit({&one, 1});
    const Completion done = next(host);
    CHECK(done.completed - now == ns(6000 + 4000 + 5000 + 4000));
    now = done.completed;
  }
  OneServer short_of_it(ns(2999));
  HostSoftware awake(short_of_it, config);
  CHECK(iops(awake, "iodepth=1\n") == Approx(1e9 / 12'999).epsilon(1e-6));
}

TEST_CASE("many jobs of depth 1 pay a switch per request, few jobs of larger depth share it") {
  HostSoftwareConfig config{ns(6000), ns(4000), 2};
  config.threads = {ns(5000), ns(1'500'000)};
  const auto rate = [&config](const std::string& options) {
    ManyServers device(ns(100'000));
    HostSoftware host(device, config);
    return iops(host, options);
  };
  // Two cores; 10 us for a request and its completion, and 5 us for a switch: one per request at depth 1, at best one for
  // eight requests at depth 8.
  CHECK(rate("iodepth=1\nnumjobs=64\n") == Approx(2e9 / 15'000).epsilon(0.01));
  CHECK(rate("iodepth=8\nnumjobs=8\n") > 2e9 / 11'500);
  CHECK(rate("iodepth=8\nnumjobs=8\n") < 2e9 / 10'000);
}
