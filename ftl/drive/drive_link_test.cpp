// The path between host and drive: the measured port, queue depths, full duplex, several submission queues.
#include "ftl/drive/drive.h"

#include <array>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Faster than any link: reads of unmapped pages, programs of 10 us on eight dies.
DriveConfig fast_drive() {
  DriveConfig drive = striped_drive();
  drive.nand.read = ns(5'000);
  drive.nand.program = {ns(10'000), ns(10'000)};
  drive.nand.bus_bytes_per_s = 1'000'000'000;
  drive.controller.read_command = drive.controller.write_command = ns(100);
  return drive;
}

LinkConfig link_of(const std::string& text) { return read_link(Reader(parse_document(text, "link.json"))); }

Request read_of(std::uint64_t tag, Nanoseconds at, std::uint16_t queue = 0) {
  Request request{tag, Op::read, tag * 4096, 4096, at};
  request.queue = queue;
  return request;
}

std::vector<Completion> all_of(Drive& drive, std::size_t count) {
  std::vector<Completion> all(count);
  for (std::size_t have = 0; have < count;) {
    const std::size_t more = drive.wait(kNever, std::span(all).subspan(have));
    REQUIRE(more > 0);
    have += more;
  }
  return all;
}

std::vector<std::uint64_t> order_of(const std::vector<Completion>& all) {
  std::vector<std::uint64_t> tags;
  for (const Completion& done : all) tags.push_back(done.tag);
  return tags;
}

constexpr std::uint64_t kRead = 100 + 5400 + 13'654;  // unmapped pages: firmware, command, 4 KiB at 300 MB/s

}  // namespace

TEST_CASE("data frames leave a given share of the line to the data, by default all of it") {
  const std::string costs = R"("read_command_ns": {"value": 0, "from": "assumed", "source": "none"},
                               "write_command_ns": {"value": 0, "from": "assumed", "source": "none"})";
  CHECK(link_of(R"({"kind": "sata-6", )" + costs + "}").bytes_per_s == 600'000'000);
  const std::string share = R"(, "data_permille": {"value": 930, "from": "assumed", "source": "none"}})";
  CHECK(link_of(R"({"kind": "sata-6", )" + costs + share).bytes_per_s == 558'000'000);
  CHECK(link_of(R"({"kind": "sata-3", )" + costs + share).bytes_per_s == 279'000'000);
}

// Four SSDs on one 3 Gb/s AHCI port (fio-plot benchmark data): 19.07 us for each 4 KiB read, 19.85 us for each write.
TEST_CASE("a 3 Gb/s port gives what was measured with four drives, to 1 %") {
  Drive reads(fast_drive(), Clock::untimed);
  fill(reads);
  const double read_iops =
      iops(run(reads, "rw=randread\nbs=4k\nnorandommap\niodepth=32\nio_size=80m\n"), Direction::read, 4096);
  CHECK(read_iops == Approx(1e9 / 19'070).epsilon(0.01));
  CHECK(read_iops == Approx(52'600).epsilon(0.01));
  Drive writes(fast_drive(), Clock::timed);
  const double write_iops = iops(run(writes, "rw=randwrite\nbs=4k\niodepth=32\n"), Direction::write, 4096);
  CHECK(write_iops == Approx(1e9 / 19'850).epsilon(0.01));
  CHECK(write_iops == Approx(50'400).epsilon(0.01));
}

TEST_CASE("a command beyond the queue depth begins exactly when another one ends") {
  DriveConfig config = fast_drive();
  config.link.queue_depth = 2;
  Drive drive(config, Clock::timed);
  const Request three[] = {read_of(0, ns(0)), read_of(1, ns(0)), read_of(2, ns(10))};
  drive.submit(three);
  Completion done;
  CHECK(drive.wait(ns(kRead - 1), {&done, 1}) == 0);
  const std::vector<Completion> all = all_of(drive, 3);
  CHECK(order_of(all) == std::vector<std::uint64_t>{0, 1, 2});
  CHECK(all[0].completed == ns(kRead));
  CHECK(part(all[1], LatencyPart::queue_wait) == ns(0));
  CHECK(part(all[2], LatencyPart::queue_wait) == ns(kRead - 10));
  Nanoseconds sum{0};
  for (const Nanoseconds length : all[2].parts) sum += length;
  CHECK(sum == all[2].completed - ns(10));
}

TEST_CASE("without command queueing one command is executed at a time, whatever the host's queue depth") {
  DriveConfig config = fast_drive();
  config.controller.read_latency = ns(50'000);
  config.link.queue_depth = 1;
  Drive one(config, Clock::timed);
  const char* job = "rw=randread\nbs=4k\niodepth=32\nio_size=8m\n";
  CHECK(iops(run(one, job), Direction::read, 4096) == Approx(1e9 / (kRead + 50'000)).epsilon(1e-6));
  config.link.queue_depth = 3;
  Drive three(config, Clock::timed);
  CHECK(iops(run(three, job), Direction::read, 4096) == Approx(3e9 / (kRead + 50'000)).epsilon(0.01));
  config.link.queue_depth = 32;
  Drive deep(config, Clock::timed);
  CHECK(iops(run(deep, job), Direction::read, 4096) == Approx(1e9 / (kRead - 100)).epsilon(0.01));
}

TEST_CASE("a queue depth that is never reached changes nothing") {
  DriveConfig config = fast_drive();
  Drive free(config, Clock::timed);
  config.link.queue_depth = 8;
  Drive limited(config, Clock::timed);
  const char* job = "rw=randrw\nbs=4k\niodepth=8\nio_size=20m\n";
  CHECK(run(free, job).signature == run(limited, job).signature);
}

TEST_CASE("SAS moves data both ways at once, SATA one after the other") {
  const auto second = [](bool full_duplex) {
    DriveConfig config = fast_drive();
    config.link.full_duplex = full_duplex;
    Drive drive(config, Clock::timed);
    const Request both[] = {{0, Op::read, 0, 65'536, ns(0)}, {1, Op::write, 65'536, 4096, ns(0)}};
    drive.submit(both);
    const std::vector<Completion> all = all_of(drive, 2);
    return all[all[0].tag == 1 ? 0 : 1].completed;
  };
  const Nanoseconds write = ns(200 + 6200) + transfer_time(4096, 300'000'000);
  CHECK(second(true) == write);
  CHECK(second(false) == ns(100 + 5400) + 16 * transfer_time(4096, 300'000'000) + write - ns(200));
}

TEST_CASE("PCIe has the data rate that coding and packet headers leave") {
  CHECK(pcie_bytes_per_s(1, 1, 128, 24) == 250'000'000ull * 128 / 152);
  CHECK(pcie_bytes_per_s(2, 4, 256, 24) == 2'000'000'000ull * 256 / 280);
  // 8 GT/s * 128/130 / 8 = 984.6 MB/s for a lane.
  CHECK(static_cast<double>(pcie_bytes_per_s(3, 4, 256, 24)) == Approx(4 * 984.615385e6 * 256 / 280).epsilon(1e-6));
  CHECK(pcie_bytes_per_s(5, 16, 512, 20) == 64'000'000'000ull * 128 * 512 / (130 * 532));
}

TEST_CASE("an idle NVMe read pays for its doorbell, its data and its interrupt once each") {
  DriveConfig config = fast_drive();
  config.link = {pcie_bytes_per_s(3, 4, 256, 24), ns(20), ns(30), pcie_bytes_per_s(3, 4, 256, 20), true, 16, 2};
  config.link.submit = ns(900);
  config.link.complete = ns(600);
  Drive drive(config, Clock::timed);
  const Completion read = execute(drive, Op::read, 0, 4096, ns(0));
  CHECK(read.completed == ns(900 + 100 + 20) + transfer_time(4096, config.link.bytes_per_s) + ns(600));
  CHECK(part(read, LatencyPart::link) == read.completed - ns(100));
  const Completion write = execute(drive, Op::write, 0, 4096, kLater);
  CHECK(write.completed - kLater == ns(900 + 100 + 30) + transfer_time(4096, config.link.to_drive_bytes_per_s) + ns(600));
}

TEST_CASE("NVMe reads are bounded by the lanes, to 1 %") {
  DriveConfig config = fast_drive();
  config.link = {pcie_bytes_per_s(1, 1, 128, 24), ns(0), ns(0), pcie_bytes_per_s(1, 1, 128, 20), true, 64, 4};
  Drive drive(config, Clock::timed);
  const double rate = bytes_per_s(run(drive, "rw=read\nbs=64k\niodepth=32\n"), Direction::read);
  CHECK(rate == Approx(250e6 * 128 / 152).epsilon(0.01));
}

TEST_CASE("several submission queues are served in turn, each in its own order") {
  DriveConfig config = fast_drive();
  config.link.queue_depth = 8;
  config.link.queues = 2;
  config.link.commands = 1;
  Drive drive(config, Clock::timed);
  std::vector<Request> requests;
  for (std::uint64_t tag = 0; tag < 4; ++tag) requests.push_back(read_of(tag, ns(0), 0));
  for (std::uint64_t tag = 4; tag < 6; ++tag) requests.push_back(read_of(tag, ns(0), 1));
  drive.submit(requests);
  const std::vector<Completion> all = all_of(drive, 6);
  CHECK(order_of(all) == std::vector<std::uint64_t>{0, 4, 1, 5, 2, 3});
  CHECK(part(all[3], LatencyPart::queue_wait) == ns(3 * kRead));
  config.link.queues = 1;  // all in one queue
  Drive one(config, Clock::timed);
  one.submit(requests);
  CHECK(order_of(all_of(one, 6)) == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a full queue holds back its own job only") {
  DriveConfig config = fast_drive();
  config.link.queue_depth = 1;
  config.link.queues = 2;
  Drive drive(config, Clock::timed);
  const Request three[] = {read_of(0, ns(0), 0), read_of(1, ns(0), 0), read_of(2, ns(0), 1)};
  drive.submit(three);
  const std::vector<Completion> all = all_of(drive, 3);
  CHECK(order_of(all) == std::vector<std::uint64_t>{0, 2, 1});
  CHECK(part(all[1], LatencyPart::queue_wait) == ns(0));
  CHECK(part(all[2], LatencyPart::queue_wait) == ns(kRead));
}

TEST_CASE("jobs are assigned to submission queues in turn") {
  DriveConfig config = fast_drive();
  config.link.queue_depth = 1;
  config.controller.read_latency = ns(1'000'000);
  const auto rate = [&](std::uint32_t queues) {
    config.link.queues = queues;
    Drive drive(config, Clock::timed);
    const RunStats stats = run(drive, "rw=randread\nbs=4k\niodepth=4\nnumjobs=4\nnumber_ios=50\nnorandommap\n");
    return static_cast<double>(stats.requests) * 1e9 / static_cast<double>(stats.ended.count());
  };
  CHECK(rate(4) == Approx(4 * rate(1)).epsilon(0.02));
  CHECK(rate(2) == Approx(2 * rate(1)).epsilon(0.02));
}

TEST_CASE("contents can be verified with one queue of any depth, but not if commands overtake one another") {
  DriveConfig config = fast_drive();
  config.link.queue_depth = 2;
  ContentLog log;
  {
    Drive drive(config, Clock::timed);
    CHECK(drive.report_contents(&log).has_value());
    HostSoftware one_core(drive, {ns(1000), ns(1000), 1}), own_cores(drive, {ns(1000), ns(1000), 0});
    CHECK(one_core.report_contents(&log).has_value());
    CHECK_FALSE(own_cores.report_contents(&log).has_value());
  }
  {
    Drive drive(config, Clock::timed);
    HostSoftware host(drive, {ns(1000), ns(1000), 1});
    JobContext context;
    context.capacity_bytes = config.user_bytes;
    const JobFile file = parse_job_file(
        "[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrw=randwrite\nbs=4k\niodepth=16\nsize=2m\nverify=crc32c\n", "test",
        context);
    const RunStats stats = run_jobs(host, file.jobs, {});
    REQUIRE(stats.verify.has_value());
    CHECK(stats.verify->mismatches == 0);
    CHECK(stats.verify->granules == 512);
  }
  config.link.queues = 2;
  Drive drive(config, Clock::timed);
  CHECK_FALSE(drive.report_contents(&log).has_value());
}

TEST_CASE("a read and a write of many pages share a half-duplex link evenly") {
  DriveConfig config = fast_drive();
  constexpr std::uint32_t kBytes = 64 * 4096;
  config.ftl.buffer.pages = 128;
  Drive drive(config, Clock::timed);
  std::uint64_t tag = 0;
  std::array<std::uint32_t, 2> complete{};  // reads, writes
  const auto submit = [&](Op op, Nanoseconds at) {
    const Request request{tag++ * 2 + (op == Op::write), op, op == Op::write ? kBytes : 0u, kBytes, at};
    drive.submit({&request, 1});
  };
  submit(Op::write, ns(0));
  Nanoseconds now = all_of(drive, 1).front().completed;
  submit(Op::read, now);
  submit(Op::write, now);
  while (complete[0] + complete[1] < 40) {
    const Completion done = all_of(drive, 1).front();
    ++complete[done.tag % 2];
    submit(done.tag % 2 == 1 ? Op::write : Op::read, done.completed);
  }
  CHECK(complete[0] >= 18);
  CHECK(complete[1] >= 18);
}

// The trim uses the link at a later time, which leaves a gap before it: too short for a write's command and first page, long
// enough for its second one.
TEST_CASE("pages of a write cross the link in order even if there are gaps, and its latency parts sum exactly") {
  DriveConfig config = fast_drive();
  config.controller.cores = 2;
  config.controller.trim_page = ns(16'000);
  config.link.write_command = ns(5'000);
  Drive drive(config, Clock::timed);
  const std::array<Request, 2> requests = {Request{1, Op::trim, 0, 4096, ns(0)}, Request{2, Op::write, 4096, 16'384, ns(0)}};
  drive.submit(requests);
  for (const Completion& done : all_of(drive, 2)) {
    Nanoseconds sum{0};
    for (const Nanoseconds part : done.parts) sum += part;
    CHECK(sum == done.completed);
  }
}
