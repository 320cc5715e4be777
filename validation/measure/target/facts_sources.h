// What the kernel shows of devices and their users: the sources of facts.h, one file each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validation/measure/target/identity.h"

namespace ftlab {

// Block devices as sysfs shows them.

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

// Mounts and swap places, from procfs.

// One line of a mountinfo table, as documented in proc(5).
struct Mount {
  std::string number;  // "8:1"; "0:35" for file systems without a device of their own
  std::string point;
  std::string type;
  std::string source;
};
// nullopt if a line cannot be parsed.
std::optional<std::vector<Mount>> parse_mounts(const std::string& table);

// The tables of every mount namespace that a thread lives in, once for each root directory in it, since a table shows only
// mounts below the thread's root. nullopt if one of them cannot be read: it could hold the mount that matters.
std::optional<std::vector<Mount>> mounts_everywhere(const std::filesystem::path& proc);
// The table of one process or thread, by its folder (/proc/1, /proc/self).
std::optional<std::vector<Mount>> mounts_of(const std::filesystem::path& process);

// Devices and files used as swap.
std::optional<std::vector<std::string>> parse_swaps(const std::string& table);
std::optional<std::vector<std::string>> swap_places(const std::filesystem::path& proc);

// Finds the other processes that have a file or device open.

// Processes and threads, from procfs. They may end during a search; nullopt only means that they cannot be read.

// Process numbers, ascending.
std::optional<std::vector<std::uint64_t>> process_numbers(const std::filesystem::path& proc);

// The folders of a process's threads (/proc/50/task/50, /proc/50/task/51), empty if it has ended. Threads may have their own
// mount namespaces, and may outlive the first thread, which stands for the process.
std::optional<std::vector<std::filesystem::path>> threads_of(const std::filesystem::path& process);

// True if the thread (by its folder) is gone, a zombie, or exiting. Whatever it does not show has been released.
bool has_ended(const std::filesystem::path& thread);

// Targets of the search: block devices by number, files by device and inode.
struct Wanted {
  std::set<std::uint64_t> block_devices;
  std::vector<FileIdentity> files;
};

// "process 812 (qemu)", in the order of the numbers, without this process. nullopt if the open files of a process cannot be
// read.
std::optional<std::vector<std::string>> openers_of(const std::filesystem::path& proc, const Wanted& wanted);

}  // namespace ftlab
