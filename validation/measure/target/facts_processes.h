// Processes and threads, from procfs. They may end during a search; nullopt only means that they cannot be read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ftlab {

// Process numbers, ascending.
std::optional<std::vector<std::uint64_t>> process_numbers(const std::filesystem::path& proc);

// The folders of a process's threads (/proc/50/task/50, /proc/50/task/51), empty if it has ended. Threads may have their own
// mount namespaces, and may outlive the first thread, which stands for the process.
std::optional<std::vector<std::filesystem::path>> threads_of(const std::filesystem::path& process);

// True if the thread (by its folder) is gone, a zombie, or exiting. Whatever it does not show has been released.
bool has_ended(const std::filesystem::path& thread);

}  // namespace ftlab
