// Block devices as sysfs shows them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ftlab {

// Trimmed text of a small file; nullopt if it cannot be read.
std::optional<std::string> sysfs_text(const std::filesystem::path& file);
// Like sysfs_text(), as a number; nullopt unless the whole text is one.
std::optional<std::uint64_t> sysfs_number(const std::filesystem::path& file);
// Sorted names in a folder; nullopt if it cannot be listed.
std::optional<std::vector<std::string>> sysfs_names(const std::filesystem::path& folder);

// "8:16" as the kernel writes it, from the device number of stat().
std::string device_number_text(std::uint64_t rdev);

// One block device and its partitions.
struct BlockNode {
  std::filesystem::path folder;         // with links followed
  std::string name;                     // "sda"
  std::vector<std::string> partitions;  // "sda1"
  bool is_partition = false;
};
// The block device of that number ("8:16"); nullopt if sysfs does not show it.
std::optional<BlockNode> block_node(const std::filesystem::path& sys, const std::string& number);

// Names of the whole devices under a device: a partition's disk, and all members of a dm or md device. nullopt if a link
// leads nowhere.
std::optional<std::set<std::string>> whole_devices_under(const std::filesystem::path& sys, const BlockNode& node);

// The serial number that the device itself shows in sysfs: NVMe, virtio, or page 0x80 of SCSI and ATA.
std::optional<std::string> shown_serial(const BlockNode& node);

}  // namespace ftlab
