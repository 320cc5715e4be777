// Which processes and threads there are, as procfs tells it. They end while one looks; nothing is returned only when they
// may not be known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ftlab {

// Processes by number, in the order of the numbers.
std::optional<std::vector<std::uint64_t>> process_numbers(const std::filesystem::path& proc);

// The folders of a process's threads (/proc/50/task/50, /proc/50/task/51), none when it has ended. Threads may live in mount
// namespaces of their own, and live on when the first of them, which shows as the process, has ended.
std::optional<std::vector<std::filesystem::path>> threads_of(const std::filesystem::path& process);

// By its folder: it is gone, waits for its parent, or is on its way there. What it does not show it has let go of.
bool has_ended(const std::filesystem::path& thread);

}  // namespace ftlab
