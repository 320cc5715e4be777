// What a drive knows of its own life, in plain units: what tables of SMART attributes are made from. Of the whole life,
// power cuts and other designs of its translation layer included.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/drive.h"

namespace ftlab {

struct HealthLog {
  std::uint64_t user_bytes = 0;
  std::uint64_t flash_bytes = 0;
  std::uint64_t powered_ms = 0;
  std::uint64_t power_cycles = 0;  // times it was switched on: the first one, and after each power cut
  std::uint64_t power_cuts = 0;    // each loses what is in RAM, if nothing protects it
  std::uint64_t host_read_bytes = 0;
  std::uint64_t host_write_bytes = 0;
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
  std::uint64_t reserve_blocks = 0;          // good ones beyond those that the layer needs
  std::uint64_t reserve_left_percent = 100;  // by the reserve of the drive when new
  std::uint64_t has_endurance_limit = 0;     // 1: the two percentages of wear mean something
  std::uint64_t read_only = 0;               // 1: it takes no more writes
  std::uint64_t none = 0;                    // for what does not happen in a simulated drive
};

struct HealthField {
  const char* name;
  std::uint64_t HealthLog::*member;
};
inline constexpr HealthField kHealthFields[] = {
    {"user_bytes", &HealthLog::user_bytes},
    {"flash_bytes", &HealthLog::flash_bytes},
    {"powered_ms", &HealthLog::powered_ms},
    {"power_cycles", &HealthLog::power_cycles},
    {"power_cuts", &HealthLog::power_cuts},
    {"host_read_bytes", &HealthLog::host_read_bytes},
    {"host_write_bytes", &HealthLog::host_write_bytes},
    {"media_write_bytes", &HealthLog::media_write_bytes},
    {"host_program_pages", &HealthLog::host_program_pages},
    {"background_program_pages", &HealthLog::background_program_pages},
    {"flash_fills", &HealthLog::flash_fills},
    {"mean_erases", &HealthLog::mean_erases},
    {"most_erases", &HealthLog::most_erases},
    {"wear_range_percent", &HealthLog::wear_range_percent},
    {"life_used_percent", &HealthLog::life_used_percent},
    {"grown_bad_blocks", &HealthLog::grown_bad_blocks},
    {"program_failures", &HealthLog::program_failures},
    {"erase_failures", &HealthLog::erase_failures},
    {"reserve_blocks", &HealthLog::reserve_blocks},
    {"reserve_left_percent", &HealthLog::reserve_left_percent},
    {"has_endurance_limit", &HealthLog::has_endurance_limit},
    {"read_only", &HealthLog::read_only},
    {"none", &HealthLog::none},
};

// Erases of each block; without the factory's bad ones.
std::vector<std::uint32_t> block_erases(const Drive& drive);

// As of `now` on the drive's clock. O(blocks).
HealthLog health_log(const Drive& drive, Nanoseconds now);

}  // namespace ftlab
