// Where on the drive a job works, and how much it moves. fio's rules: `size` bounds the region and the amount; with
// `filesize` the region is [offset, filesize) and `size` bounds the amount only; `io_size` bounds the amount only.
#pragma once

#include "sim/workload/settings.h"

namespace ftlab {

struct Region {
  std::uint64_t file_first_bytes = 0;
  std::uint64_t file_end_bytes = 0;
  std::uint64_t first_bytes = 0;
  std::uint64_t end_bytes = 0;
  std::uint64_t amount_bytes = 0;
  bool amount_given = false;
};

// The line that set `option`, or one that names the section when nothing did: for messages.
Setting line_of(const Settings& settings, const Section& section, const char* option);

// The largest block among the directions that the pattern uses.
std::uint64_t largest_block(const Settings& settings);

// The region of a job that names a file: the whole drive stands for it. Throws ConfigError.
Region region_on_drive(const Settings& settings, const Section& section, std::uint64_t capacity_bytes);

// A job that names none gets a file of its own, as fio would create it. Its region, were its file at byte 0 of the
// drive. Throws ConfigError.
Region region_in_own_file(const Settings& settings, const Section& section, std::uint64_t capacity_bytes);

}  // namespace ftlab
