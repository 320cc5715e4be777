// One job of a fio job file after parsing, inheritance, cloning and checking: everything is a number, nothing is looked
// up by name again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/problem.h"
#include "sim/core/types.h"
#include "sim/workload/flow.h"
#include "sim/workload/options/replay_rules.h"
#include "sim/workload/options/requested.h"

namespace ftlab {

// Of the host's page cache.
inline constexpr std::uint64_t kCachePageBytes = 4096;

// fio's `rw`: which directions, and whether offsets are random.
struct Pattern {
  bool random = false;
  bool reads = false;
  bool writes = false;
  bool trims = false;
  bool trim_then_write = false;            // trimwrite, randtrimwrite: every block is trimmed, then written
  std::uint64_t blocks_per_random = 1;     // rw=randread:8, this many sequential blocks after each random start
  std::int64_t sequential_skip_bytes = 0;  // rw=write:12k leaves holes, rw=write:-8k runs backwards
  bool mixed() const { return reads && writes; }
};

// fio's `random_generator`. tausworthe64 differs from tausworthe only in the width of fio's own generator, which is not
// reproduced here; both are one uniform generator with 64 bits.
enum class RandomKind : std::uint8_t { tausworthe, lfsr, tausworthe64 };

// Block sizes of one direction (bs, bsrange, bssplit). Without shares and with least < most, fio's bsrange: `least` plus a
// random part of `most`, rounded down to a multiple of `least` and cut at `most`.
struct SizeShare {
  std::uint64_t bytes = 0;
  std::uint32_t percent = 0;
};
struct BlockSizes {
  std::uint64_t least = 4096;
  std::uint64_t most = 4096;
  std::vector<SizeShare> shares;  // bssplit; percentages add to 100, none is 0
  bool vary() const { return least != most; }
};

// fio's `random_distribution`: where the random blocks of a region lie.
struct Spread {
  enum class Kind : std::uint8_t { uniform, zipf, pareto, normal, zoned, zoned_abs, sequence };
  // `access_percent` of the requests go to the next `size` of the region, in percent or in bytes.
  struct Zone {
    std::uint32_t access_percent = 0;
    std::uint64_t size = 0;
  };
  Kind kind = Kind::uniform;
  double parameter = 0;          // theta, h, or what fio calls the deviation in percent of the region
  std::optional<double> centre;  // of zipf, pareto, normal: where the most frequent block lies, 0 to 1
  PerDirection<std::vector<Zone>> zones;
  std::vector<std::uint64_t> sequence;  // numbers of blocks, in the order in which they are accessed, again and again;
  bool sequence_advances = false;       // each time that many blocks further on (random_sequence_stride)
};

// fio's zonemode=strided: `bytes` are moved within `range_bytes`, then the job goes on behind a gap of `skip_bytes`, and
// from the beginning of its region when that ends. It has no passes: only the amount ends it.
struct StridedZones {
  std::uint64_t bytes = 0;  // 0: no zones
  std::uint64_t range_bytes = 0;
  std::uint64_t skip_bytes = 0;
};

// fio's sprandom: random writes of the drive's physical size, once, that leave a drive as a long random fill does. The
// region is written in `parts`; of the blocks of each a share is written again with the next one. See random/steady_fill.h.
struct SteadyFillRules {
  bool on = false;
  std::uint64_t spare_millionths = 150'000;  // spr_op: the drive's spare capacity, as a part of the region
  std::uint32_t parts = 100;
  std::uint64_t cache_bytes = 0;  // spr_cs: a part is written again only behind so much new data
};

// fio's placement identifiers (fdp, dataplacement): the streams that a job's writes go to, in turn or by chance.
struct PlacementHandles {
  std::vector<std::uint8_t> streams;  // empty: all writes to the job's one stream
  bool all = false;                   // instead: those of all handles that the device has
  bool by_chance = false;
  // dp_scheme: the stream of the first range that holds the offset of a write in its file, else 0; instead of the above.
  struct Range {
    std::uint64_t first_bytes = 0;
    std::uint64_t end_bytes = 0;
    std::uint8_t stream = 0;
  };
  std::vector<Range> by_offset;
  bool any() const { return all || !streams.empty() || !by_offset.empty(); }
};

// One file of a job that has several (nrfiles, filename=a:b): part of the one device. Offsets lie in [first, end).
struct FileRegion {
  std::uint64_t file_first_bytes = 0;
  std::uint64_t file_end_bytes = 0;
  std::uint64_t first_bytes = 0;
  std::uint64_t end_bytes = 0;
};

// fio's `file_service_type`: which file the next request goes to; each is used for `requests` in a row.
struct FileService {
  enum class Kind : std::uint8_t { roundrobin, sequential, random };
  Kind kind = Kind::roundrobin;
  std::uint64_t requests = 1;
  std::uint64_t open = 0;  // openfiles: only so many of the files that are not done are in use; 0: all
};

// What is written, told as far as a drive's compression or deduplication could see it. See sim/request.h.
struct ContentRules {
  std::uint32_t compress_percent = 0;  // of each chunk that compresses away; zero_buffers is 100
  std::uint64_t chunk_bytes = 512;
  bool refill = false;  // fresh bytes for each write (refill_buffers); scramble_buffers does as much
  bool scramble = true;
  std::optional<std::string> pattern;  // buffer_pattern as bytes: all writes are equal
  std::uint32_t dedupe_percent = 0;    // of writes that repeat an earlier content
  enum class Dedupe : std::uint8_t { repeat, working_set } dedupe = Dedupe::repeat;
  std::uint32_t working_set_percent = 5;
  bool shared = false;              // dedupe_global: the jobs that have it repeat each other's contents,
  std::uint64_t shared_blocks = 0;  // of working sets that have so many blocks together
  bool asked_for = false;           // some option of content is set: writes carry their Content
};

// fio's verify: what was written is read back and compared.
struct VerifyRules {
  bool on = false;                  // reads that come back are compared
  bool read_back = true;            // do_verify: after each pass, read what it wrote
  bool only = false;                // verify_only: the writes of the pass are taken as done
  bool fatal = false;               // verify_fatal: the job ends at the first mismatch
  std::uint64_t backlog = 0;        // read back after so many writes already; 0: only at the end of the pass
  std::uint64_t backlog_batch = 0;  // so many at a time; 0: as many as the backlog
};

struct Job {
  std::string name;              // the section's name; clones of numjobs share it
  std::size_t number = 0;        // 0-based over the file, clones counted
  std::size_t clone = 0;         // 0-based among the clones of one section
  std::size_t line = 0;          // of the section header in the job file
  std::size_t job_group = 0;     // jobs of one wave run together; a stonewall starts the next wave when the last has ended
  std::size_t group = 0;         // fio's groupid: a stonewall or a new_group starts the next
  std::size_t report_group = 0;  // jobs with the same number are reported as one (group_reporting)
  std::vector<std::pair<std::string, std::string>> options;  // as written, in order, for the report
  std::vector<std::pair<std::string, std::string>> global_options;

  Pattern pattern;
  std::string rw;                                             // as written, for the report
  PerDirection<std::uint64_t> block_bytes{4096, 4096, 4096};  // the least of `sizes`, in which blocks are counted
  PerDirection<BlockSizes> sizes;
  PerDirection<std::uint64_t> alignment_bytes{0, 0, 0};  // of random offsets (ba); 0: block_bytes
  bool any_size = false;                                 // bs_unaligned: bsrange in steps of a sector
  bool as_pages = false;               // each write is widened to the pages of 4 KiB that hold it, but not beyond its file
  bool sizes_by_order = false;         // bs_is_seq_rand: sizes of `read` for sequential requests, of `write` for random ones
  std::uint64_t file_first_bytes = 0;  // the device, or the job's own file on it, that the region lies in;
  std::uint64_t file_end_bytes = 0;    // both zero: the region itself
  std::uint64_t region_first_bytes = 0;  // offsets lie in [first, end)
  std::uint64_t region_end_bytes = 0;
  std::vector<FileRegion> files;  // when there are several; the region then spans them all
  FileService file_service;
  std::uint64_t amount_bytes = 0;              // per loop; io_size, or the region's size
  bool amount_given = true;                    // by io_size: as many passes over the region as the amount takes
  std::uint64_t loops = 1;                     // passes
  std::optional<std::uint64_t> request_limit;  // number_ios, per loop; a time-based job has none
  bool time_based = false;
  std::optional<Nanoseconds> runtime;  // measured after the ramp
  Nanoseconds ramp{0};
  Nanoseconds start_delay{0};
  std::size_t depth = 1;            // 1 for synchronous engines, whatever iodepth says
  std::uint32_t read_percent = 50;  // rwmixread
  bool random_map = true;           // off with norandommap: blocks may repeat within a pass
  bool repeat_order = true;         // a further pass (loops, io_size) issues the identical order: randrepeat
                                    // without randseed; a time-based map is refilled in a new order
  bool repeat_lfsr = true;          // the same for random_generator=lfsr: randrepeat, with or without randseed
  RandomKind random_kind = RandomKind::tausworthe;
  Spread spread;                                              // of random offsets; any but uniform has no map
  PerDirection<std::uint32_t> random_percent{100, 100, 100};  // percentage_random: the rest goes on from the last request
  bool repeat_offset = false;  // rw_sequencer=identical: rw=randread:8 repeats each offset 8 times
  ContentRules content;
  std::uint8_t stream = 0;  // of its writes: what the host says of their life (write_hint); 0: nothing
  PlacementHandles placement;
  StridedZones zones;
  SteadyFillRules steady_fill;
  VerifyRules verify;
  std::uint64_t seed = 0;  // from randseed; the run's --seed is mixed in by the generator

  std::vector<double> percentiles;      // ascending, for each kind of latency that is asked for:
  bool completion_percentiles = true;   // clat_percentiles
  bool total_percentiles = false;       // lat_percentiles
  bool submission_percentiles = false;  // slat_percentiles
  bool group_reporting = false;
  std::optional<std::string> bandwidth_log;  // file prefix, when asked for
  std::optional<std::string> iops_log;
  std::optional<std::string> latency_log;  // writes _lat, _slat and _clat as fio does
  Nanoseconds log_interval{0};             // log_avg_msec; 0: one row for each request
  ReportOptions choices;
  Flow flow;
  std::optional<ReplayRules> replay;  // instead of a generated sequence; amount_bytes is what it comes to
  std::optional<SequenceLog> sequence_log;

  // Its writes carry placement identifiers or write hints (fdp, dataplacement, write_hint).
  bool names_placement() const { return pattern.writes && (stream != 0 || placement.any()); }
};

// Information for the user that is not an error: printed once and kept in the result. A note with a code is also listed
// among the problems of the result.
struct Note {
  std::string file;
  std::size_t line = 0;  // 0: of the whole file
  std::string text;
  std::optional<ProblemCode> problem{};
  std::string remedy{};  // empty without a problem
  std::string shown() const { return file + (line > 0 ? ":" + std::to_string(line) : "") + ": note: " + text; }
};

struct JobFile {
  std::vector<Job> jobs;
  std::vector<Note> notes;
};

}  // namespace ftlab
