// Block devices as sysfs shows them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ftlab {

// The trimmed text of a small file; nothing when it cannot be read.
std::optional<std::string> sysfs_text(const std::filesystem::path& file);
// The same as a number; nothing unless it is one, entirely.
std::optional<std::uint64_t> sysfs_number(const std::filesystem::path& file);
// The names in a folder, sorted; nothing when it cannot be listed.
std::optional<std::vector<std::string>> sysfs_names(const std::filesystem::path& folder);

// "8:16" as the kernel writes it, and back from the number of stat().
std::string device_number_text(std::uint64_t rdev);

// One block device, and what belongs to it.
struct BlockNode {
  std::filesystem::path folder;         // of the device, links followed
  std::string name;                     // "sda"
  std::vector<std::string> partitions;  // "sda1"
  bool is_partition = false;
};
// The block device of that number ("8:16"); nothing when sysfs does not show it.
std::optional<BlockNode> block_node(const std::filesystem::path& sys, const std::string& number);

// The names of the whole devices that a device lies on: a partition's disk, and all that a dm or md device is composed of.
// Nothing when a link leads nowhere.
std::optional<std::set<std::string>> whole_devices_under(const std::filesystem::path& sys, const BlockNode& node);

// The serial number that the device itself shows to sysfs: of NVMe, of virtio, or page 0x80 of SCSI and ATA.
std::optional<std::string> shown_serial(const BlockNode& node);

}  // namespace ftlab
