// Which other processes have a file or device open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validation/measure/target/identity.h"

namespace ftlab {

// What is looked for: block devices by number, files by device and inode.
struct Wanted {
  std::set<std::uint64_t> block_devices;
  std::vector<FileIdentity> files;
};

// "process 812 (qemu)", in the order of the numbers, without this process. Nothing when the open files of a process may not
// be read.
std::optional<std::vector<std::string>> openers_of(const std::filesystem::path& proc, const Wanted& wanted);

}  // namespace ftlab
