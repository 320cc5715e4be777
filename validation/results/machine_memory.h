// Whether there is memory for a drive, asked before it is taken: the kernel would grant it, and end the program later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// What this machine can still give: what the kernel holds for available, and what the limits of its groups leave. Nothing
// when it does not tell.
std::optional<std::uint64_t> free_memory_bytes();

// What ulimit -v leaves of the address space of this process; nothing without a limit.
std::optional<std::uint64_t> free_address_bytes();

// Empty, or why `drives` such drives at once do not fit into `free_bytes`, with the arithmetic. `versions`: see
// table_sizes(). `source`: what leaves no more.
std::string memory_problem(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes,
                           const std::string& source = "this machine has left");
// What takes less, with the divisor of a scaled drive that fits.
std::string memory_remedy(const DriveConfig& config, bool versions, std::uint64_t drives, std::uint64_t free_bytes);

// Throws ConfigError naming `where` when there is a problem with the memory that is free.
void refuse_beyond_memory(const DriveConfig& config, bool versions, const std::string& where, std::uint64_t drives = 1);

// The same of the addresses that ulimit -v leaves, before the drive is made: every table takes its addresses, also one that
// is given back before it is written.
void refuse_beyond_addresses(const DriveConfig& config, const std::string& where, std::uint64_t drives = 1);

// The same of tables of any kind.
void refuse_beyond_memory(std::uint64_t bytes, const std::string& where);

// For a program that was refused memory: how much it had, what it may have, and what takes less.
std::string out_of_memory();

}  // namespace ftlab
