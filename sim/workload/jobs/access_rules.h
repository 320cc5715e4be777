// Access and content of a job: offsets, sizes, files, placement, contents, verification. See job.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/direction.h"

namespace ftlab {

// Page size of the host's page cache.
inline constexpr std::uint64_t kCachePageBytes = 4096;

// fio's `rw`: the directions, and whether offsets are random.
struct Pattern {
  bool random = false;
  bool reads = false;
  bool writes = false;
  bool trims = false;
  bool trim_then_write = false;            // trimwrite, randtrimwrite: every block is trimmed, then written
  std::uint64_t blocks_per_random = 1;     // rw=randread:8: sequential blocks from each random start
  std::int64_t sequential_skip_bytes = 0;  // rw=write:12k leaves holes, rw=write:-8k runs backwards
  bool mixed() const { return reads && writes; }
};

// tausworthe64 differs from tausworthe only in the width of fio's own generator, which is not reproduced here: both are the
// same uniform 64-bit generator.
enum class RandomKind : std::uint8_t { tausworthe, lfsr, tausworthe64 };

// Block sizes of one direction (bs, bsrange, bssplit). Without shares and with least < most, fio's bsrange: `least` plus a
// random number below `most`, rounded down to a multiple of `least` and capped at `most`.
struct SizeShare {
  std::uint64_t bytes = 0;
  std::uint32_t percent = 0;
};
struct BlockSizes {
  std::uint64_t least = 4096;
  std::uint64_t most = 4096;
  std::vector<SizeShare> shares;  // bssplit; percentages add up to 100, none is 0
  bool vary() const { return least != most; }
};

// fio's `random_distribution`: how random blocks are distributed over a region.
struct Spread {
  enum class Kind : std::uint8_t { uniform, zipf, pareto, normal, zoned, zoned_abs, sequence };
  // `access_percent` of the requests go to the next `size` of the region, in percent or in bytes.
  struct Zone {
    std::uint32_t access_percent = 0;
    std::uint64_t size = 0;
  };
  Kind kind = Kind::uniform;
  double parameter = 0;          // theta, h, or fio's deviation in percent of the region
  std::optional<double> centre;  // zipf, pareto, normal: position of the most frequent block, 0 to 1
  PerDirection<std::vector<Zone>> zones;
  bool scattered = true;                // false: the ranks of zipf, pareto and normal lie side by side
  std::vector<std::uint64_t> sequence;  // block numbers in access order, repeated endlessly
  bool sequence_advances = false;       // each repetition moves on by the length of the list (random_sequence_stride)
};

// fio's zonemode=strided: the job moves `bytes` within `range_bytes`, then skips `skip_bytes` to the next zone, and wraps to
// the beginning of its region. There are no passes: only the amount ends the job.
struct StridedZones {
  std::uint64_t bytes = 0;  // 0: no zones
  std::uint64_t range_bytes = 0;
  std::uint64_t skip_bytes = 0;
};

// fio's zonemode=zbd: writes go to the write pointers of zones, which are reset when full. See sim/host/jobs/zoned_access.h.
struct ZbdRules {
  bool on = false;
  std::uint64_t zone_bytes = 0;            // zonesize; 0: that of the device
  std::uint64_t capacity_bytes = 0;        // zonecapacity, of zones that the device does not have; 0: the whole zone
  bool zones_of_device = false;            // zone_bytes does not count on a zoned device (--shrink-jobs)
  std::uint64_t skip_bytes = 0;            // zoneskip, between the zones of a sequential job
  std::optional<std::uint64_t> most_open;  // max_open_zones, of all jobs; 0: no limit
  std::uint64_t job_most_open = 0;         // job_max_open_zones; 0: no limit
  bool ignores_limits = false;             // ignore_zone_limits: max_open_zones may exceed the device's limit
  bool reads_beyond_pointer = false;       // read_beyond_wp
  double reset_threshold = 0;              // zone_reset_threshold: share of the region that is written
  std::uint64_t writes_per_reset = 0;      // from which on every so many writes reset a zone; 0: never
  bool appends = false;                    // zone_append
  bool resets_first = false;               // initial_zone_reset
};

// fio's sprandom: random writes of the drive's physical size, once, that leave a drive as a long random fill does. The
// region is written in `parts`; each part rewrites a share of the one before. See random/steady_fill.h.
struct SteadyFillRules {
  bool on = false;
  std::uint64_t spare_millionths = 150'000;  // spr_op: the drive's spare capacity, relative to the region
  std::uint32_t parts = 100;
  std::uint64_t cache_bytes = 0;  // spr_cs: a part is rewritten only after this much new data
};

// fio's placement identifiers (fdp, dataplacement): the streams of a job's writes, in turn or at random.
struct PlacementHandles {
  std::vector<std::uint8_t> streams;  // empty: all writes go to the job's single stream
  bool all = false;                   // use all handles of the device instead
  bool by_chance = false;
  // dp_scheme, instead of the above: the stream of the first range that contains a write's offset in its file, else 0.
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

// fio's `file_service_type`: which file the next request goes to. Each is used for `requests` in a row.
struct FileService {
  enum class Kind : std::uint8_t { roundrobin, sequential, random, skewed };
  Kind kind = Kind::roundrobin;
  Spread spread;  // skewed: how requests are distributed over the files
  std::uint64_t requests = 1;
  std::uint64_t open = 0;  // openfiles: at most this many unfinished files are in use; 0: all
};

// Content of writes, as far as a drive's compression or deduplication could see it. See sim/request.h.
struct ContentRules {
  std::uint32_t compress_percent = 0;  // share of each chunk that compresses to nothing
  std::uint64_t chunk_bytes = 512;
  bool refill = false;  // refill_buffers: fresh bytes for each write; scramble_buffers has the same effect
  bool scramble = true;
  std::optional<std::string> pattern;  // buffer_pattern as bytes: all writes are equal; zero_buffers is one zero byte
  std::uint32_t dedupe_percent = 0;    // share of writes that repeat an earlier content
  enum class Dedupe : std::uint8_t { repeat, working_set } dedupe = Dedupe::repeat;
  std::uint32_t working_set_percent = 5;
  bool shared = false;              // dedupe_global: the jobs that set it repeat each other's contents
  std::uint64_t shared_blocks = 0;  // total blocks of the working sets of these jobs
  bool asked_for = false;           // some content option is set: writes carry their Content
};

// fio's verify: written data is read back and compared.
struct VerifyRules {
  bool on = false;                  // data of reads is compared with what was written
  bool read_back = true;            // do_verify: after each pass, read back what it wrote
  bool only = false;                // verify_only: the writes of the pass are assumed to be done
  bool fatal = false;               // verify_fatal: the job ends at the first mismatch
  std::uint64_t backlog = 0;        // read back after this many writes; 0: only at the end of the pass
  std::uint64_t backlog_batch = 0;  // reads per batch; 0: as many as the backlog
  // Share of the written blocks that is trimmed again: after each `trim_backlog` written ones, a batch of trims; 0: as many.
  std::uint32_t trim_percent = 0;
  std::uint64_t trim_backlog = 0;
  std::uint64_t trim_batch = 0;
  bool trims() const { return on && read_back && trim_percent > 0 && trim_backlog > 0; }
};

}  // namespace ftlab
