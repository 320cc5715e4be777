// Finds the other processes that have a file or device open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validation/measure/target/identity.h"

namespace ftlab {

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
