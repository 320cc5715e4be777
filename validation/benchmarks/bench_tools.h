// What benchmarks share: drives and jobs for them, work in child processes, the machine's own limit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ftl/drive/drive.h"

namespace ftlab {

// 8 channels, 16 dies, 2 planes, 4 KiB pages, 256 pages per block: superblocks of 32 MiB (small: 4 MiB), 64 GiB (small: 512
// MiB) of flash, over-provisioned by `spare`. The flash timings do not affect the cost of simulation.
DriveConfig bench_drive(bool small, double spare = 0.07);

// Like bench_drive(), with `blocks` blocks per plane; 2048 make 64 GiB (small: 8 GiB).
DriveConfig bench_drive_of(std::uint32_t blocks, bool small = false);

// Like bench_drive(), with every optional model: page kinds, die queues with suspension, block variation and wear, bit
// errors with retries and refresh, controller cores, latencies and look-ups, DRAM, NCQ, energy. Without `queues`, dies have
// no queues: their time is reserved as in bench_drive().
DriveConfig bench_drive_with_everything(bool small, bool queues);

// Returns the CPU seconds of a job given in fio's options; queue depth 32.
double run_job(Drive& drive, const std::string& options);
std::string random_writes(std::uint64_t bytes);
std::string random_reads(std::uint64_t bytes);
std::string sequential_writes(std::uint64_t bytes);

// Fills the drive sequentially, then overwrites its capacity at random `times` times. Steady state from about 4 on.
void age(Drive& drive, double times);

// Runs work in child processes and measures its time and peak memory.
struct ChildRun {
  double value = 0;  // return value of the work
  std::uint64_t peak_bytes = 0;
};

// Runs the work in a forked process. REQUIRES: no other thread runs.
ChildRun run_in_child(const std::function<double()>& work);

// Runs `copies` processes of the work at once. Returns the wall-clock seconds until the last has ended.
double run_at_once(unsigned copies, const std::function<double()>& work);

// Speed limit set by this machine's memory: only the memory accesses that an FTL cannot avoid, without any other work.
// Nanoseconds to read and write one random entry, prefetched 64 ahead, of a table of `entries` numbers of `bytes` bytes (2
// or 4): the cost of a host write to an FTL that leaves valid pages in place.
double bare_update_ns(std::uint64_t entries, std::uint32_t bytes);

}  // namespace ftlab
