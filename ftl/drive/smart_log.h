// Statistics of a drive's whole life in plain units, from which tables of SMART attributes are made. They continue across
// power cuts and other designs of the translation layer.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/drive.h"

namespace ftlab {

struct SmartLog {
  std::uint64_t user_bytes = 0;       // that can hold data: capacity of the namespace (NCAP)
  std::uint64_t namespace_bytes = 0;  // with the gaps between zones: size of the namespace (NSZE)
  std::uint64_t flash_bytes = 0;
  std::uint64_t powered_ms = 0;
  std::uint64_t power_cycles = 0;  // times it was switched on: initially and after each power cut
  std::uint64_t power_cuts = 0;    // each loses the data in RAM, unless they are protected
  std::uint64_t host_read_bytes = 0;
  std::uint64_t host_write_bytes = 0;
  std::uint64_t host_read_commands = 0;
  std::uint64_t host_write_commands = 0;
  std::uint64_t media_write_bytes = 0;
  std::uint64_t media_erase_bytes = 0;         // blocks erased, times their size
  std::uint64_t placement_handles = 0;         // 0: the drive has none
  std::uint64_t reclaim_groups = 0;            // of the handles
  std::uint64_t reclaim_units_opened = 0;      // for placement handles, since power-on
  std::uint64_t host_program_pages = 0;        // host data, in NAND pages
  std::uint64_t background_program_pages = 0;  // the rest of media_write_bytes, in NAND pages
  std::uint64_t flash_fills = 0;               // media_write_bytes / flash_bytes
  std::uint64_t mean_erases = 0;               // over the blocks that are good or were good
  std::uint64_t most_erases = 0;
  std::uint64_t wear_range_percent = 0;  // (most - least erases) / limit; 0: the flash has no limit
  std::uint64_t life_used_percent = 0;   // mean erases / mean limit, may exceed 100; 0: the flash has no limit
  std::uint64_t grown_bad_blocks = 0;
  std::uint64_t program_failures = 0;        // pages
  std::uint64_t erase_failures = 0;          // blocks
  std::uint64_t lost_pages = 0;              // mapping pages that could be neither read nor rebuilt
  std::uint64_t busy_ms = 0;                 // with a request outstanding; only with a power model
  std::uint64_t has_busy_time = 0;           // 1: busy_ms is valid
  std::uint64_t reserve_blocks = 0;          // good blocks beyond those that the layer needs
  std::uint64_t reserve_left_percent = 100;  // relative to the reserve of the new drive
  std::uint64_t has_endurance_limit = 0;     // 1: the two percentages of wear are valid
  std::uint64_t read_only = 0;               // 1: writes are refused
  std::uint64_t none = 0;                    // for attributes that a simulated drive does not have
};

struct HealthField {
  const char* name;
  std::uint64_t SmartLog::*member;
};
inline constexpr HealthField kHealthFields[] = {
    {"user_bytes", &SmartLog::user_bytes},
    {"namespace_bytes", &SmartLog::namespace_bytes},
    {"flash_bytes", &SmartLog::flash_bytes},
    {"powered_ms", &SmartLog::powered_ms},
    {"power_cycles", &SmartLog::power_cycles},
    {"power_cuts", &SmartLog::power_cuts},
    {"host_read_bytes", &SmartLog::host_read_bytes},
    {"host_write_bytes", &SmartLog::host_write_bytes},
    {"host_read_commands", &SmartLog::host_read_commands},
    {"host_write_commands", &SmartLog::host_write_commands},
    {"media_write_bytes", &SmartLog::media_write_bytes},
    {"media_erase_bytes", &SmartLog::media_erase_bytes},
    {"placement_handles", &SmartLog::placement_handles},
    {"reclaim_groups", &SmartLog::reclaim_groups},
    {"reclaim_units_opened", &SmartLog::reclaim_units_opened},
    {"host_program_pages", &SmartLog::host_program_pages},
    {"background_program_pages", &SmartLog::background_program_pages},
    {"flash_fills", &SmartLog::flash_fills},
    {"mean_erases", &SmartLog::mean_erases},
    {"most_erases", &SmartLog::most_erases},
    {"wear_range_percent", &SmartLog::wear_range_percent},
    {"life_used_percent", &SmartLog::life_used_percent},
    {"grown_bad_blocks", &SmartLog::grown_bad_blocks},
    {"program_failures", &SmartLog::program_failures},
    {"erase_failures", &SmartLog::erase_failures},
    {"lost_pages", &SmartLog::lost_pages},
    {"busy_ms", &SmartLog::busy_ms},
    {"has_busy_time", &SmartLog::has_busy_time},
    {"reserve_blocks", &SmartLog::reserve_blocks},
    {"reserve_left_percent", &SmartLog::reserve_left_percent},
    {"has_endurance_limit", &SmartLog::has_endurance_limit},
    {"read_only", &SmartLog::read_only},
    {"none", &SmartLog::none},
};

// Erases of each block, without the factory-bad ones.
std::vector<std::uint32_t> block_erases(const Drive& drive);

// As of `now` on the drive's clock. O(blocks).
SmartLog smart_log(const Drive& drive, Nanoseconds now);

}  // namespace ftlab
