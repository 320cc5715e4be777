// The benchmarks' drives, and jobs for them.
#pragma once

#include <cstdint>
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

}  // namespace ftlab
