// Counters of a device since power-on. Cumulative; statistics take differences. A device fills in those that it has.
#pragma once

#include <cstdint>

namespace ftlab {

struct Counters {
  std::uint64_t host_read_bytes = 0;
  std::uint64_t host_write_bytes = 0;
  std::uint64_t host_trim_bytes = 0;
  std::uint64_t host_read_commands = 0;
  std::uint64_t host_write_commands = 0;

  // Media programs by cause, in bytes of payload. Their sum is the numerator of write amplification.
  std::uint64_t media_host_bytes = 0;        // host data as sent by the host
  std::uint64_t media_fill_bytes = 0;        // the rest of a mapping unit, rewritten with a smaller host write
  std::uint64_t media_relocation_bytes = 0;  // garbage collection
  std::uint64_t media_wear_bytes = 0;        // static wear levelling
  std::uint64_t media_refresh_bytes = 0;     // pages rewritten because their cells had accumulated errors
  std::uint64_t media_fold_bytes = 0;        // folded from the pSLC cache into other superblocks
  std::uint64_t media_mapping_bytes = 0;     // translation pages and their collection; rewriting of extents
  std::uint64_t media_parity_bytes = 0;      // parity across dies
  std::uint64_t media_failed_bytes = 0;      // failed stripes, whose data were programmed again
  std::uint64_t media_padding_bytes = 0;     // unused space programmed to complete a page (flush)
  std::uint64_t media_lost_bytes = 0;        // counted above, but lost from RAM in a power cut before it was programmed

  std::uint64_t media_read_bytes = 0;
  std::uint64_t relocated_pages = 0;  // mapping units copied by garbage collection
  std::uint64_t collected_superblocks = 0;
  std::uint64_t block_erases = 0;          // blocks, not superblocks
  std::uint64_t squared_block_erases = 0;  // devices with wear only: each block's erase count, squared and summed
  std::uint64_t media_operations = 0;      // array reads, programs and erases, a multi-plane operation counted once
  std::uint64_t free_superblocks = 0;      // a level, not a sum
  std::uint64_t unmapped_read_pages = 0;   // reads of space that is unwritten or trimmed, answered without flash access

  std::uint64_t read_modify_writes = 0;    // mapping pages read to complete a smaller write
  std::uint64_t coalesced_pages = 0;       // overwritten in RAM, never programmed
  std::uint64_t copyback_pages = 0;        // relocated without crossing the channel
  std::uint64_t unknown_handle_pages = 0;  // written with a placement handle unknown to the drive, treated as handle 0
  std::uint64_t trimmed_pages = 0;         // mapping pages unmapped by trims
  std::uint64_t mapping_hits = 0;          // demand-cached maps only
  std::uint64_t mapping_misses = 0;
  std::uint64_t mapping_pages_read = 0;
  std::uint64_t mapping_pages_from_host = 0;  // fetched from host memory
  std::uint64_t regions_rewritten = 0;        // extent maps only
  std::uint64_t switch_merges = 0;            // log-block maps only, also the next two
  std::uint64_t partial_merges = 0;
  std::uint64_t full_merges = 0;
  std::uint64_t mapped_bytes = 0;         // a level: logical space that holds data
  std::uint64_t extents = 0;              // a level: entries of an extent map
  std::uint64_t program_failures = 0;     // pages of a single block
  std::uint64_t erase_failures = 0;       // blocks
  std::uint64_t bad_blocks = 0;           // a level: factory and grown bad blocks
  std::uint64_t spare_blocks = 0;         // a level: good blocks in no superblock
  std::uint64_t superblocks_retired = 0;  // a level
  std::uint64_t power_cuts = 0;

  // Input of the energy model. Pages and blocks are those of one plane; an operation on several planes counts each.
  std::uint64_t array_reads = 0;  // operations
  std::uint64_t array_pages_read = 0;
  std::uint64_t array_programs = 0;  // operations
  std::uint64_t array_pages_programmed = 0;
  std::uint64_t slc_pages_programmed = 0;     // devices with a power model only, also the next four: one bit per
                                              // cell in a block that could hold more
  std::uint64_t first_pages_programmed = 0;   // by kind of page: all pages of SLC, the lower ones of MLC
  std::uint64_t second_pages_programmed = 0;  // the upper ones of MLC
  std::uint64_t third_pages_programmed = 0;
  std::uint64_t fourth_pages_programmed = 0;
  std::uint64_t array_erases = 0;         // operations
  std::uint64_t array_blocks_erased = 0;  // attempted
  std::uint64_t flash_bus_bytes = 0;      // both directions, including spare bytes
  std::uint64_t controller_busy_ns = 0;   // firmware busy
  std::uint64_t powered_ns = 0;           // simulated time since power-on
  std::uint64_t active_ns = 0;            // devices with a power model only: time with a request outstanding
  std::uint64_t asleep_ns = 0;
  std::uint64_t energy_pj = 0;          // modulo 2^64; 0: no power model
  std::uint64_t read_ahead_pages = 0;   // mapping pages read before they were requested
  std::uint64_t read_ahead_hits = 0;    // pieces of requests served from them
  std::uint64_t read_ahead_wasted = 0;  // read_ahead_pages dropped, overwritten or trimmed before they were used
  // Busy time of all dies together, by use. An operation is counted as a whole when it begins.
  std::uint64_t die_host_read_ns = 0;
  std::uint64_t die_internal_read_ns = 0;  // for relocation, the mapping table, and completing a smaller write
  std::uint64_t die_erase_ns = 0;
  std::uint64_t die_host_program_ns = 0;        // stripes with host data
  std::uint64_t die_relocation_program_ns = 0;  // all other stripes
  std::uint64_t die_suspension_ns = 0;          // suspending programs and erases for reads, and resuming them
  std::uint64_t suspensions = 0;                // programs and erases suspended by reads
  std::uint64_t buffered_reads = 0;  // array_reads that the controller answered from its memory instead, since their page's
                                     // program had not ended; their energy is counted
  std::uint64_t read_retries = 0;    // retry steps
  std::uint64_t uncorrectable_pages = 0;  // mapping pages that no retry step could correct, counted each time one is found
  std::uint64_t rebuilt_pages = 0;        // uncorrectable pages rebuilt from the other pages and the parity of their row
  std::uint64_t lost_pages = 0;           // uncorrectable pages lost for good, each counted once

  // Devices that deduplicate only.
  std::uint64_t deduplicated_bytes = 0;      // written by the host but already stored, so not programmed
  std::uint64_t unique_bytes = 0;            // a level: mapped_bytes with each content counted once, before compression
  std::uint64_t fingerprint_bytes = 0;       // a level: size of the table of known contents
  std::uint64_t forgotten_fingerprints = 0;  // stored contents dropped because the table was full

  std::uint64_t media_write_bytes() const {
    return media_host_bytes + media_fill_bytes + media_relocation_bytes + media_wear_bytes + media_refresh_bytes +
           media_fold_bytes + media_mapping_bytes + media_parity_bytes + media_failed_bytes + media_padding_bytes -
           media_lost_bytes;
  }
};

}  // namespace ftlab
