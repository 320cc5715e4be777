// Checks that a drive fits into memory before allocating: the kernel overcommits and would kill the program later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// Memory available on this machine and within the limit of its cgroup. Empty if unknown.
std::optional<std::uint64_t> free_memory_bytes();

// Address space that ulimit -v leaves to this process; empty without a limit.
std::optional<std::uint64_t> free_address_bytes();

// Empty if `drives` such drives fit into `free_bytes` at once; otherwise the reason with the calculation. `versions`: see
// table_sizes(). `source`: where the limit comes from.
std::string memory_problem(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes,
                           const std::string& source = "this machine has left");
// Ways to use less memory, with the divisor of a scaled drive that fits.
std::string memory_remedy(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes);

// "needs about 1.3 GB of memory for a map of 234.4 M pages of 4 KiB". `more`: bytes needed besides the drive's tables, as
// counted_aging_bytes().
std::string memory_needs(const DriveConfig& config, bool versions, std::uint64_t more = 0);
// Drives that need less than this are simulated without a word about memory.
inline constexpr std::uint64_t kMuchMemoryBytes = 1'000'000'000;

// Throws ConfigError naming `where` if free memory does not suffice.
void refuse_beyond_memory(const DriveConfig& config, bool versions, const std::string& where, std::uint64_t drives = 1);

// Like refuse_beyond_memory() with the address space left by ulimit -v. Call it before creating the drive: every table needs
// addresses, even if it is freed before it is written.
void refuse_beyond_addresses(const DriveConfig& config, const std::string& where, std::uint64_t drives = 1);

// Like the first one, but takes a number of bytes. `remedy`: ways to use less memory.
void refuse_beyond_memory(std::uint64_t bytes, const std::string& where, const std::string& remedy = {});

// Message after a failed allocation: memory in use, the limit, and ways to use less.
std::string out_of_memory();

}  // namespace ftlab
