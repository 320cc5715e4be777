// Steps from the options of a section to its jobs, in order: first everything in units of bytes, then the region of each job
// on the drive, then the job. All refusals are ConfigErrors; notes are about surprising combinations, at most one a
// surprise.
#pragma once

#include <vector>

#include "sim/core/random.h"
#include "sim/workload/options/draft.h"

namespace ftlab {

// True if its requests would go through the page cache on a real drive.
bool is_buffered(const Draft& draft);
// True if each write reaches the drive as whole pages before the next is issued: a buffered job that only writes, with
// fdatasync=1, fsync=1 or sync.
bool reaches_drive_as_pages(const Draft& draft);
// Refuses block sizes that are not whole sectors, unless the drive sees pages. REQUIRES: called before settle_block_sizes().
void check_block_sectors(const Draft& draft);

// Combines bs, bsrange and bssplit.
void settle_block_sizes(Draft& draft);
// The option that set the block sizes: bssplit, bsrange or bs.
const char* size_option(const Draft& draft);
// The largest block among the directions that the pattern uses.
std::uint64_t largest_block(const Draft& draft);

// Converts sizes and offsets in zones (suffix z) to bytes: zones of zonesize, else of `zone_bytes`.
void count_zones_in_bytes(Draft& draft, std::uint64_t zone_bytes);
// Divides sizes and offsets in bytes by `divisor`, rounded down to whole blocks, at least one block; percentages are kept.
// Amounts, files, zones and steps between clones keep their proportions. Only on request, because the workload changes.
void shrink_sizes(Draft& draft, std::uint64_t divisor);

// With plid_select=scheme, reads the ranges of dp_scheme: a file of offset ranges, each with a placement identifier.
void read_placement_scheme(Draft& draft, const JobContext& context);

// Checks rates, targets and ends. `before`: jobs of the earlier sections, one of which wait_for names.
void check_flow(const Draft& draft, const std::vector<Job>& before);

// Replaces filesize=LEAST-MOST by one random size, rounded down to whole blocks as in fio.
void draw_file_size(Draft& draft, RandomStream& random);
// Sets the region of a clone. A section with a filename has the whole drive; a job without gets a separate file as fio would
// create it, here at byte 0 of the drive. The files of all clones have the same size.
void set_region(Draft& draft, std::uint64_t capacity_bytes);
// The same for each file of a job with several (nrfiles, filename=a:b). As in fio the files share `size` equally, unless
// there is a filesize; a range of file sizes is drawn for each file, by `seed`.
std::vector<FileRegion> regions_of_files(const Draft& draft, std::uint64_t capacity_bytes, std::uint64_t seed);

inline std::uint64_t region_bytes(const Job& job) { return job.region_end_bytes - job.region_first_bytes; }

// Checks the options of a draft with a region against each other.
void check_relations(const Draft& draft);

// iodepth, as far as the engine keeps a queue.
inline std::size_t queue_depth(const Draft& draft) { return draft.engine.synchronous ? 1 : draft.depth; }

// The flow as fio applies the options: no batch exceeds the queue depth, a steady state without a duration is ignored.
Flow effective_flow(const Draft& draft);
// The job of a draft with a region.
Job resolved(const Draft& draft);
// As in fio, exitall in one section applies to the whole file.
void share_exit(std::vector<Job>& jobs);

// `job`: the first of the section.
void note_surprises(const Draft& draft, const Job& job, Notes& notes);
void note_flow(const Draft& draft, const Job& job, Notes& notes);
void note_page_cache(const Draft& draft, Notes& notes);

}  // namespace ftlab
