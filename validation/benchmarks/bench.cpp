#include "validation/benchmarks/bench.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "ftl/drive.h"
#include "sim/check.h"
#include "sim/column.h"
#include "sim/host.h"
#include "sim/random.h"
#include "sim/rebased_device.h"
#include "sim/workload/distribution.h"
#include "sim/workload/generator.h"
#include "sim/workload/job_file.h"
#include "validation/benchmarks/trace_bench.h"

namespace ftlab {
namespace {

// CPU seconds of this process: what the other users of a machine do to it shows less in them than in wall time.
double cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// 8 channels, 16 dies, 2 planes, 4 KiB pages, 256 pages a block: superblocks of 32 MiB (4 MiB on the small drive), all
// of the flash but 7 % for the user. The times of the flash do not change what the simulator has to do.
DriveConfig bench_drive(bool small) {
  DriveConfig drive;
  drive.name = "benchmark";
  drive.geometry = {8, 2, 1, 2, small ? 128u : 2048u, small ? 32u : 256u, 4096, 224, 1024};
  drive.nand = {Nanoseconds{50'000},
                {Nanoseconds{300'000}, Nanoseconds{900'000}},
                Nanoseconds{3'000'000},
                200'000'000,
                Nanoseconds{300},
                true,
                true};
  drive.link = {600'000'000, Nanoseconds{2000}, Nanoseconds{2000}};
  drive.controller = {Nanoseconds{1000}, Nanoseconds{1000}};
  drive.ftl.superblock = {16, 2};
  drive.ftl.gc = {0, 2, 3, 16};
  drive.ftl.buffer.pages = 256;
  drive.ftl.buffer.held_pages = 16;
  drive.user_bytes = drive.geometry.bytes() * 100 / 107 / 4096 * 4096;
  return drive;
}

// The same with every model that may be left out: kinds of page, queues of the dies with suspension, blocks that differ and
// wear, bit errors with retries and refresh, cores, latencies and look-ups of the controller, its memory, NCQ, energy.
// `queues`: with those of the dies; without, the flash's time is reserved as on the drive above.
DriveConfig bench_drive_with_everything(bool small, bool queues) {
  DriveConfig drive = bench_drive(small);
  drive.name = "benchmark, all models";
  drive.nand.read_by_kind = {Nanoseconds{40'000}, Nanoseconds{60'000}};
  drive.nand.page_order = PageOrder::even_odd;
  if (queues) {
    drive.nand.scheduling = DieScheduling::read_first;
    drive.nand.suspension = {true, true, Nanoseconds{20'000}, Nanoseconds{5'000}, 4};
  }
  drive.nand.variation = {20, 30, 50};
  drive.nand.wear = {20, 200, 3000};
  drive.cells.fresh_per_pbit = 100'000'000'000;  // 1e-4
  drive.cells.wear_cycles = 3000;
  drive.cells.retention_per_pbit = 1'000'000'000;
  drive.cells.disturb_per_pbit = 1'000;
  drive.cells.kinds_permille = {700, 1300};
  drive.cells.worn_cycles = 1000;
  drive.cells.correctable_bits = 24;
  drive.cells.retry = {{600, 24, 1, Nanoseconds{1000}}, {300, 24, 1, Nanoseconds{1000}}};
  drive.ftl.refresh = {1'000'000'000'000, 2, Nanoseconds{86'400'000'000'000}, 4};
  drive.controller.cores = 2;
  drive.controller.read_page = drive.controller.write_page = Nanoseconds{200};
  drive.controller.read_latency = drive.controller.write_latency = Nanoseconds{5'000};
  drive.controller.look_up_page = Nanoseconds{100};
  drive.controller.read_ahead.streams = 4;
  drive.controller.read_ahead.after_requests = 3;
  drive.controller.read_ahead.ram_bytes = 1 << 20;
  drive.dram.bytes_per_s = 3'200'000'000;
  drive.link.queue_depth = 32;
  drive.link.submit = drive.link.complete = Nanoseconds{1'000};
  drive.power.emplace();
  drive.power->read_pj = 3'000'000;
  drive.power->program_pj = {20'000'000, 60'000'000};
  drive.power->erase_pj = 90'000'000;
  return drive;
}

JobFile job_of(const DriveConfig& drive, const std::string& options) {
  JobContext context;
  context.capacity_bytes = drive.user_bytes;
  return parse_job_file(
      "[j]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\niodepth=32\nrandrepeat=0\nnorandommap\n" + options, "benchmark",
      context);
}

// CPU seconds that a job takes.
double run_job(Drive& drive, const std::string& options) {
  const JobFile jobs = job_of(drive.config(), options);
  const double began = cpu_s();
  RebasedDevice device(drive, drive.info().timed ? drive.idle_from() : Nanoseconds{0});
  const RunStats stats = run_jobs(device, jobs.jobs, {});
  const double took = cpu_s() - began;
  FTLAB_CHECK(stats.requests > 0, "benchmark ran nothing");
  return took;
}

std::string random_writes(std::uint64_t bytes) { return "rw=randwrite\nbs=4k\nio_size=" + std::to_string(bytes) + "\n"; }
std::string random_reads(std::uint64_t bytes) { return "rw=randread\nbs=4k\nio_size=" + std::to_string(bytes) + "\n"; }

// Millions of requests a second that the workload's generator makes, in batches.
double generated(const DriveConfig& drive, const std::string& options, bool small) {
  const JobFile jobs = job_of(drive, "rw=randwrite\nbs=4k\nio_size=1000g\n" + options);
  Generator generator(jobs.jobs[0], 1);
  std::array<Access, 64> batch;
  const std::uint64_t most = small ? 200'000 : 30'000'000;
  std::uint64_t count = 0, places = 0;
  const double began = cpu_s();
  while (count < most) {
    count += generator.next(batch);
    places ^= batch[count % batch.size()].offset_bytes;
  }
  const double took = cpu_s() - began;
  FTLAB_CHECK(places < drive.user_bytes * 2, "the places were looked at");  // and so the loop cannot be left out
  return static_cast<double>(count) / took / 1e6;
}

// Nanoseconds for a draw of fio's random_distribution over 16 M blocks.
double draw_ns(Spread::Kind kind, double parameter, bool small) {
  Spread spread;
  spread.kind = kind;
  spread.parameter = parameter;
  spread.zones[1] = {{50, 5}, {30, 15}, {20, 80}};
  const Distribution distribution(spread, Direction::write, std::uint64_t{1} << 24, 4096, 0);
  RandomStream random(1, "draws");
  const std::uint64_t draws = small ? 200'000 : 10'000'000;
  std::uint64_t sum = 0;
  const double began = cpu_s();
  for (std::uint64_t i = 0; i < draws; ++i) sum += distribution.draw(random);
  const double took = cpu_s() - began;
  FTLAB_CHECK(sum > 0, "the draws were looked at");
  return took * 1e9 / static_cast<double>(draws);
}

void add_workload_rows(std::vector<BenchRow>& rows, const DriveConfig& drive, bool small) {
  rows.push_back({"requests generated, uniform", generated(drive, "", small), "M/s", 50});
  rows.push_back({"requests generated, zipf 1.2", generated(drive, "random_distribution=zipf:1.2\n", small), "M/s", 20});
  rows.push_back({"requests generated, JESD219",
                  generated(drive,
                            "bssplit=512/4:1024/1:1536/1:2048/1:2560/1:3072/1:3584/1:4k/67:8k/10:16k/7:32k/"
                            "3:64k/3\nblockalign=4k\n"
                            "random_distribution=zoned:50/5:30/15:20/80\n",
                            small),
                  "M/s"});
  rows.push_back({"a draw of zipf 1.2", draw_ns(Spread::Kind::zipf, 1.2, small), "ns", 30, true});
  rows.push_back({"a draw of pareto 0.2", draw_ns(Spread::Kind::pareto, 0.2, small), "ns", 30, true});
  rows.push_back({"a draw of normal 20", draw_ns(Spread::Kind::normal, 20, small), "ns", 30, true});
  rows.push_back({"a draw of zones", draw_ns(Spread::Kind::zoned, 0, small), "ns", 30, true});
}

// What the memory of this machine allows: the least that moving a page takes, an entry of a map at random, asked for 64
// moves ahead, and the page's two records in order. Nanoseconds for each move.
double bare_move_ns(std::uint64_t pages) {
  constexpr std::uint64_t kAhead = 64;
  const std::uint64_t moves = std::max<std::uint64_t>(pages * 2, kAhead);
  Column<std::uint32_t> map(pages), lpns(pages), versions(pages);
  RandomStream random(1, "bare moves");
  std::array<std::uint32_t, kAhead> ahead{};
  const double began = cpu_s();
  for (std::uint64_t i = 0, place = 0; i < moves; ++i) {
    std::uint32_t& next = ahead[i % kAhead];
    const std::uint32_t lpn = next;
    next = static_cast<std::uint32_t>(random.below(pages));
    __builtin_prefetch(&map[next], 1);
    map[lpn] = static_cast<std::uint32_t>(place);
    lpns[place] = lpn;
    versions[place] = static_cast<std::uint32_t>(i);
    if (++place == pages) place = 0;
  }
  const double took = cpu_s() - began;
  FTLAB_CHECK(map[ahead[0]] < pages, "the map was written");  // and so the loop cannot be left out
  return took * 1e9 / static_cast<double>(moves);
}

}  // namespace

void add_everything_rows(std::vector<BenchRow>& rows, bool small, bool queues) {
  const DriveConfig config = bench_drive_with_everything(small, queues);
  const std::string what = queues ? "all models: " : "all models but die queues: ";
  Drive drive(config, Clock::untimed);
  run_job(drive, "rw=write\nbs=128k\n");
  run_job(drive, random_writes(2 * config.user_bytes));
  drive.set_clock(Clock::timed);
  const std::uint64_t amount = config.user_bytes / (small ? 1 : 16);
  const auto rate = [amount](double seconds) { return static_cast<double>(amount) / 4096 / seconds / 1e6; };
  rows.push_back({what + "random writes", rate(run_job(drive, random_writes(amount))), "M host writes/s", 1});
  rows.push_back({what + "random reads", rate(run_job(drive, random_reads(amount))), "M host reads/s", 3});
}

std::vector<BenchRow> run_benchmarks(bool small) {
  const DriveConfig config = bench_drive(small);
  const std::uint64_t pages = config.geometry.pages();
  std::vector<BenchRow> rows;
  const double began = cpu_s();
  Drive drive(config, Clock::untimed);
  run_job(drive, "rw=write\nbs=128k\n");
  run_job(drive, random_writes(config.user_bytes / 2));
  rows.push_back({"set-up and fill to a full drive under collection", cpu_s() - began, "s", 20, true});
  run_job(drive, random_writes(3 * config.user_bytes));  // on to the steady state

  const std::uint64_t amount = small ? config.user_bytes : config.user_bytes / 4;
  const auto rate = [amount](double seconds) { return static_cast<double>(amount) / 4096 / seconds / 1e6; };
  const Counters before = drive.counters();
  rows.push_back(
      {"untimed random writes, OP 7 %, steady", rate(run_job(drive, random_writes(amount))), "M host writes/s", 4});
  const Counters after = drive.counters();
  const double written = static_cast<double>(after.host_write_bytes - before.host_write_bytes);
  rows.push_back({"  their write amplification",
                  static_cast<double>(after.media_write_bytes() - before.media_write_bytes()) / written, ""});
  drive.set_clock(Clock::timed);
  const std::uint64_t operations = drive.counters().media_operations;
  const double timed = run_job(drive, random_writes(amount));
  rows.push_back({"timed random writes, OP 7 %, QD 32, steady", rate(timed), "M host writes/s", 1});
  rows.push_back({"  media operations of them",
                  static_cast<double>(drive.counters().media_operations - operations) / timed / 1e6, "M/s"});
  rows.push_back({"timed random reads, QD 32", rate(run_job(drive, random_reads(amount))), "M host reads/s", 3});
  for (BenchRow& row : trace_rows(small)) rows.push_back(std::move(row));
  rows.push_back({"peak memory", static_cast<double>(peak_rss_bytes()) / static_cast<double>(pages),
                  "bytes per physical page", small ? 0.0 : 16.0, true});
  add_everything_rows(rows, small, false);
  add_everything_rows(rows, small, true);
  add_workload_rows(rows, config, small);
  rows.push_back(
      {"bare page moves, the bound of the memory", bare_move_ns(pages), "ns each"});  // last: it has tables of its own
  return rows;
}

}  // namespace ftlab
