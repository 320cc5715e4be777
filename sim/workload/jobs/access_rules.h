// What a job accesses and writes: offsets, sizes, files, placement, contents, verification. See job.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/direction.h"

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

}  // namespace ftlab
