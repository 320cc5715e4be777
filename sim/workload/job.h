// One job of a fio job file after parsing, inheritance, cloning and checking: everything is a number, nothing is looked
// up by name again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/types.h"

namespace ftlab {

enum class Direction : std::uint8_t { read, write, trim };
inline constexpr std::size_t kDirectionCount = 3;
template <class T>
using PerDirection = std::array<T, kDirectionCount>;

// fio's `rw`: which directions, and whether offsets are random.
struct Pattern {
  bool random = false;
  bool reads = false;
  bool writes = false;
  bool trims = false;
  bool trim_then_write = false;        // trimwrite, randtrimwrite: every block is trimmed, then written
  std::uint64_t blocks_per_random = 1; // rw=randread:8, this many sequential blocks after each random start
  std::int64_t sequential_skip_bytes = 0;  // rw=write:12k leaves holes, rw=write:-8k runs backwards
  bool mixed() const { return reads && writes; }
};

// fio's `random_generator`. tausworthe64 differs from tausworthe only in the width of fio's own generator, which is not
// reproduced here; both are one uniform generator with 64 bits.
enum class RandomKind : std::uint8_t { tausworthe, lfsr, tausworthe64 };

struct Job {
  std::string name;         // the section's name; clones of numjobs share it
  std::size_t number = 0;   // 0-based over the file, clones counted
  std::size_t clone = 0;    // 0-based among the clones of one section
  std::size_t line = 0;     // of the section header in the job file
  std::size_t wave = 0;     // jobs of one wave run together; a stonewall starts the next wave when the last has ended
  std::size_t report_group = 0;  // jobs with the same number are reported as one (group_reporting)
  std::vector<std::pair<std::string, std::string>> options;  // as written, in order, for the report
  std::vector<std::pair<std::string, std::string>> global_options;

  Pattern pattern;
  std::string rw;                          // as written, for the report
  PerDirection<std::uint64_t> block_bytes{4096, 4096, 4096};
  std::uint64_t file_first_bytes = 0;      // the device, or the job's own file on it, that the region lies in;
  std::uint64_t file_end_bytes = 0;        // both zero: the region itself
  std::uint64_t region_first_bytes = 0;    // offsets lie in [first, end)
  std::uint64_t region_end_bytes = 0;
  std::uint64_t amount_bytes = 0;          // per loop; io_size, or the region's size
  bool amount_given = true;                // by io_size: as many passes over the region as the amount takes
  std::uint64_t loops = 1;                 // passes
  std::optional<std::uint64_t> request_limit;  // number_ios, per loop; a time-based job has none
  bool time_based = false;
  std::optional<Nanoseconds> runtime;      // measured after the ramp
  Nanoseconds ramp{0};
  Nanoseconds start_delay{0};
  std::size_t depth = 1;                   // 1 for synchronous engines, whatever iodepth says
  std::uint32_t read_percent = 50;         // rwmixread
  bool random_map = true;                  // off with norandommap: blocks may repeat within a pass
  bool repeat_order = true;                // a further pass (loops, io_size) issues the identical order: randrepeat
                                           // without randseed; a time-based map is refilled in a new order
  bool repeat_lfsr = true;                 // the same for random_generator=lfsr: randrepeat, with or without randseed
  RandomKind random_kind = RandomKind::tausworthe;
  std::uint64_t seed = 0;                  // from randseed; the run's --seed is mixed in by the generator

  std::vector<double> percentiles;         // ascending, for each kind of latency that is asked for:
  bool completion_percentiles = true;      // clat_percentiles
  bool total_percentiles = false;          // lat_percentiles
  bool submission_percentiles = false;     // slat_percentiles
  bool group_reporting = false;
  std::optional<std::string> bandwidth_log;  // file prefix, when asked for
  std::optional<std::string> iops_log;
  std::optional<std::string> latency_log;  // writes _lat, _slat and _clat as fio does
  Nanoseconds log_interval{0};             // log_avg_msec; 0: one row for each request
};

// What the user should know, but what is no error: printed once and kept in the result.
struct Note {
  std::string file;
  std::size_t line = 0;  // 0: of the whole file
  std::string text;
  std::string shown() const { return file + (line > 0 ? ":" + std::to_string(line) : "") + ": note: " + text; }
};

struct JobFile {
  std::vector<Job> jobs;
  std::vector<Note> notes;
};

}  // namespace ftlab
