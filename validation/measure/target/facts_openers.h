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

// Targets of the search: block devices by number, files by device and inode.
struct Wanted {
  std::set<std::uint64_t> block_devices;
  std::vector<FileIdentity> files;
};

// "process 812 (qemu)", in the order of the numbers, without this process. nullopt if the open files of a process cannot be
// read.
std::optional<std::vector<std::string>> openers_of(const std::filesystem::path& proc, const Wanted& wanted);

}  // namespace ftlab
