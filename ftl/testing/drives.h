// Drives for tests, made without a drive file.
#pragma once

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// One die, superblocks of one block, mapping page = NAND page, one frontier, stop-the-world collection: the setting of
// the theory of write amplification. `data_blocks` hold data when a victim is picked; the reserve comes on top.
inline DriveConfig theory_drive(std::uint32_t data_blocks, std::uint32_t pages_per_block, std::uint64_t logical_pages) {
  DriveConfig drive;
  drive.name = "theory";
  drive.geometry = {1, 1, 1, 1, data_blocks + 1, pages_per_block, 4096, 0, 512};
  drive.nand = {
      Nanoseconds{50'000}, {Nanoseconds{500'000}}, Nanoseconds{2'000'000}, 200'000'000, Nanoseconds{200}, false, false};
  drive.link = {600'000'000, Nanoseconds{1000}, Nanoseconds{1000}};
  drive.controller = {Nanoseconds{1000}, Nanoseconds{1000}};
  drive.ftl.mapping_bytes = 4096;
  drive.ftl.superblock = {1, 1};
  drive.ftl.separate_relocation = false;
  drive.ftl.gc = {0, 1, 2, 0};
  drive.ftl.buffer.pages = 64;
  drive.ftl.buffer.coalescing_pages = 8;
  drive.user_bytes = logical_pages * 4096;
  return drive;
}

// 4 channels, 8 dies, 2 planes; 64 MiB of flash, superblocks of 1 MiB, OP 14 %; bursts of collection, cached programs.
inline DriveConfig striped_drive() {
  DriveConfig drive;
  drive.name = "striped";
  drive.geometry = {4, 2, 1, 2, 64, 16, 4096, 128, 1024};
  drive.nand = {Nanoseconds{50'000},
                {Nanoseconds{300'000}, Nanoseconds{900'000}},
                Nanoseconds{2'000'000},
                100'000'000,
                Nanoseconds{500},
                true,
                false};
  drive.link = {300'000'000, Nanoseconds{5400}, Nanoseconds{6200}};
  drive.controller = {Nanoseconds{5000}, Nanoseconds{5000}};
  drive.ftl.mapping_bytes = 4096;
  drive.ftl.superblock = {8, 2};
  drive.ftl.separate_relocation = true;
  drive.ftl.gc = {0, 3, 6, 8};
  drive.ftl.buffer.pages = 64;
  drive.ftl.buffer.coalescing_pages = 8;
  drive.user_bytes = 56ull << 20;
  return drive;
}

// `drive` with pages packed in slots of 512 bytes: 16 in a stripe of two planes of striped_drive().
inline DriveConfig packing(DriveConfig drive) {
  drive.ftl.compression = {512, 0, 1000};
  drive.ftl.buffer.pages = 512;
  drive.ftl.gc.start_free = 4;
  return drive;
}

}  // namespace ftlab
