// Finds out the facts about a target that the guard needs. Only looks, never changes anything. What cannot be found out (a
// file that is missing, unreadable, or not understood) stays unknown, which the guard refuses.
//
// Sources: the open descriptor (fstat, fcntl, statx, BLK* queries, a lease on files), sysfs, the mount tables of every mount
// namespace that a process lives in, /proc/swaps, /proc/*/fd, the loop devices, and libblkid for what is stored on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "validation/measure/target/guard.h"
#include "validation/measure/target/identity.h"

namespace ftlab {

// Root folders of the system's views; others in tests.
struct SystemView {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
  std::filesystem::path dev = "/dev";
};

// Gathers all of the facts below.
DeviceFacts gather_facts(const OpenTarget& target, const SystemView& system = {});

// Facts from the descriptor alone; signatures only of block devices.
DeviceFacts descriptor_facts(const OpenTarget& target);
// Adds facts from sysfs and procfs about the block device with that number. If two sources of the same fact differ, adds a
// contradiction.
void add_block_facts(DeviceFacts& facts, std::uint64_t rdev, const SystemView& system);
// Adds facts from the system about a regular file.
void add_file_facts(DeviceFacts& facts, const SystemView& system);

// Bytes of the ranges that were never written: holes, and preallocated space. Unknown if the file system does not report
// them.
Fact<std::uint64_t> unwritten_bytes(int descriptor, const std::vector<ByteRange>& ranges);

// Partition tables, file systems, members of volumes and whatever else libblkid knows, each as "xfs at byte 0". Unknown if
// the device cannot be read to its end.
Fact<Findings> signatures_on(int descriptor);

// JSON of a fact; unknown facts are null.
template <class T>
nlohmann::ordered_json value_or_null(const Fact<T>& fact) {
  return fact ? nlohmann::ordered_json(*fact) : nlohmann::ordered_json(nullptr);
}

}  // namespace ftlab
