// Checks options against each other: combinations that cannot run are refused, surprising ones are noted.
#include <algorithm>

#include "sim/workload/options/options.h"
#include "sim/workload/options/resolve.h"
#include "sim/workload/random/distribution.h"
#include "sim/workload/random/steady_fill.h"

namespace ftlab {

namespace {

bool block_sizes_differ(const Draft& s) {
  return std::any_of(s.block_bytes.begin(), s.block_bytes.end(), [&](auto bytes) { return bytes != s.block_bytes[0]; });
}

PerDirection<bool> used_directions(const Draft& s) { return {s.pattern.reads, s.pattern.writes, s.pattern.trims}; }

// True if any direction that the job uses has the property.
template <class Has>
bool any_used(const Draft& s, Has has) {
  const PerDirection<bool> used = used_directions(s);
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (used[d] && has(d)) return true;
  return false;
}

bool sizes_vary(const Draft& s) {
  return any_used(s, [&](std::size_t d) { return s.sizes[d].vary(); });
}
bool aligned_otherwise(const Draft& s) {
  return any_used(s, [&](std::size_t d) { return s.alignment_bytes[d] != 0 && s.alignment_bytes[d] != s.block_bytes[d]; });
}
bool is_skewed(const Draft& s) { return s.pattern.random && s.spread.kind != Spread::Kind::uniform; }
bool is_lfsr(const Draft& s) {
  return s.pattern.random && s.random_kind == RandomKind::lfsr && !is_skewed(s) && !sizes_vary(s);
}
bool is_mapped(const Draft& s) {
  return s.pattern.random && s.random_map && !is_lfsr(s) && !is_skewed(s) && !aligned_otherwise(s);
}

void check_lfsr(const Draft& s) {
  if (is_lfsr(s) && block_sizes_differ(s))
    s.refuse("bs", "with random_generator=lfsr and different block sizes fio issues nothing at all",
             "one block size for all directions");
  if (is_lfsr(s) && aligned_otherwise(s))
    s.refuse("ba", "random_generator=lfsr counts in blocks; fio misses most of them at another alignment",
             "no blockalign, or another random_generator");
}

void check_sequence(const Draft& s) {
  const std::uint64_t bytes = region_bytes(s);
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (!used_directions(s)[d]) continue;
    const std::uint64_t blocks = bytes / (s.alignment_bytes[d] != 0 ? s.alignment_bytes[d] : s.block_bytes[d]);
    for (const std::uint64_t block : s.spread.sequence)
      if (block >= blocks)
        s.refuse("random_distribution", "block " + std::to_string(block) + " lies beyond the region",
                 "0 to " + std::to_string(blocks - 1));
  }
}

void check_written_zones(const Draft& s) {
  const Pattern& pattern = s.pattern;
  if (s.has_several_files()) s.refuse("zonemode", "zones lie in one file, and the job has several");
  if (pattern.trim_then_write || pattern.sequential_skip_bytes != 0)
    s.refuse("rw", "zones are written in order, and reset as a whole", "read write trim, at random or mixed");
  if (s.steady_fill.on) s.refuse("sprandom", "writes blocks again, which zones do not allow", "none in zonemode=zbd");
  if (s.zbd.capacity_bytes > 0 && s.zones.bytes == 0)
    s.refuse("zonecapacity", "is part of a zonesize, and there is none", "with zonesize");
  if (s.zbd.capacity_bytes > s.zones.bytes)
    s.refuse("zonecapacity", "is larger than the zone", "up to zonesize, which is " + std::to_string(s.zones.bytes));
  if (s.zones.bytes != 0 && s.zones.skip_bytes % s.zones.bytes != 0)
    s.refuse("zoneskip", "is not whole zones", "multiples of zonesize, which is " + std::to_string(s.zones.bytes));
  if (s.verify.on && s.verify.only) s.refuse("verify_only", "does not know where the writes went", "none in zonemode=zbd");
}

void check_zones(const Draft& s) {
  const StridedZones& zones = s.zones;
  if (!s.zoned && !s.zbd.on && zones.bytes != 0)
    s.refuse("zonesize", "without zonemode; fio refuses that", "zonemode=strided or zbd");
  if (s.zbd.on) return check_written_zones(s);
  if (!s.zoned) return;
  if (zones.bytes == 0) s.refuse("zonemode", "needs the bytes that are moved in each zone", "zonesize=SIZE");
  if (s.has_several_files()) s.refuse("zonemode", "zones lie in one file, and the job has several");
  const char* range = zones.range_bytes != 0 ? "zonerange" : "zonesize";
  const std::uint64_t bytes = zones.range_bytes != 0 ? zones.range_bytes : zones.bytes;
  if (bytes < largest_block(s))
    s.refuse(range, "a zone is smaller than a block", "at least " + std::to_string(largest_block(s)));
  if (bytes > region_bytes(s))
    s.refuse(range, "a zone is larger than the region", "up to " + std::to_string(region_bytes(s)));
  if (s.pattern.random && (is_skewed(s) || is_lfsr(s)))
    s.refuse(is_skewed(s) ? "random_distribution" : "random_generator",
             "applies to the whole region: fio ignores the zones with it", "none of it in zonemode=strided");
}

// fio requires these conditions, or assumes them.
void check_steady_fill(const Draft& s) {
  const SteadyFillRules& rules = s.steady_fill;
  if (!rules.on) return;
  const Pattern& p = s.pattern;
  if (!p.random || !p.writes || p.reads || p.trims || p.blocks_per_random != 1)
    s.refuse(s.is_set("rw") ? "rw" : "sprandom", "sprandom writes at random places, and nothing else", "rw=randwrite");
  if (s.clones > 1 || s.has_several_files()) s.refuse("sprandom", "fills one drive by one job", "numjobs=1, one filename");
  if (s.is_set("norandommap") && s.random_map) s.refuse("norandommap", "sprandom writes blocks again", "norandommap=1");
  if (s.is_set("random_generator") && s.random_kind != RandomKind::lfsr)
    s.refuse("random_generator", "sprandom takes its blocks from the lfsr", "lfsr");
  if (is_skewed(s) || s.random_percent != PerDirection<std::uint32_t>{100, 100, 100} || s.zoned)
    s.refuse("sprandom", "together with another distribution, percentage_random or zonemode", "none of them");
  if (sizes_vary(s) || aligned_otherwise(s))
    s.refuse(size_option(s), "sprandom writes blocks of one size, aligned to it", "one bs, no other blockalign");
  if (s.time_based && s.runtime) s.refuse("time_based", "sprandom is one pass", "no time_based");
  const std::uint64_t block = s.block_bytes[static_cast<std::size_t>(Direction::write)];
  const std::uint64_t blocks = (region_bytes(s)) / block;
  const std::uint64_t part = SteadyFill::part_blocks(rules, blocks);
  if (part == 0)
    s.refuse("spr_num_regions", "more parts than blocks", "1 to " + std::to_string(SteadyFill::writes(rules, blocks)));
  if (rules.cache_bytes >= part * block)
    s.refuse("spr_cs", "as large as a part of the pass, which has " + std::to_string(part * block) + " bytes",
             "less than that: a smaller spr_cs or spr_num_regions");
}

void check_content(const Draft& s) {
  if (s.content.shared && s.content.dedupe != ContentRules::Dedupe::working_set)
    s.refuse("dedupe_global", "shares working sets, and the job has none", "dedupe_mode=working_set");
}

void check_placement(const Draft& s) {
  if (s.by_stream_ids && !s.placement.any())
    s.refuse("dataplacement", "streams needs the numbers of the streams", "with plids=0,1,...");
}

const char* write_command_option(const Draft& s) { return s.is_set("write_mode") ? "write_mode" : "sg_write_mode"; }

// Other write commands of SCSI and NVMe are writes of constant content, or reads.
void check_write_command(const Draft& s) {
  if (s.write_command != Draft::WriteCommand::plain && (!s.pattern.writes || s.pattern.reads || s.pattern.trims))
    s.refuse(write_command_option(s), "stands for writes, and the job has others or none", "rw=write, rw=randwrite");
}

void check_distribution(const Draft& s) {
  if (!is_skewed(s)) return;
  if (s.spread.kind == Spread::Kind::sequence) return check_sequence(s);
  const std::uint64_t bytes = region_bytes(s);
  const std::uint64_t step = *std::min_element(s.block_bytes.begin(), s.block_bytes.end());
  const bool zoned = s.spread.kind == Spread::Kind::zoned || s.spread.kind == Spread::Kind::zoned_abs;
  if (!zoned && bytes / step > Distribution::kMostBlocks)
    s.refuse("random_distribution", "the region has " + std::to_string(bytes / step) + " blocks",
             "up to 4294967296 for zipf, pareto and normal");
  if (!zoned && aligned_otherwise(s))
    s.refuse("ba",
             "with this distribution fio counts in blocks but places by the alignment: it leaves the region, or "
             "stays in a part of it",
             "no blockalign, or random_distribution=random, zoned, zoned_abs");
  if (s.spread.kind != Spread::Kind::zoned_abs) return;
  for (const auto& zones : s.spread.zones) {
    std::uint64_t end = 0;
    for (const Spread::Zone& zone : zones)
      if (zone.size > bytes || (end += zone.size) > bytes)
        s.refuse("random_distribution", "the zones reach beyond the region, which has " + std::to_string(bytes) + " bytes");
  }
}

void check_sizes(const Draft& s) {
  if (s.is_set("bssplit") && s.is_set("bsrange"))
    s.refuse("bsrange", "together with bssplit, of which fio then cuts the sizes at those of the range", "one of the two");
  if (s.sizes_by_order && s.pattern.trims)
    s.refuse("bs_is_seq_rand", "takes the block sizes of reads and writes by order, which trims lack");
}

void check_trim_then_write(const Draft& s) {
  const auto& bytes = s.block_bytes;
  const std::size_t write = static_cast<std::size_t>(Direction::write), trim = static_cast<std::size_t>(Direction::trim);
  if (s.pattern.trim_then_write && !s.pattern.random && bytes[write] != bytes[trim])
    s.refuse("bs", "trimwrite writes the block that it has trimmed; the two sizes differ", "equal sizes for write and trim");
}

void check_skip(const Draft& s) {
  const std::uint64_t skip = static_cast<std::uint64_t>(std::abs(s.pattern.sequential_skip_bytes));
  const std::uint64_t bytes = region_bytes(s);
  if (skip != 0 && skip >= bytes)
    s.refuse("rw", "the skip is as long as the region, which has " + std::to_string(bytes) + " bytes");
}

void note_host(const Draft& s, Notes& notes) {
  note_page_cache(s, notes);
  if (s.engine.synchronous && s.depth > 1)
    s.note(notes, "iodepth",
           "iodepth=" + std::to_string(s.depth) + " counts as 1: the engine " +
               (s.is_set("ioengine") ? "" : "(psync, as none is named) ") + "is synchronous; ioengine=libaio keeps a queue",
           ProblemCode::depth_counted_as_1, "ioengine=libaio or ioengine=io_uring");
}

void note_time(const Draft& s, Notes& notes) {
  if (s.time_based && !s.runtime) s.note(notes, "time_based", "time_based without a runtime has no effect, as in fio");
  if (s.time_based && s.runtime && s.request_limit)
    s.note(notes, "number_ios", "number_ios has no effect in a time_based job, as in fio");
}

void note_mix(const Draft& s, Notes& notes) {
  if (!s.is_set("rwmixread") || !s.is_set("rwmixwrite")) return;
  s.note(notes, "rwmixwrite",
         "rwmixread and rwmixwrite are both given; the later one counts: " + std::to_string(s.read_percent) + " % reads");
}

bool repeats_in_same_order(const Draft& s, const Job& job) {
  const bool endless = s.time_based && s.runtime;
  const bool again = s.loops > 1 || job.amount_bytes > region_bytes(job);
  if (is_lfsr(s)) return endless || (again && s.repeat_order);
  return is_mapped(s) && again && !endless && s.repeat_order && !s.is_set("randseed") && s.pattern.blocks_per_random == 1;
}

void note_sizes(const Draft& s, Notes& notes) {
  const char* option = size_option(s);
  if (sizes_vary(s) && is_mapped(s))
    s.note(notes, option,
           "with a random map a block that would overlap one already used is cut, as in fio: sizes that are not asked for "
           "appear, and no block is touched twice; norandommap keeps the sizes");
  const auto uneven = [&](std::size_t d) {
    const auto& shares = s.sizes[d].shares;
    return !s.any_size && std::any_of(shares.begin(), shares.end(),
                                      [&](const SizeShare& share) { return share.bytes % s.sizes[d].least != 0; });
  };
  if (any_used(s, uneven)) s.note(notes, "bssplit", "sizes are rounded down to a multiple of the smallest one, as in fio");
  if (s.any_size)
    s.note(notes, "bs_unaligned",
           "sizes are multiples of 512 bytes; fio takes any number of bytes, which no direct request can have");
}

void note_random(const Draft& s, Notes& notes) {
  const char* reason = !s.pattern.random || !s.random_map ? nullptr
                       : is_skewed(s)                     ? "a distribution other than random"
                       : aligned_otherwise(s)             ? "an alignment other than the block size"
                                                          : nullptr;
  if (reason != nullptr)
    s.note(notes, is_skewed(s) ? "random_distribution" : "ba",
           std::string(reason) + " goes without a random map, as in fio: blocks may repeat");
  if (s.random_kind == RandomKind::lfsr && s.pattern.random && !is_lfsr(s))
    s.note(notes, "random_generator", "lfsr has no effect with blocks of several sizes or another distribution, as in fio");
  if (!s.pattern.random && s.spread.kind != Spread::Kind::uniform)
    s.note(notes, "random_distribution", "has no effect in a sequential job, as in fio");
}

void note_zones(const Draft& s, const Job& job, Notes& notes) {
  if (s.zbd.on) {
    if (s.zone_bytes != 0 && (job.region_first_bytes % s.zone_bytes != 0 || job.region_end_bytes % s.zone_bytes != 0))
      s.note(notes, "zonemode", "only whole zones are used, as in fio: those that the region covers in part are left out");
    if (s.pattern.random && s.zones.skip_bytes != 0)
      s.note(notes, "zoneskip", "zoneskip has no effect in a random job with zonemode=zbd, as in fio");
    if (s.is_set("zonerange")) s.note(notes, "zonerange", "zonerange has no effect with zonemode=zbd, as in fio");
    return;
  }
  note_idle(s, notes, "zonemode=zbd", "");
  if (!s.zoned) return note_idle(s, notes, "zonemode=strided");
  const std::uint64_t range = s.zones.range_bytes != 0 ? s.zones.range_bytes : s.zones.bytes;
  const std::uint64_t rest = region_bytes(job) % (range + s.zones.skip_bytes);
  if (s.pattern.random && rest != 0 && rest < range)
    s.note(
        notes, "zonemode",
        "the last zone reaches beyond the end of the region; as in fio the job ends with the first block that lies there");
}

void note_placement(const Draft& s, Notes& notes) {
  if (s.is_set("dp_scheme") && !(s.placed && s.placed_by_scheme))
    s.note(notes, "dp_scheme", "dp_scheme has no effect without plid_select=scheme, and fdp or dataplacement");
  if (!s.placed && s.is_set("plids")) s.note(notes, "plids", "plids has no effect without fdp or dataplacement");
  if (s.placed && s.stream != 0) s.note(notes, "write_hint", "write_hint has no effect with placement identifiers");
  if (s.placed && s.placement.any())
    s.note(notes, "plids",
           "a placement identifier is the handle or stream of that number, for drives with ftl.placement.scheme=streams; "
           "those that the drive does not have count as 0");
  if (s.ranges_of_trim > 1 && (!s.pattern.trims || s.pattern.writes))
    s.note(notes, "num_range", "num_range has no effect without rw=trim or rw=randtrim");
  else if (s.ranges_of_trim > 1)
    s.note(notes, "num_range",
           "each of the " + std::to_string(s.ranges_of_trim) +
               " ranges of a trim is a request of its own here: as many more are kept in the queue and counted");
  using Kind = Draft::WriteCommand;
  if (s.write_command == Kind::verify)
    s.note(notes, write_command_option(s),
           "the drive's VERIFY is a read here: nothing is compared, and the data cross the link");
  if (s.write_command == Kind::same)
    s.note(notes, write_command_option(s), "the command is a write of equal blocks here: all of it crosses the link");
}

void note_network(const Draft& s, Notes& notes) {
  if (s.engine.over_network)
    s.note(notes, "ioengine",
           "the image is the simulated drive here: the figures show neither the network nor the copies and other drives of "
           "the service",
           ProblemCode::option_ignored, "read the figures as those of one drive under this load");
}

void note_verify(const Draft& s, Notes& notes) {
  if (s.verify.trim_percent > 0 && !s.verify.trims())
    s.note(notes, "trim_percentage", "trim_percentage has no effect without trim_backlog, verify and do_verify, as in fio");
}

void note_steady_fill(const Draft& s, Notes& notes) {
  if (!s.steady_fill.on) {
    note_idle(s, notes, "sprandom=1", "");
  } else if (s.io_size || s.loops > 1) {
    s.note(notes, s.io_size ? "io_size" : "loops",
           "has no effect with sprandom, which is one pass of the size that it needs");
  }
}

void note_files(const Draft& s, Notes& notes) {
  if (s.file_count > 1 && !s.filenames.empty()) s.note(notes, "nrfiles", "nrfiles has no effect with filename, as in fio");
  if (s.filenames.size() <= 1 && s.file_bytes && s.size && !s.size->percent && !s.io_size && s.size->number < *s.file_bytes)
    s.note(notes, "filesize",
           "with filesize the region is the whole file, from the offset on, and size bounds the amount only, as in fio; "
           "without it size bounds both");
}

void note_order(const Draft& s, const Job& job, Notes& notes) {
  if (s.pattern.writes && repeats_in_same_order(s, job))
    s.note(notes, "rw",
           "each pass writes the blocks in the identical order, as in fio; write amplification then falls from "
           "pass to pass. For fresh random writes set norandommap and randrepeat=0");
  if (is_lfsr(s) && !s.random_map)
    s.note(notes, "norandommap",
           "norandommap has no effect with random_generator=lfsr, as in fio: no block repeats within a pass");
  if (is_mapped(s) && block_sizes_differ(s))
    s.note(notes, "bs",
           "directions with different block sizes share one random map by block NUMBER, as in fio: a pass ends early, as "
           "soon as a direction finds no free number of its own; norandommap avoids that");
}

}  // namespace

void check_relations(const Draft& draft) {
  for (const auto check : {check_lfsr, check_trim_then_write, check_skip, check_distribution, check_sizes, check_zones,
                           check_steady_fill, check_content, check_placement, check_write_command})
    check(draft);
}

void note_surprises(const Draft& s, const Job& job, Notes& notes) {
  note_host(s, notes);
  note_time(s, notes);
  note_mix(s, notes);
  note_sizes(s, notes);
  note_random(s, notes);
  note_files(s, notes);
  note_zones(s, job, notes);
  note_placement(s, notes);
  note_network(s, notes);
  note_verify(s, notes);
  note_steady_fill(s, notes);
  note_order(s, job, notes);
}

}  // namespace ftlab
