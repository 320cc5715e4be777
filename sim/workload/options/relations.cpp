#include "sim/workload/options/relations.h"

#include <algorithm>

#include "sim/workload/options/section_notes.h"
#include "sim/workload/random/distribution.h"

namespace ftlab {

namespace {

bool block_sizes_differ(const Settings& s) {
  return std::any_of(s.block_bytes.begin(), s.block_bytes.end(), [&](auto bytes) { return bytes != s.block_bytes[0]; });
}

PerDirection<bool> used_directions(const Settings& s) { return {s.pattern.reads, s.pattern.writes, s.pattern.trims}; }

// Whether any direction that the job uses has the property.
template <class Has>
bool any_used(const Settings& s, Has has) {
  const PerDirection<bool> used = used_directions(s);
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (used[d] && has(d)) return true;
  return false;
}

bool sizes_vary(const Settings& s) {
  return any_used(s, [&](std::size_t d) { return s.sizes[d].vary(); });
}
bool aligned_otherwise(const Settings& s) {
  return any_used(s, [&](std::size_t d) { return s.alignment[d] != 0 && s.alignment[d] != s.block_bytes[d]; });
}
bool is_skewed(const Settings& s) { return s.pattern.random && s.spread.kind != Spread::Kind::uniform; }
bool is_lfsr(const Settings& s) {
  return s.pattern.random && s.random_kind == RandomKind::lfsr && !is_skewed(s) && !sizes_vary(s);
}
bool is_mapped(const Settings& s) {
  return s.pattern.random && s.random_map && !is_lfsr(s) && !is_skewed(s) && !aligned_otherwise(s);
}

void check_lfsr(const Settings& s, const Section& section) {
  if (is_lfsr(s) && block_sizes_differ(s))
    refuse(line_of(s, section, "bs"), "with random_generator=lfsr and different block sizes fio issues nothing at all",
           "one block size for all directions");
  if (is_lfsr(s) && aligned_otherwise(s))
    refuse(line_of(s, section, "ba"), "random_generator=lfsr counts in blocks; fio misses most of them at another alignment",
           "no blockalign, or another random_generator");
}

void check_distribution(const Settings& s, const Section& section, const Region& region) {
  if (!is_skewed(s)) return;
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  const std::uint64_t step = *std::min_element(s.block_bytes.begin(), s.block_bytes.end());
  const bool zoned = s.spread.kind == Spread::Kind::zoned || s.spread.kind == Spread::Kind::zoned_abs;
  if (!zoned && bytes / step > Distribution::kMostBlocks)
    refuse(line_of(s, section, "random_distribution"), "the region has " + std::to_string(bytes / step) + " blocks",
           "up to 4294967296 for zipf, pareto and normal");
  if (!zoned && aligned_otherwise(s))
    refuse(line_of(s, section, "ba"),
           "with this distribution fio counts in blocks but places by the alignment: it leaves the region, or "
           "stays in a part of it",
           "no blockalign, or random_distribution=random, zoned, zoned_abs");
  if (s.spread.kind != Spread::Kind::zoned_abs) return;
  for (const auto& zones : s.spread.zones) {
    std::uint64_t end = 0;
    for (const Spread::Zone& zone : zones)
      if (zone.size > bytes || (end += zone.size) > bytes)
        refuse(line_of(s, section, "random_distribution"),
               "the zones reach beyond the region, which has " + std::to_string(bytes) + " bytes");
  }
}

void check_sizes(const Settings& s, const Section& section) {
  if (s.written.count("bssplit") != 0 && s.written.count("bsrange") != 0)
    refuse(line_of(s, section, "bsrange"), "together with bssplit, of which fio then cuts the sizes at those of the range",
           "one of the two");
  if (s.sizes_by_order && s.pattern.trims)
    refuse(line_of(s, section, "bs_is_seq_rand"),
           "takes the block sizes of reads and writes by order; there is none for trims");
}

void check_trim_then_write(const Settings& s, const Section& section) {
  const auto& bytes = s.block_bytes;
  const std::size_t write = static_cast<std::size_t>(Direction::write), trim = static_cast<std::size_t>(Direction::trim);
  if (s.pattern.trim_then_write && !s.pattern.random && bytes[write] != bytes[trim])
    refuse(line_of(s, section, "bs"), "trimwrite writes the block that it has trimmed; the two sizes differ",
           "equal sizes for write and trim");
}

void check_skip(const Settings& s, const Section& section, const Region& region) {
  const std::uint64_t skip = static_cast<std::uint64_t>(std::abs(s.pattern.sequential_skip_bytes));
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  if (skip != 0 && skip >= bytes)
    refuse(line_of(s, section, "rw"), "the skip is as long as the region, which has " + std::to_string(bytes) + " bytes");
}

void note_host(const Settings& s, SectionNotes& notes) {
  if (s.written.count("direct") == 0 && s.written.count("buffered") == 0)
    notes.add("direct",
              "direct=1 is not written: fio on a real drive would go through the page cache, here requests are direct");
  if (s.synchronous && s.depth > 1)
    notes.add("iodepth", "iodepth=" + std::to_string(s.depth) + " counts as 1: the engine " +
                             (s.written.count("ioengine") != 0 ? "" : "(psync, as none is named) ") +
                             "is synchronous; ioengine=libaio keeps a queue");
}

void note_time(const Settings& s, SectionNotes& notes) {
  if (s.time_based && !s.runtime) notes.add("time_based", "time_based without a runtime counts for nothing, as in fio");
  if (s.time_based && s.runtime && s.request_limit)
    notes.add("number_ios", "number_ios counts for nothing in a time_based job, as in fio");
}

void note_mix(const Settings& s, SectionNotes& notes) {
  if (s.written.count("rwmixread") == 0 || s.written.count("rwmixwrite") == 0) return;
  notes.add("rwmixwrite",
            "rwmixread and rwmixwrite are both given; the later one counts: " + std::to_string(s.read_percent) + " % reads");
}

bool repeats_in_same_order(const Settings& s, const Region& region) {
  const bool endless = s.time_based && s.runtime;
  const bool again = s.loops > 1 || region.amount_bytes > region.end_bytes - region.first_bytes;
  if (is_lfsr(s)) return endless || (again && s.repeat_order);
  return is_mapped(s) && again && !endless && s.repeat_order && !s.seed_given && s.pattern.blocks_per_random == 1;
}

void note_sizes(const Settings& s, SectionNotes& notes) {
  const char* option = size_option(s);
  if (sizes_vary(s) && is_mapped(s))
    notes.add(option,
              "with a random map a block that would overlap one already used is cut, as in fio: sizes that "
              "are not asked "
              "for appear, and no block is touched twice; norandommap keeps the sizes");
  const auto uneven = [&](std::size_t d) {
    const auto& shares = s.sizes[d].shares;
    return !s.any_size && std::any_of(shares.begin(), shares.end(),
                                      [&](const SizeShare& share) { return share.bytes % s.sizes[d].least != 0; });
  };
  if (any_used(s, uneven)) notes.add("bssplit", "sizes are rounded down to a multiple of the smallest one, as in fio");
  if (s.any_size)
    notes.add("bs_unaligned",
              "sizes are multiples of 512 bytes; fio takes any number of bytes, which no direct request can have");
}

void note_random(const Settings& s, SectionNotes& notes) {
  const char* reason = !s.pattern.random || !s.random_map ? nullptr
                       : is_skewed(s)                     ? "a distribution other than random"
                       : aligned_otherwise(s)             ? "an alignment other than the block size"
                                                          : nullptr;
  if (reason != nullptr)
    notes.add(is_skewed(s) ? "random_distribution" : "ba",
              std::string(reason) + " goes without a random map, as in fio: blocks may repeat");
  if (s.random_kind == RandomKind::lfsr && s.pattern.random && !is_lfsr(s))
    notes.add("random_generator", "lfsr counts for nothing with blocks of several sizes or another distribution, as in fio");
  if (!s.pattern.random && s.spread.kind != Spread::Kind::uniform)
    notes.add("random_distribution", "counts for nothing in a sequential job, as in fio");
}

void note_files(const Settings& s, SectionNotes& notes) {
  if (s.file_count > 1 && !s.filename.empty()) notes.add("nrfiles", "nrfiles counts for nothing beside filename, as in fio");
  if (s.filenames.size() <= 1 && s.file_bytes && s.size && !s.size->percent && !s.io_size && s.size->number < *s.file_bytes)
    notes.add("filesize",
              "with filesize the region is the whole file, from the offset on, and size bounds the amount "
              "only, as in fio; without "
              "it size bounds both");
}

void note_order(const Settings& s, const Region& region, SectionNotes& notes) {
  if (s.pattern.writes && repeats_in_same_order(s, region))
    notes.add("rw",
              "every pass writes the blocks in the identical order, as in fio; write amplification then falls from "
              "pass to pass. For fresh random writes set norandommap and randrepeat=0");
  if (is_lfsr(s) && !s.random_map)
    notes.add("norandommap",
              "norandommap counts for nothing with random_generator=lfsr, as in fio: no block repeats within a pass");
  if (is_mapped(s) && block_sizes_differ(s))
    notes.add("bs",
              "directions with different block sizes share one random map by block NUMBER, as in fio: a pass ends early, as "
              "soon as a direction finds no free number of its own; norandommap avoids that");
}

}  // namespace

void check_relations(const Settings& settings, const Section& section, const Region& region) {
  check_lfsr(settings, section);
  check_trim_then_write(settings, section);
  check_skip(settings, section, region);
  check_distribution(settings, section, region);
  check_sizes(settings, section);
}

void note_surprises(const Settings& settings, const Section& section, const Region& region, std::vector<Note>& notes) {
  SectionNotes here(settings, section, notes);
  note_host(settings, here);
  note_time(settings, here);
  note_mix(settings, here);
  note_sizes(settings, here);
  note_random(settings, here);
  note_files(settings, here);
  note_order(settings, region, here);
}

}  // namespace ftlab
