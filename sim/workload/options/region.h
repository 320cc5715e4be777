// Where on the drive a job works, and how much it moves. fio's rules: `size` bounds the region and the amount; with
// `filesize` the region is [offset, filesize) and `size` bounds the amount only; `io_size` bounds the amount only.
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

// The line that set `option`, or one that names the section when nothing did: for messages.
Setting line_of(const Settings& settings, const Section& section, const char* option);

// Which option set the block sizes: bssplit, bsrange or bs.
const char* size_option(const Settings& settings);

// The largest block among the directions that the pattern uses.
std::uint64_t largest_block(const Settings& settings);

// The region of a clone whose section names one file: the whole drive stands for it. Throws ConfigError.
Region region_on_drive(const Settings& settings, const Section& section, std::uint64_t capacity_bytes, std::size_t clone);

// A job that names none gets a file of its own, as fio would create it. Its region, were its file at byte 0 of the
// drive; the files of all clones are of one size. Throws ConfigError.
Region region_in_own_file(const Settings& settings, const Section& section, std::uint64_t capacity_bytes, std::size_t clone);

// The same for each file of a job that has several (nrfiles, filename=a:b). As in fio they share `size` equally, unless
// there is a filesize; a range of file sizes is drawn for each file, by `seed`.
std::vector<Region> regions_in_files(const Settings& settings, const Section& section, std::uint64_t capacity_bytes,
                                     std::size_t clone, std::uint64_t seed);

// filesize=LEAST-MOST becomes one size, by chance. Rounded down to whole blocks, as in fio.
void draw_file_size(Settings& settings, RandomStream& random);

}  // namespace ftlab
