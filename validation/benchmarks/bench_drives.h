// The drives that are measured, and jobs for them.
#pragma once

#include <cstdint>
#include <string>

#include "ftl/drive/drive.h"

namespace ftlab {

// 8 channels, 16 dies, 2 planes, 4 KiB pages, 256 pages a block: superblocks of 32 MiB (4 MiB on the small drive), 64 GiB
// (512 MiB) of flash, so much of it spare. The times of the flash do not change what the simulator has to do.
DriveConfig bench_drive(bool small, double spare = 0.07);

// The same with `blocks` blocks in a plane, 2048 being 64 GiB (on the small one 8 GiB).
DriveConfig bench_drive_of(std::uint32_t blocks, bool small = false);

// The same with every model that may be left out: kinds of page, queues of the dies with suspension, blocks that differ and
// wear, bit errors with retries and refresh, cores, latencies and look-ups of the controller, its memory, NCQ, energy.
// `queues`: with those of the dies; without, the flash's time is reserved as on the drive above.
DriveConfig bench_drive_with_everything(bool small, bool queues);

// CPU seconds that a job takes, given in fio's options; 32 requests at a time.
double run_job(Drive& drive, const std::string& options);
std::string random_writes(std::uint64_t bytes);
std::string random_reads(std::uint64_t bytes);
std::string sequential_writes(std::uint64_t bytes);

// Filled in order, then overwritten at random `times` times: in its steady state from about 4 on.
void age(Drive& drive, double times);

}  // namespace ftlab
