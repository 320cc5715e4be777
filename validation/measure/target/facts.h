// Finds out about a target what the guard wants to know. It looks and never changes anything; what it cannot find out
// (a file that is missing, may not be read, or cannot be understood) stays unknown, which the guard refuses.
//
// Sources: the open descriptor (fstat, fcntl, statx, BLK* queries, a lease on files), sysfs, the mount tables of every
// mount namespace that a process lives in, /proc/swaps, /proc/*/fd, the loop devices, and libblkid for what is stored on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "validation/measure/target/guard.h"
#include "validation/measure/target/identity.h"

namespace ftlab {

// Where the system shows itself; another place in tests.
struct SystemView {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
  std::filesystem::path dev = "/dev";
};

// All of the below.
DeviceFacts gather_facts(const OpenTarget& target, const SystemView& system = {});

// What the descriptor alone can tell; signatures only of block devices.
DeviceFacts descriptor_facts(const OpenTarget& target);
// What the system tells of the block device of that number, added to `facts`. Where both tell the same fact and differ,
// a contradiction is added.
void add_block_facts(DeviceFacts& facts, std::uint64_t rdev, const SystemView& system);
// What the system tells of a regular file.
void add_file_facts(DeviceFacts& facts, const SystemView& system);

// Bytes of the ranges that were never written: holes, and room that was only reserved. Unknown when the file system does not
// tell.
Fact<std::uint64_t> unwritten_bytes(int descriptor, const std::vector<ByteRange>& ranges);

// Partition tables, file systems, members of volumes and whatever else libblkid knows, each as "xfs at byte 0". Unknown
// when it cannot be read to the end.
Fact<Findings> signatures_on(int descriptor);

}  // namespace ftlab
