// Time and memory cost of larger drives, and the speed of saving and loading them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "ftl/drive/lifecycle.h"
#include "sim/core/check.h"
#include "sim/testing/files.h"
#include "validation/benchmarks/bench.h"
#include "validation/benchmarks/bench_tools.h"
#include "validation/run/precondition.h"
#include "validation/run/simulated_device.h"
#include "validation/run/state_file.h"

namespace ftlab {
namespace {

// Cost of filling a drive and overwriting it at random once, in a child process, as `ftlab run` does: CPU seconds, memory.
ChildRun start_of(const DriveConfig& config) {
  return run_in_child([&config] {
    const CpuWatch watch;
    Drive drive(config, Clock::untimed);
    drive.discard_versions();
    age(drive, 1);
    return watch.seconds();
  });
}

// Like start_of(), but overwritten by counting. Returns the CPU seconds.
double counted_start_of(const DriveConfig& config) {
  return run_in_child([&config] {
           const CpuWatch watch;
           Drive drive(config, Clock::untimed);
           run_job(drive, sequential_writes(config.user_bytes));
           Lifecycle(drive).age_by_counting(config.logical_pages(), 1);
           drive.discard_versions();
           return watch.seconds();
         })
      .value;
}

// Nanoseconds per host write in steady state.
double write_ns(const DriveConfig& config, bool small) {
  return run_in_child([&config, small] {
           Drive drive(config, Clock::untimed);
           drive.discard_versions();
           age(drive, 2);
           const std::uint64_t bytes = std::min(config.user_bytes, small ? std::uint64_t{1} << 26 : std::uint64_t{8} << 30);
           return run_job(drive, random_writes(bytes)) * 1e9 / (static_cast<double>(bytes) / 4096);
         })
      .value;
}

// A drive as they are made today: 16 channels of 8 dies, NAND pages of 16 KiB; 1,024 blocks a plane make 8 TB.
DriveConfig large_drive(std::uint32_t blocks, std::uint32_t mapping_bytes, bool small) {
  DriveConfig drive = bench_drive_of(small ? 64 : blocks, small);
  drive.geometry.channels = 16;
  drive.geometry.dies_per_chip = small ? 1 : 8;
  drive.geometry.page_bytes = 16384;
  drive.geometry.page_spare_bytes = 1872;
  if (!small) drive.geometry.pages_per_block = 1024;
  drive.ftl.superblock = {16, 2};
  drive.ftl.mapping_bytes = mapping_bytes;
  drive.ftl.buffer.pages = 1024;
  drive.user_bytes = static_cast<std::uint64_t>(static_cast<double>(drive.geometry.bytes()) / 1.07) / 16384 * 16384;
  return drive;
}

// In a child process: CPU seconds, memory.
ChildRun preconditioned(const DriveConfig& config, Precondition state) {
  return run_in_child([&config, state] {
    const auto used = used_device({}, std::make_unique<Drive>(config, Clock::timed));
    SimulatedDevice& device = *used;
    const CpuWatch watch;
    precondition(device, {state});
    return watch.seconds();
  });
}

BenchRow memory_row(const std::string& name, const ChildRun& run, double asked_gb) {
  return {name, static_cast<double>(run.peak_bytes) / 1e9, "GB", asked_gb, true};
}

}  // namespace

std::vector<BenchRow> size_rows(bool small) {
  const DriveConfig of_4 = bench_drive_of(128, small), of_64 = bench_drive_of(small ? 192 : 2048, small),
                    of_512 = bench_drive_of(small ? 256 : 15258, small);
  std::vector<BenchRow> rows;
  const ChildRun start_64 = start_of(of_64);
  rows.push_back({"64 GiB: made, filled and overwritten at random once", start_64.value, "s", 3, true});
  rows.push_back({"  memory at its peak",
                  static_cast<double>(start_64.peak_bytes) / static_cast<double>(of_64.geometry.pages()), "bytes per page",
                  9, true});
  rows.push_back({"  the same by counting", counted_start_of(of_64), "s", 3, true});
  const ChildRun start_512 = start_of(of_512);
  rows.push_back({"512 GB: made, filled and overwritten at random once", start_512.value, "s", 25, true});
  rows.push_back({"  512 GB: the same by counting", counted_start_of(of_512), "s", 25, true});
  rows.push_back(memory_row("  512 GB: memory at its peak", start_512, 1.4));
  const double ns_4 = write_ns(of_4, small), ns_512 = write_ns(of_512, small);
  rows.push_back({"an untimed host write at 4 GiB", ns_4, "ns", 0, true});
  rows.push_back({"  at 512 GB", ns_512, "ns", 0, true});
  rows.push_back({"  the ratio of the two", ns_512 / ns_4, "", 1.6, true, 0, false});
  const DriveConfig large = large_drive(1024, 16384, small);
  const ChildRun run_8 = run_in_child([&large] {
    Drive drive(large, Clock::untimed);
    drive.discard_versions();
    return run_job(drive, sequential_writes(large.user_bytes));
  });
  rows.push_back({"8 TB in units of 16 KiB, filled", run_8.value, "s", 0, true});
  rows.push_back(memory_row("  8 TB: memory at its peak", run_8, 20));
  return rows;
}

std::vector<BenchRow> precondition_rows(bool small) {
  const DriveConfig drive = large_drive(128, 4096, small);
  const ChildRun steady = preconditioned(drive, Precondition::steady);
  return {{"1 TB: --precondition sequential", preconditioned(drive, Precondition::sequential).value, "s", 5, true},
          {"  random", preconditioned(drive, Precondition::random).value, "s", 0, true},
          {"  steady", steady.value, "s", 20, true},
          memory_row("  steady: memory at its peak", steady, 0)};
}

// Saves to and loads from a file. The limit is the speed of the disk.
std::vector<BenchRow> state_rows(bool small) {
  const DriveConfig config = bench_drive(small);
  const TestFolder folder;
  const std::string path = folder / "state", copy = folder / "copy";
  Drive drive(config, Clock::untimed);
  age(drive, 0.1);
  const WallWatch saving;
  {
    std::ofstream file(path, std::ios::binary);
    drive.save([&file](std::string_view piece) { file.write(piece.data(), static_cast<std::streamsize>(piece.size())); });
  }
  const double saved = saving.seconds();
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const WallWatch loading;
  const MappedFile mapped(path);
  Drive other(config, Clock::untimed);
  other.load(mapped.bytes());
  const double loaded = loading.seconds();
  const WallWatch copying;  // speed of the disk alone
  {
    std::ofstream to(copy, std::ios::binary);
    to.write(mapped.bytes().data(), static_cast<std::streamsize>(mapped.bytes().size()));
  }
  const double disk = megabytes / copying.seconds();
  return {{"saving a drive, by the clock", megabytes / saved, "MB/s", 0, false, disk},
          {"loading it, by the clock", megabytes / loaded, "MB/s", 0, false, disk}};
}

}  // namespace ftlab
