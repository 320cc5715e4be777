// Counters of a device since power-on. Cumulative; statistics take differences. A device fills in those that it has.
#pragma once

#include <cstdint>

// One line per counter: name with its unit last, kind, meaning. A sum only grows; a level is a state at a moment. The media
// programs by cause, in bytes of payload, add up to the numerator of write amplification. An array operation counts whole
// when it begins.
// clang-format off
#define FTLAB_COUNTERS(COUNTER) \
  COUNTER(host_read_bytes, sum, "read by the host") \
  COUNTER(host_write_bytes, sum, "written by the host") \
  COUNTER(host_trim_bytes, sum, "trimmed by the host") \
  COUNTER(host_read_commands, sum, "read commands of the host") \
  COUNTER(host_write_commands, sum, "write commands of the host") \
  COUNTER(media_host_bytes, sum, "programmed: host data as sent by the host") \
  COUNTER(media_fill_bytes, sum, "programmed: rest of a mapping page, rewritten with a smaller host write") \
  COUNTER(media_relocation_bytes, sum, "programmed by garbage collection") \
  COUNTER(media_wear_bytes, sum, "programmed by static wear levelling") \
  COUNTER(media_refresh_bytes, sum, "programmed because cells had accumulated errors") \
  COUNTER(media_fold_bytes, sum, "programmed to fold the pSLC cache into other superblocks") \
  COUNTER(media_mapping_bytes, sum, "programmed: translation pages and their collection, rewriting of extents") \
  COUNTER(media_parity_bytes, sum, "programmed: parity across dies") \
  COUNTER(media_failed_bytes, sum, "failed stripes, whose data were programmed again") \
  COUNTER(media_padding_bytes, sum, "unused space programmed to complete a page (flush)") \
  COUNTER(media_lost_bytes, sum, "counted above, but lost from RAM in a power cut before it was programmed") \
  COUNTER(media_read_bytes, sum, "read from the flash") \
  COUNTER(relocated_pages, sum, "mapping pages copied by garbage collection") \
  COUNTER(collected_superblocks, sum, "victims of garbage collection") \
  COUNTER(block_erases, sum, "erases of blocks, not superblocks") \
  COUNTER(squared_block_erases, sum, "sum over blocks of the squared erase count; devices with wear only") \
  COUNTER(media_operations, sum, "array reads, programs and erases; a multi-plane operation counts once") \
  COUNTER(free_superblocks, level, "erased superblocks") \
  COUNTER(unmapped_read_pages, sum, "mapping pages read that are unwritten or trimmed, answered without the flash") \
  COUNTER(read_modify_writes, sum, "mapping pages read to complete a smaller write") \
  COUNTER(coalesced_pages, sum, "mapping pages overwritten in RAM, never programmed") \
  COUNTER(copyback_pages, sum, "mapping pages relocated without crossing the channel") \
  COUNTER(unknown_handle_pages, sum, "mapping pages written with an unknown placement handle, treated as handle 0") \
  COUNTER(other_group_pages, sum, "mapping pages written to another reclaim group, as the one that was named was full") \
  COUNTER(trimmed_pages, sum, "mapping pages unmapped by trims") \
  COUNTER(zone_resets, sum, "zones reset that were not empty; zoned namespaces only") \
  COUNTER(zone_finishes, sum, "zones finished before they were full; zoned namespaces only") \
  COUNTER(mapping_hits, sum, "look-ups of a demand-cached map that found their translation page in RAM") \
  COUNTER(mapping_misses, sum, "look-ups of a demand-cached map that did not") \
  COUNTER(mapping_pages_read, sum, "translation pages read from the flash") \
  COUNTER(mapping_pages_from_host, sum, "translation pages fetched from host memory") \
  COUNTER(regions_rewritten, sum, "regions of an extent map that were defragmented") \
  COUNTER(switch_merges, sum, "switch merges of a log-block map") \
  COUNTER(partial_merges, sum, "partial merges of a log-block map") \
  COUNTER(full_merges, sum, "full merges of a log-block map") \
  COUNTER(mapped_bytes, level, "logical space that holds data") \
  COUNTER(extents, level, "entries of an extent map") \
  COUNTER(program_failures, sum, "failed programs, counted in pages of one block") \
  COUNTER(erase_failures, sum, "failed erases of blocks") \
  COUNTER(bad_blocks, level, "factory and grown bad blocks") \
  COUNTER(spare_blocks, level, "good blocks in no superblock") \
  COUNTER(superblocks_retired, level, "superblocks taken out of service") \
  COUNTER(power_cuts, sum, "power cuts") \
  COUNTER(array_reads, sum, "array read operations") \
  COUNTER(array_pages_read, sum, "pages of one plane read by the array") \
  COUNTER(array_programs, sum, "array program operations") \
  COUNTER(array_pages_programmed, sum, "pages of one plane programmed") \
  COUNTER(first_pages_programmed, sum, "pages programmed, lowest kind (all of SLC, lower of MLC); power model only") \
  COUNTER(second_pages_programmed, sum, "pages programmed, second kind (upper of MLC); power model only") \
  COUNTER(third_pages_programmed, sum, "pages programmed, third kind; power model only") \
  COUNTER(fourth_pages_programmed, sum, "pages programmed, fourth kind; power model only") \
  COUNTER(slc_pages_programmed, sum, "pages programmed as pSLC; power model only") \
  COUNTER(array_erases, sum, "array erase operations") \
  COUNTER(array_blocks_erased, sum, "blocks of attempted erases") \
  COUNTER(flash_bus_bytes, sum, "bytes on the flash channels, both directions, with spare bytes") \
  COUNTER(controller_busy_ns, sum, "time that firmware cores were busy") \
  COUNTER(powered_ns, sum, "simulated time since power-on") \
  COUNTER(active_ns, sum, "time with a request outstanding; power model only") \
  COUNTER(asleep_ns, sum, "time asleep; power model only") \
  COUNTER(energy_pj, sum, "energy modulo 2^64; 0 without a power model") \
  COUNTER(read_ahead_pages, sum, "mapping pages read before they were requested") \
  COUNTER(read_ahead_hits, sum, "parts of requests served from pages read ahead") \
  COUNTER(read_ahead_wasted, sum, "pages read ahead that were dropped, overwritten or trimmed before use") \
  COUNTER(die_host_read_ns, sum, "time of all dies for host reads") \
  COUNTER(die_internal_read_ns, sum, "time of all dies for reads of relocation, of the map, for read-modify-write") \
  COUNTER(die_erase_ns, sum, "time of all dies for erases") \
  COUNTER(die_host_program_ns, sum, "time of all dies for programs of stripes with host data") \
  COUNTER(die_relocation_program_ns, sum, "time of all dies for all other programs") \
  COUNTER(die_suspension_ns, sum, "time of all dies to suspend programs and erases for reads, and to resume them") \
  COUNTER(suspensions, sum, "programs and erases suspended by reads") \
  COUNTER(buffered_reads, sum, "array_reads answered from controller memory: the page was being programmed") \
  COUNTER(read_retries, sum, "read-retry steps") \
  COUNTER(uncorrectable_pages, sum, "mapping pages that no retry step could correct, counted each time") \
  COUNTER(rebuilt_pages, sum, "uncorrectable pages rebuilt from the parity of their row") \
  COUNTER(lost_pages, sum, "uncorrectable pages lost for good, counted once") \
  COUNTER(deduplicated_bytes, sum, "written by the host but stored already, so not programmed") \
  COUNTER(unique_bytes, level, "mapped_bytes with each content counted once, before compression") \
  COUNTER(fingerprint_bytes, level, "size of the table of known contents") \
  COUNTER(forgotten_fingerprints, sum, "contents dropped from the table because it was full")
// clang-format on

namespace ftlab {

struct Counters {
#define FTLAB_COUNTER(name, kind, help) std::uint64_t name = 0;
  FTLAB_COUNTERS(FTLAB_COUNTER)
#undef FTLAB_COUNTER

  std::uint64_t media_write_bytes() const {
    return media_host_bytes + media_fill_bytes + media_relocation_bytes + media_wear_bytes + media_refresh_bytes +
           media_fold_bytes + media_mapping_bytes + media_parity_bytes + media_failed_bytes + media_padding_bytes -
           media_lost_bytes;
  }
};

struct CounterField {
  enum Kind : std::uint8_t { sum, level };

  const char* name;
  std::uint64_t Counters::*member;
  Kind kind;
  const char* help;
};
inline constexpr CounterField kCounterFields[] = {
#define FTLAB_COUNTER(name, kind, help) {#name, &Counters::name, CounterField::kind, help},
    FTLAB_COUNTERS(FTLAB_COUNTER)
#undef FTLAB_COUNTER
};

// Counts between two moments; levels are those of `after`.
inline Counters difference(const Counters& after, const Counters& before) {
  Counters d = after;
  for (const CounterField& field : kCounterFields) {
    if (field.kind == CounterField::sum) d.*field.member -= before.*field.member;
  }
  return d;
}

}  // namespace ftlab
