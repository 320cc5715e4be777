// Mounts and swap places, from procfs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

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

}  // namespace ftlab
