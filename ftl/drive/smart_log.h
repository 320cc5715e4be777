// What a drive knows of its own life, in plain units: what tables of SMART attributes are made from. Of the whole life,
// power cuts and other designs of its translation layer included.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/drive.h"

namespace ftlab {

struct SmartLog {
  std::uint64_t user_bytes = 0;
  std::uint64_t flash_bytes = 0;
  std::uint64_t powered_ms = 0;
  std::uint64_t power_cycles = 0;  // times it was switched on: the first one, and after each power cut
  std::uint64_t power_cuts = 0;    // each loses what is in RAM, if nothing protects it
  std::uint64_t host_read_bytes = 0;
  std::uint64_t host_write_bytes = 0;
  std::uint64_t host_read_commands = 0;
  std::uint64_t host_write_commands = 0;
  std::uint64_t media_write_bytes = 0;
  std::uint64_t host_program_pages = 0;        // NAND pages' worth of what the host wrote
  std::uint64_t background_program_pages = 0;  // of everything else: the rest of media_write_bytes
  std::uint64_t flash_fills = 0;               // media_write_bytes by flash_bytes
  std::uint64_t mean_erases = 0;               // of the blocks that are good or were
  std::uint64_t most_erases = 0;
  std::uint64_t wear_range_percent = 0;  // most less least erases, by the limit; 0: the flash has no limit
  std::uint64_t life_used_percent = 0;   // mean erases by the mean limit; may pass 100; 0: the flash has no limit
  std::uint64_t grown_bad_blocks = 0;
  std::uint64_t program_failures = 0;        // pages
  std::uint64_t erase_failures = 0;          // blocks
  std::uint64_t lost_pages = 0;              // mapping pages that could not be read and not rebuilt
  std::uint64_t busy_ms = 0;                 // with a request outstanding; only of a drive with a power model
  std::uint64_t has_busy_time = 0;           // 1: busy_ms means something
  std::uint64_t reserve_blocks = 0;          // good ones beyond those that the layer needs
  std::uint64_t reserve_left_percent = 100;  // by the reserve of the drive when new
  std::uint64_t has_endurance_limit = 0;     // 1: the two percentages of wear mean something
  std::uint64_t read_only = 0;               // 1: it takes no more writes
  std::uint64_t none = 0;                    // for what does not happen in a simulated drive
};

struct HealthField {
  const char* name;
  std::uint64_t SmartLog::*member;
};
inline constexpr HealthField kHealthFields[] = {
    {"user_bytes", &SmartLog::user_bytes},
    {"flash_bytes", &SmartLog::flash_bytes},
    {"powered_ms", &SmartLog::powered_ms},
    {"power_cycles", &SmartLog::power_cycles},
    {"power_cuts", &SmartLog::power_cuts},
    {"host_read_bytes", &SmartLog::host_read_bytes},
    {"host_write_bytes", &SmartLog::host_write_bytes},
    {"host_read_commands", &SmartLog::host_read_commands},
    {"host_write_commands", &SmartLog::host_write_commands},
    {"media_write_bytes", &SmartLog::media_write_bytes},
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

// Erases of each block; without the factory's bad ones.
std::vector<std::uint32_t> block_erases(const Drive& drive);

// As of `now` on the drive's clock. O(blocks).
SmartLog smart_log(const Drive& drive, Nanoseconds now);

}  // namespace ftlab
