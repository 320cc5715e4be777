// The part of the drive that a job accesses, and how much it moves. fio's rules: `size` bounds the region and the amount;
// with `filesize` the region is [offset, filesize) and `size` bounds only the amount; `io_size` bounds only the amount.
#pragma once

#include <vector>

#include "sim/core/random.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

struct Region {
  std::uint64_t file_first_bytes = 0;
  std::uint64_t file_end_bytes = 0;
  std::uint64_t first_bytes = 0;
  std::uint64_t end_bytes = 0;
  std::uint64_t amount_bytes = 0;
  bool amount_given = false;
};

// The line that set `option`, or one that names the section if none did. Used in messages.
Setting line_of(const Settings& settings, const Section& section, const char* option);

// Converts sizes and offsets in zones (suffix z) to bytes: zones of zonesize, else of `zone_bytes`. Throws ConfigError.
void count_zones_in_bytes(Settings& settings, const Section& section, std::uint64_t zone_bytes);

// The option that set the block sizes: bssplit, bsrange or bs.
const char* size_option(const Settings& settings);

// The largest block among the directions that the pattern uses.
std::uint64_t largest_block(const Settings& settings);

// Region of a clone whose section names one file, which is the whole drive. Throws ConfigError.
Region region_on_drive(const Settings& settings, const Section& section, std::uint64_t capacity_bytes, std::size_t clone);

// Region of a job without filename, which gets a separate file as fio would create it. Assumes that the file is at byte 0 of
// the drive; the files of all clones have the same size. Throws ConfigError.
Region region_in_own_file(const Settings& settings, const Section& section, std::uint64_t capacity_bytes, std::size_t clone);

// Like region_in_own_file(), for each file of a job with several (nrfiles, filename=a:b). As in fio the files share `size`
// equally, unless there is a filesize; a range of file sizes is drawn for each file, by `seed`.
std::vector<Region> regions_in_files(const Settings& settings, const Section& section, std::uint64_t capacity_bytes,
                                     std::size_t clone, std::uint64_t seed);

// Replaces filesize=LEAST-MOST by one random size, rounded down to whole blocks as in fio.
void draw_file_size(Settings& settings, RandomStream& random);

}  // namespace ftlab
