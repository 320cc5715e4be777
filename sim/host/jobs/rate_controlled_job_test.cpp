// Tests each option that paces, pauses, flushes or ends a job, by its effect on a device with known timing.
#include <cmath>
#include <set>

#include "sim/host/host.h"
#include "sim/stats/fio/fio_report.h"
#include "sim/testing/devices.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr Nanoseconds kMs{1'000'000};
constexpr Nanoseconds kS{1'000'000'000};

// Runs the jobs of `text` on a device of class `Kind`, which records the requests.
template <class Kind = OneServer>
struct Trial {
  Trial(const std::string& text, Nanoseconds service)
      : device(service), file(jobs_of(text)), stats(run_jobs(device, file.jobs, {})) {}

  const DirectionStats& of(Direction d, std::size_t job = 0) const {
    return stats.jobs[job].directions[static_cast<std::size_t>(d)];
  }
  std::size_t count(Op op) const {
    return static_cast<std::size_t>(
        std::count_if(device.requests.begin(), device.requests.end(), [&](const Request& r) { return r.op == op; }));
  }
  std::vector<double> gaps_ns() const {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < device.requests.size(); ++i)
      gaps.push_back(static_cast<double>((device.requests[i].issued - device.requests[i - 1].issued).count()));
    return gaps;
  }

  Kind device;
  JobFile file;
  RunStats stats;
};

std::string ops_of(const std::vector<Request>& requests) {
  std::string text;
  for (const Request& request : requests) text += "rwtf"[static_cast<std::size_t>(request.op)];
  return text;
}

}  // namespace

TEST_CASE("rate_iops leaves equal gaps when the device keeps up") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=4m\nrate_iops=1000\n", microseconds(10));
  CHECK(run.device.requests.size() == 1024);
  for (const double gap : run.gaps_ns()) CHECK(gap == 1e6);
}

TEST_CASE("rate limits bytes per second, and a rate of one direction does not affect the others") {
  const Trial run("[j]\nrw=write\nbs=8k\nsize=8m\nrate=8m\n", microseconds(10));
  CHECK(run.stats.ended == Nanoseconds{1023 * 976'562 + 511 + 10'000});  // 1023 gaps of 8 KiB at 8 MiB/s
  const Trial reads("[j]\nrw=read\nbs=8k\nsize=8m\nrate=,8m\n", microseconds(10));
  CHECK(reads.stats.ended == 1024 * microseconds(10));
}

TEST_CASE("a job that fell behind its rate catches up as fast as it can") {
  // The first request takes 100 ms. 99 more are due by then, and follow every 10 us.
  struct SlowStart final : OneServer {
    using OneServer::OneServer;
    Nanoseconds service_of(const Request&) override { return requests.empty() ? Nanoseconds{100 * kMs} : service_; }
  };
  const Trial<SlowStart> run("[j]\nrw=write\nbs=4k\nsize=4m\nrate_iops=1000\n", microseconds(10));
  CHECK(run.device.requests[1].issued == 100 * kMs);
  CHECK(run.device.requests[99].issued == 100 * kMs + 98 * microseconds(10));
  CHECK(run.device.requests[200].issued == 200 * kMs);
}

TEST_CASE("an inline submitter drains its queue before it sleeps, an offloaded one is an open loop") {
  // A request takes 5 ms, one is due every millisecond. Inline: bursts of five, as in fio. Offloaded: one per millisecond.
  const std::string text = "iodepth=32\n[j]\nrw=write\nbs=4k\nsize=400k\nrate_iops=1000\n";
  const Trial<ManyServers> inlined(text, 5 * kMs);
  std::set<Nanoseconds> instants;
  for (const Request& request : inlined.device.requests) instants.insert(request.issued);
  CHECK(instants.size() == 21);
  CHECK(*std::next(instants.begin()) == 5 * kMs);
  const Trial<ManyServers> offloaded(text + "io_submit_mode=offload\n", 5 * kMs);
  for (const double gap : offloaded.gaps_ns()) CHECK(gap == 1e6);
  CHECK(offloaded.device.most_outstanding == 5);
}

TEST_CASE("a poisson process has exponential gaps of the right mean") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=80m\nrate_iops=1000\nrate_process=poisson\n", microseconds(1));
  const std::vector<double> gaps = run.gaps_ns();
  double sum = 0, squares = 0;
  for (const double gap : gaps) sum += gap;
  const double mean = sum / static_cast<double>(gaps.size());
  for (const double gap : gaps) squares += (gap - mean) * (gap - mean);
  CHECK(gaps.size() == 20'479);
  CHECK(mean == Approx(1e6).epsilon(0.03));  // four standard errors
  CHECK(std::sqrt(squares / static_cast<double>(gaps.size())) / mean == Approx(1).epsilon(0.04));
}

TEST_CASE("in a mixed job each direction keeps its own rate, or runs as fast as it can") {
  const Trial both("[j]\nrw=randrw\nbs=4k\nsize=64m\nnorandommap\nrate_iops=900,100\ntime_based\nruntime=10\n",
                   microseconds(10));
  CHECK(both.of(Direction::read).requests == Approx(9000).margin(2));
  CHECK(both.of(Direction::write).requests == Approx(1000).margin(2));
  const Trial writes("[j]\nrw=randrw\nbs=4k\nsize=64m\nnorandommap\nrate_iops=,100\ntime_based\nruntime=10\n",
                     microseconds(100));
  CHECK(writes.of(Direction::write).requests == Approx(1000).margin(2));
  CHECK(writes.of(Direction::read).requests == Approx(99'000).margin(2));
}

TEST_CASE("thinktime drains the queue, so it limits the depth") {
  // As in fio, a pause follows each single request after the first full queue.
  const Trial<ManyServers> run("iodepth=8\n[j]\nrw=write\nbs=4k\nsize=1m\nthinktime=1000\n", microseconds(100));
  CHECK(run.device.requests[7].issued == Nanoseconds{0});
  CHECK(run.device.requests[8].issued == microseconds(1100));
  CHECK(run.device.requests[9].issued == microseconds(2200));
  const auto& depths = *run.stats.jobs[0].by_depth;
  CHECK(depths == std::array<std::uint64_t, 7>{249, 2, 4, 1, 0, 0, 0});
}

TEST_CASE("thinktime_blocks counts completed or issued requests") {
  const Trial<ManyServers> run("iodepth=8\n[j]\nrw=write\nbs=4k\nsize=1m\nthinktime=1000\nthinktime_blocks=16\n",
                               microseconds(100));
  // The 16th completion finds seven more issued. They count for the next round: 16 rounds take all 256, as in fio.
  CHECK(run.stats.ended == microseconds(300) + 15 * microseconds(1000 + 200));
  const Trial<ManyServers> issued(
      "iodepth=8\n[j]\nrw=write\nbs=4k\nsize=1m\nthinktime=1000\nthinktime_blocks=4\nthinktime_blocks_type=issue\n",
      microseconds(100));
  CHECK(issued.device.most_outstanding == 4);
  CHECK(issued.stats.ended == 64 * microseconds(100) + 63 * microseconds(1000));
}

TEST_CASE("thinktime_iotime pauses by time, and thinktime_spin is a pause as well") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=4m\nthinktime=500\nthinktime_iotime=1000\n", microseconds(100));
  CHECK(run.stats.ended == 1024 * microseconds(100) + 102 * microseconds(500));
  const Trial spun("[j]\nrw=write\nbs=4k\nsize=40k\nthinktime=500\nthinktime_spin=700\n", microseconds(100));
  CHECK(spun.stats.ended == 10 * microseconds(100) + 9 * microseconds(700));
}

TEST_CASE("with rate_ignore_thinktime, requests missed while thinking are not caught up") {
  const std::string text = "[j]\nrw=write\nbs=4k\nsize=400k\nrate_iops=1000\nthinktime=20000\nthinktime_blocks=10\n";
  const Trial counted(text, microseconds(10));
  const Trial ignored(text + "rate_ignore_thinktime=1\n", microseconds(10));
  CHECK(ignored.stats.ended > counted.stats.ended + 50 * kMs);
}

TEST_CASE("fsync=N flushes after N writes and waits for the flush, fdatasync is counted separately") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=48k\nfsync=4\n", microseconds(10));
  CHECK(ops_of(run.device.requests) == "wwwwfwwwwfwwww");
  CHECK(run.stats.jobs[0].flushes.full == 2);
  const Trial data("[j]\nrw=write\nbs=4k\nsize=48k\nfdatasync=5\n", microseconds(10));
  CHECK(ops_of(data.device.requests) == "wwwwwfwwwwwfww");
  CHECK(data.stats.jobs[0].flushes.full == 0);
  CHECK(data.stats.jobs[0].flushes.latency.count() == 2);
}

TEST_CASE("fsync, alone or with fdatasync, causes as many flushes as in fio") {
  // fio 3.33: 256 writes with fsync=4 cause 63 flushes, with fdatasync=6 in addition 84; none follows the last write.
  CHECK(Trial("[j]\nrw=write\nbs=4k\nsize=1m\nfsync=4\n", microseconds(1)).count(Op::flush) == 63);
  CHECK(Trial("[j]\nrw=write\nbs=4k\nsize=1m\nfsync=4\nfdatasync=6\n", microseconds(1)).count(Op::flush) == 84);
  CHECK(Trial("[j]\nrw=write\nbs=4k\nsize=1m\nfsync=1\n", microseconds(1)).count(Op::flush) == 255);
  CHECK(Trial("iodepth=8\n[j]\nrw=write\nbs=4k\nsize=1m\nfsync=4\n", microseconds(1)).count(Op::flush) == 63);
}

TEST_CASE("nothing is issued during a flush, unless the engine is io_uring") {
  const std::string text = "iodepth=8\n[j]\nrw=write\nbs=4k\nsize=1m\nfsync=4\n";
  const Trial<ManyServers> awaited(text, microseconds(10));
  const auto& requests = awaited.device.requests;
  for (std::size_t i = 0; i + 1 < requests.size(); ++i)
    if (requests[i].op == Op::flush) CHECK(requests[i + 1].issued >= requests[i].issued + microseconds(10));
  const Trial<ManyServers> beside(text + "ioengine=io_uring\n", microseconds(10));
  CHECK(beside.device.requests[4].op == Op::flush);
  CHECK(beside.device.requests[5].issued == Nanoseconds{0});
}

TEST_CASE("sync makes each write FUA, and a barrier is a flush followed by a FUA write") {
  const Trial forced("[j]\nrw=rw\nbs=4k\nsize=40k\nsync=dsync\n", microseconds(1));
  for (const Request& request : forced.device.requests) CHECK(request.fua == (request.op == Op::write));
  CHECK_FALSE(Trial("[j]\nrw=write\nbs=4k\nsize=4k\nsync=none\n", microseconds(1)).device.requests[0].fua);
  const Trial barriers("[j]\nrw=write\nbs=4k\nsize=40k\nwrite_barrier=4\n", microseconds(1));
  CHECK(ops_of(barriers.device.requests) == "wwwwfwwwwfww");
  CHECK(barriers.device.requests[5].fua);
  CHECK_FALSE(barriers.device.requests[6].fua);
  CHECK(barriers.stats.jobs[0].flushes.latency.count() == 0);
}

TEST_CASE("end_fsync and fsync_on_close flush once after all writes have completed") {
  for (const char* option : {"end_fsync=1", "fsync_on_close=1"}) {
    const Trial run("iodepth=4\n[j]\nrw=write\nbs=4k\nsize=40k\n" + std::string(option) + "\n", microseconds(10));
    CHECK(ops_of(run.device.requests) == "wwwwwwwwwwf");
    CHECK(run.device.requests.back().issued == microseconds(100));
    CHECK(run.stats.ended == microseconds(110));
    CHECK(run.stats.jobs[0].flushes.latency.count() == 0);
  }
}

TEST_CASE("iodepth_low and batches decide how the queue is refilled") {
  const auto instants = [](const std::string& options) {
    const Trial run("iodepth=16\n[j]\nrw=write\nbs=4k\nsize=256k\n" + options, microseconds(10));
    std::vector<std::uint64_t> at;
    for (const Request& request : run.device.requests) at.push_back(request.issued.count() / 10'000);
    return at;
  };
  CHECK(instants("")[16] == 1);
  CHECK(instants("")[17] == 2);
  const auto low = instants("iodepth_low=4\n");  // twelve complete, then twelve are issued at once
  CHECK(low[16] == 12);
  CHECK(low[27] == 12);
  CHECK(low[28] == 24);
  const auto batch = instants("iodepth_batch_complete_min=8\n");
  CHECK(batch[16] == 8);
  CHECK(batch[23] == 8);
  CHECK(batch[24] == 16);
}

TEST_CASE("batches of submitted and completed requests are reported by size, as in fio") {
  // fio 3.33 reports for these options on a file: submits 4: 100 %, completes 8: 100 %.
  const Trial run("iodepth=16\n[j]\nrw=write\nbs=4k\nsize=1m\niodepth_batch=4\niodepth_batch_complete_min=8\n",
                  microseconds(10));
  CHECK(*run.stats.jobs[0].submits == BatchLevels{0, 64, 0, 0, 0, 0, 0});
  CHECK(*run.stats.jobs[0].reaps == BatchLevels{0, 0, 32, 0, 0, 0, 0});
  const Trial<ManyServers> most("iodepth=16\n[j]\nrw=write\nbs=4k\nsize=1m\niodepth_batch_complete_max=16\n",
                                microseconds(10));
  CHECK((*most.stats.jobs[0].reaps)[3] == 16);
}

TEST_CASE("serialize_overlap prevents overlapping requests in flight") {
  const std::string text = "iodepth=8\n[j]\nrw=randwrite\nbs=4k\nsize=16k\nio_size=1m\nnorandommap\n";
  const auto overlaps = [](const std::vector<Request>& requests, Nanoseconds service) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < requests.size(); ++i)
      for (std::size_t j = i + 1; j < requests.size() && requests[j].issued < requests[i].issued + service; ++j)
        count += requests[j].offset_bytes == requests[i].offset_bytes ? 1 : 0;
    return count;
  };
  CHECK(overlaps(Trial<ManyServers>(text, microseconds(10)).device.requests, microseconds(10)) > 0);
  CHECK(overlaps(Trial<ManyServers>(text + "serialize_overlap=1\n", microseconds(10)).device.requests, microseconds(10)) ==
        0);
}

TEST_CASE("latency_target finds the largest depth that is fast enough, and measures only that") {
  // One server of 10 us: at depth n a request takes 10 n us, so 130 us allow a depth of 13.
  const std::string text =
      "iodepth=64\n[j]\nrw=randread\nbs=4k\nsize=64m\nnorandommap\ntime_based\nruntime=60\n"
      "latency_target=130\nlatency_window=10000\n";
  const Trial run(text + "latency_percentile=95\n", microseconds(10));
  CHECK(*run.stats.jobs[0].depth == 13);
  CHECK(run.stats.jobs[0].ended < kS);
  CHECK(run.of(Direction::read).latency.percentile_ns(50) == Approx(130'000).epsilon(0.01));
  CHECK(run.of(Direction::read).requests == Approx(1000).margin(20));  // one window
  const Trial endless(text + "latency_percentile=95\nlatency_run=1\n", microseconds(10));
  CHECK(endless.stats.jobs[0].ended >= 60 * kS);
}

TEST_CASE("offloaded requests are counted at the depth at which they were issued") {
  const Trial<ManyServers> run("iodepth=32\n[j]\nrw=write\nbs=4k\nsize=4m\nrate_iops=1000\nio_submit_mode=offload\n",
                               Nanoseconds{3'500'000});
  CHECK(*run.stats.jobs[0].by_depth == std::array<std::uint64_t, 7>{1, 2, 1021, 0, 0, 0, 0});
}

TEST_CASE("too many slow requests continue the search for a latency target instead of failing the job") {
  // Even at depth 1 requests are too slow: 99 % cannot be met, so the job runs at depth 1 until the end of its runtime.
  const Trial run(
      "iodepth=64\n[j]\nrw=randread\nbs=4k\nsize=64m\nnorandommap\ntime_based\nruntime=1\n"
      "latency_target=5\nlatency_window=10000\nlatency_percentile=99\n",
      microseconds(10));
  CHECK(run.stats.jobs[0].error == 0);
  CHECK(run.stats.jobs[0].ended >= kS);
  CHECK(run.device.most_outstanding == 1);
}

TEST_CASE("a latency target that no depth meets fails the job") {
  const Trial run(
      "iodepth=64\n[j]\nrw=randread\nbs=4k\nsize=64m\ntime_based\nruntime=60\nlatency_target=5\n"
      "latency_window=10000\n",
      microseconds(10));
  CHECK(run.stats.jobs[0].error == 110);
  CHECK(run.stats.jobs[0].ended < kS);
}

TEST_CASE("max_latency ends a job at the first slower request of that direction") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=64k\nmax_latency=,9\n", microseconds(10));
  CHECK(run.stats.jobs[0].error == 110);
  CHECK(run.device.requests.size() == 1);
  CHECK(Trial("[j]\nrw=write\nbs=4k\nsize=64k\nmax_latency=10\n", microseconds(10)).stats.jobs[0].error == 0);
  CHECK(Trial("[j]\nrw=write\nbs=4k\nsize=64k\nmax_latency=9,0\n", microseconds(10)).stats.jobs[0].error == 0);
}

TEST_CASE("a job below its minimum rate fails after fio's grace period of two seconds") {
  for (const char* option : {"rate_iops_min=150", "rate_min=600k"}) {
    const Trial run(
        "[j]\nrw=write\nbs=4k\nsize=64m\ntime_based\nruntime=30\n"
        "rate_cycle=500\n" +
            std::string(option) + "\n",
        10 * kMs);
    CHECK(run.stats.jobs[0].error == 5);
    CHECK(run.stats.jobs[0].ended == Nanoseconds{2500 * kMs});
    CHECK(run.stats.jobs[0].problem.find("not met") != std::string::npos);
  }
  CHECK(Trial("[j]\nrw=write\nbs=4k\nsize=64m\ntime_based\nruntime=5\nrate_iops_min=90\n", 10 * kMs).stats.jobs[0].error ==
        0);
}

TEST_CASE("steadystate ends a job when its samples are steady") {
  for (const char* criterion :
       {"iops:1%", "bw:1%", "iops_slope:0.1%", "bw_slope:50", "iops:5", "lat:1%", "lat:50", "lat_slope:0.1%"}) {
    INFO(criterion);
    const Trial run(
        "[j]\nrw=randread\nbs=4k\nsize=64m\nnorandommap\ntime_based\nruntime=60\nsteadystate_duration=5\n"
        "steadystate_ramp_time=2\nsteadystate=" +
            std::string(criterion) + "\n",
        microseconds(1000));
    CHECK((run.stats.jobs[0].ended >= 7 * kS && run.stats.jobs[0].ended <= 7 * kS + kMs));
    CHECK(run.stats.jobs[0].steady->attained);
  }
}

TEST_CASE("steadystate does not end a job while the device becomes slower") {
  // Each request takes 0.2 % longer than the one before, up to the 2000th.
  struct Slowing final : OneServer {
    using OneServer::OneServer;
    Nanoseconds service_of(const Request&) override {
      return service_ + Nanoseconds{2'000 * std::min<std::uint64_t>(requests.size(), 2000)};
    }
  };
  const Trial<Slowing> run(
      "[j]\nrw=randread\nbs=4k\nsize=64m\nnorandommap\ntime_based\nruntime=60\n"
      "steadystate=iops_slope:1%\nsteadystate_duration=4\n",
      microseconds(1000));
  CHECK(run.stats.jobs[0].ended > 8 * kS);
  CHECK(run.stats.jobs[0].ended < 20 * kS);
  const Trial<Slowing> never(
      "[j]\nrw=randread\nbs=4k\nsize=64m\nnorandommap\ntime_based\nruntime=6\n"
      "steadystate=iops:0.1%\nsteadystate_duration=4\n",
      microseconds(1000));
  CHECK((never.stats.jobs[0].ended >= 6 * kS && never.stats.jobs[0].ended < 6 * kS + 10 * kMs));
  CHECK_FALSE(never.stats.jobs[0].steady->attained);
}

// One server of 1 ms: at a depth of 4 each request takes 4 ms, whatever the rate.
TEST_CASE("a steady state of latency records the mean latency of each interval") {
  const Trial run(
      "[j]\nioengine=libaio\niodepth=4\nrw=randread\nbs=4k\nsize=64m\nnorandommap\ntime_based\nruntime=60\n"
      "steadystate=lat:1%\nsteadystate_duration=3\nsteadystate_ramp_time=1\n",
      microseconds(1000));
  REQUIRE(run.stats.jobs[0].steady->attained);
  CHECK(run.stats.jobs[0].steady->latency_ns == std::vector<std::uint64_t>{4'000'000, 4'000'000, 4'000'000});
}

TEST_CASE("writes take the placement identifiers in turn, reads have none") {
  const Trial run("[j]\nrw=rw\nbs=4k\nsize=400k\nfdp=1\nplids=4,5,7\n", microseconds(10));
  std::vector<std::uint8_t> streams, in_turn;
  for (const Request& request : run.device.requests) {
    if (request.op == Op::read) CHECK(request.stream == 0);
    if (request.op == Op::write) streams.push_back(request.stream);
  }
  constexpr std::uint8_t kInTurn[] = {4, 5, 7};
  for (std::size_t i = 0; i < streams.size(); ++i) in_turn.push_back(kInTurn[i % 3]);
  CHECK(streams.size() > 20);
  CHECK(streams == in_turn);
}

TEST_CASE("jobs that are reported together become steady together") {
  const Trial run(
      "group_reporting\nnumjobs=3\nsteadystate=iops:1%\nsteadystate_duration=3\n[j]\nrw=randread\nbs=4k\n"
      "size=64m\nnorandommap\ntime_based\nruntime=60\n",
      microseconds(1000));
  for (const JobStats& job : run.stats.jobs) CHECK((job.ended >= 3 * kS && job.ended <= 3 * kS + 3 * kMs));
  CHECK(run.stats.jobs[0].steady->iops.size() == 3);
  CHECK(run.stats.jobs[0].steady->iops[1] == 1000);
  CHECK(run.stats.ended < 4 * kS);
}

TEST_CASE("exitall ends the jobs selected by exit_what when one has ended") {
  // As measured with fio 3.33: a ends after 1 s; b is in its group, c in the next one, d after a stonewall.
  const auto seconds = [](const std::string& what) {
    const Trial run(what +
                        "rw=randread\nbs=4k\nsize=64m\ntime_based\n[a]\nruntime=1\n[b]\nruntime=3\n[c]\nnew_group\n"
                        "runtime=4\n[d]\nstonewall\nruntime=1\n",
                    microseconds(1000));
    std::vector<std::uint64_t> all;
    for (const JobStats& job : run.stats.jobs) all.push_back((job.ended - job.started).count() / 990'000'000);
    return all;
  };
  using List = std::vector<std::uint64_t>;
  CHECK(seconds("") == List{1, 3, 4, 1});
  CHECK(seconds("exitall\n") == List{1, 1, 4, 1});
  CHECK(seconds("exitall\nexit_what=stonewall\n") == List{1, 1, 1, 1});
  CHECK(seconds("exitall\nexit_what=all\n") == List{1, 1, 1, 0});
}

TEST_CASE("exitall_on_error ends others only when a job has failed") {
  const std::string text = "rw=write\nbs=4k\nsize=64m\ntime_based\nexitall_on_error=1\n[a]\nruntime=1\n[b]\nruntime=3\n";
  CHECK(Trial(text, microseconds(1000)).stats.jobs[1].ended == 3 * kS);
  CHECK(Trial(text + "[c]\nruntime=4\nmax_latency=1\n", microseconds(1000)).stats.ended < kS);
}

TEST_CASE("wait_for starts a job when all jobs of that name have ended") {
  const Trial run(
      "rw=write\nbs=4k\n[a]\nnumjobs=2\nsize=4m\n[b]\nsize=8m\n[c]\nwait_for=a\nsize=1m\n[d]\nwait_for=c\n"
      "size=1m\n",
      microseconds(10));
  CHECK(run.stats.jobs[3].started == std::max(run.stats.jobs[0].ended, run.stats.jobs[1].ended));
  CHECK(run.stats.jobs[3].started < run.stats.jobs[2].ended);
  CHECK(run.stats.jobs[4].started == run.stats.jobs[3].ended);
}

TEST_CASE("each job draws its own delay from a range of start delays") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=4k\nnumjobs=20\nstartdelay=1-3\n", microseconds(10));
  std::set<Nanoseconds> starts;
  for (const JobStats& job : run.stats.jobs) {
    CHECK((job.started >= kS && job.started <= 3 * kS));
    starts.insert(job.started);
  }
  CHECK(starts.size() == 20);
  CHECK(*starts.begin() < Nanoseconds{1500 * kMs});
  CHECK(*starts.rbegin() > Nanoseconds{2500 * kMs});
}

TEST_CASE("jobs of one flow share their requests by weight") {
  const std::string jobs =
      "rw=write\nbs=4k\nsize=64m\ntime_based\nruntime=2\n[a]\nflow=3\n[b]\nflow=2\n[c]\nflow=1\n"
      "[d]\nflow=1\nflow_id=7\n";
  for (const char* more : {"", "flow_sleep=500\n"}) {
    const Trial<ManyServers> run(more + jobs, microseconds(100));
    const double one = static_cast<double>(run.of(Direction::write, 2).requests);
    CHECK(static_cast<double>(run.of(Direction::write, 0).requests) / one == Approx(3).epsilon(0.02));
    CHECK(static_cast<double>(run.of(Direction::write, 1).requests) / one == Approx(2).epsilon(0.02));
    CHECK(run.of(Direction::write, 3).requests == 20'000);
  }
}

TEST_CASE("the ramp is excluded from rates, batches and targets") {
  const Trial run("[j]\nrw=write\nbs=4k\nsize=64m\ntime_based\nruntime=3\nramp_time=2\nrate_iops=1000\nfsync=100\n",
                  microseconds(10));
  CHECK(run.of(Direction::write).requests == Approx(3000).margin(2));
  CHECK(run.stats.jobs[0].flushes.full == Approx(30).margin(1));
  std::uint64_t issued = 0;
  for (const std::uint64_t count : *run.stats.jobs[0].by_depth) issued += count;
  CHECK(issued == run.of(Direction::write).requests + run.stats.jobs[0].flushes.full);
}

TEST_CASE("options of paced jobs that need a clock are recognised") {
  for (const char* option : {"rate=1m", "rate_iops=10", "thinktime=5", "rate_min=1", "max_latency=5", "startdelay=0-5",
                             "steadystate=iops:5%\nsteadystate_duration=5", "latency_target=5\nlatency_window=5",
                             "flow=1\nflow_sleep=5", "write_hist_log\nlog_hist_msec=10"}) {
    INFO(option);
    CHECK_FALSE(untimed_problem(jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\n" + std::string(option) + "\n").jobs[0]).empty());
  }
  for (const char* option : {"fsync=4", "iodepth_low=1", "end_fsync=1", "flow=1", "sync=1", "exitall"})
    CHECK(untimed_problem(jobs_of("[j]\nrw=write\nbs=4k\nsize=1m\n" + std::string(option) + "\n").jobs[0]).empty());
}
