#include "validation/benchmarks/bench_tools.h"

#include "sim/core/check.h"
#include "sim/host/host.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/workload/files/job_file.h"
#include "validation/benchmarks/bench.h"

namespace ftlab {
namespace {

void set_user_bytes(DriveConfig& drive, double spare) {
  const double user = static_cast<double>(drive.geometry.bytes()) / (1 + spare);
  drive.user_bytes = static_cast<std::uint64_t>(user) / 4096 * 4096;
}

}  // namespace

DriveConfig bench_drive(bool small, double spare) {
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
  drive.ftl.buffer.coalescing_pages = 16;
  set_user_bytes(drive, spare);
  return drive;
}

DriveConfig bench_drive_of(std::uint32_t blocks, bool small) {
  DriveConfig drive = bench_drive(small);
  drive.geometry.blocks_per_plane = blocks;
  set_user_bytes(drive, 0.07);
  return drive;
}

DriveConfig bench_drive_with_everything(bool small, bool queues) {
  DriveConfig drive = bench_drive(small);
  drive.name = "benchmark, all models";
  drive.nand.read_by_kind = {Nanoseconds{40'000}, Nanoseconds{60'000}};
  drive.nand.page_order = PageOrder::even_odd;
  if (queues) {
    drive.nand.scheduling.policy = scheduling_policy_index("read-first");
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

double run_job(Drive& drive, const std::string& options) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  const JobFile jobs = parse_job_file(
      "[j]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\niodepth=32\nrandrepeat=0\nnorandommap\n" + options, "benchmark",
      context);
  const CpuWatch watch;
  RebasedDevice device(drive, drive.info().timed ? drive.idle_from() : Nanoseconds{0});
  // A new seed per job: repeating the last job's sequence would overwrite pages in write order, at half the WA.
  HostOptions host;
  host.seed = 1 + drive.counters().host_write_bytes;
  const RunStats stats = run_jobs(device, jobs.jobs, host);
  const double took = watch.seconds();
  FTLAB_CHECK(stats.requests > 0, "benchmark ran nothing");
  for (const std::uint64_t failed : stats.jobs[0].failed) FTLAB_CHECK(failed == 0, "requests of a benchmark failed");
  return took;
}

std::string random_writes(std::uint64_t bytes) { return "rw=randwrite\nbs=4k\nio_size=" + std::to_string(bytes) + "\n"; }
std::string random_reads(std::uint64_t bytes) { return "rw=randread\nbs=4k\nio_size=" + std::to_string(bytes) + "\n"; }
std::string sequential_writes(std::uint64_t bytes) { return "rw=write\nbs=128k\nio_size=" + std::to_string(bytes) + "\n"; }

void age(Drive& drive, double times) {
  const std::uint64_t bytes = drive.config().user_bytes;
  run_job(drive, sequential_writes(bytes));
  run_job(drive, random_writes(static_cast<std::uint64_t>(static_cast<double>(bytes) * times)));
}

}  // namespace ftlab
