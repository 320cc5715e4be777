// What a device has done since power-on. Cumulative; statistics take differences. A device fills what it has.
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
  std::uint64_t media_host_bytes = 0;        // host data as the host sent it
  std::uint64_t media_fill_bytes = 0;        // the rest of a mapping unit rewritten with a smaller host write
  std::uint64_t media_relocation_bytes = 0;  // garbage collection
  std::uint64_t media_wear_bytes = 0;        // static wear levelling
  std::uint64_t media_refresh_bytes = 0;     // pages written anew because their cells had gathered errors
  std::uint64_t media_fold_bytes = 0;        // from the pSLC cache into the other superblocks
  std::uint64_t media_mapping_bytes = 0;     // translation pages and their collection; rewriting of extents
  std::uint64_t media_parity_bytes = 0;      // parity across dies
  std::uint64_t media_failed_bytes = 0;      // stripes that failed; their data were programmed once more
  std::uint64_t media_padding_bytes = 0;     // unused space programmed to complete a page (flush)
  std::uint64_t media_lost_bytes = 0;        // counted above, but a power cut took it from RAM before it was programmed

  std::uint64_t media_read_bytes = 0;
  std::uint64_t relocated_pages = 0;  // mapping units copied by garbage collection
  std::uint64_t collected_superblocks = 0;
  std::uint64_t block_erases = 0;          // blocks, not superblocks
  std::uint64_t squared_block_erases = 0;  // of a device that wears out: each block's erases, squared and summed
  std::uint64_t media_operations = 0;      // array reads, programs and erases, a multi-plane operation counted once
  std::uint64_t free_superblocks = 0;      // a level, not a sum
  std::uint64_t unmapped_read_pages = 0;   // reads of space never written or trimmed: answered without touching flash

  std::uint64_t read_modify_writes = 0;    // mapping pages read to complete a smaller write
  std::uint64_t coalesced_pages = 0;       // overwritten in RAM, never programmed
  std::uint64_t copyback_pages = 0;        // relocated without crossing the channel
  std::uint64_t unknown_handle_pages = 0;  // written with a placement handle that the drive does not have: to handle 0
  std::uint64_t trimmed_pages = 0;         // mapping pages unmapped by trims
  std::uint64_t mapping_hits = 0;          // of a demand-cached map
  std::uint64_t mapping_misses = 0;
  std::uint64_t mapping_pages_read = 0;
  std::uint64_t mapping_pages_from_host = 0;  // fetched from the host's memory
  std::uint64_t regions_rewritten = 0;        // of an extent map
  std::uint64_t switch_merges = 0;            // of a log-block map
  std::uint64_t partial_merges = 0;
  std::uint64_t full_merges = 0;
  std::uint64_t mapped_bytes = 0;         // a level: logical space that holds data
  std::uint64_t extents = 0;              // a level: entries of an extent map
  std::uint64_t program_failures = 0;     // pages of one block
  std::uint64_t erase_failures = 0;       // blocks
  std::uint64_t bad_blocks = 0;           // a level: the factory's and the grown ones
  std::uint64_t spare_blocks = 0;         // a level: good, but in no superblock
  std::uint64_t superblocks_retired = 0;  // a level
  std::uint64_t power_cuts = 0;

  // What energy follows from. Pages and blocks are those of one plane; an operation on several planes counts each.
  std::uint64_t array_reads = 0;  // operations
  std::uint64_t array_pages_read = 0;
  std::uint64_t array_programs = 0;  // operations
  std::uint64_t array_pages_programmed = 0;
  std::uint64_t slc_pages_programmed = 0;     // of a device with a power model, also the next: one bit a cell in a block
                                              // that could hold more
  std::uint64_t first_pages_programmed = 0;   // by kind of page: all pages of SLC, the lower ones of MLC
  std::uint64_t second_pages_programmed = 0;  // the upper ones of MLC
  std::uint64_t third_pages_programmed = 0;
  std::uint64_t fourth_pages_programmed = 0;
  std::uint64_t array_erases = 0;         // operations
  std::uint64_t array_blocks_erased = 0;  // tried
  std::uint64_t flash_bus_bytes = 0;      // both ways, spare bytes included
  std::uint64_t controller_busy_ns = 0;   // firmware at work
  std::uint64_t powered_ns = 0;           // simulated time since power-on
  std::uint64_t active_ns = 0;            // of a device with a power model: with a request outstanding
  std::uint64_t asleep_ns = 0;
  std::uint64_t energy_pj = 0;          // modulo 2^64; 0: the device has no power model
  std::uint64_t read_ahead_pages = 0;   // mapping pages read before they were asked for
  std::uint64_t read_ahead_hits = 0;    // pieces of requests that were answered with them
  std::uint64_t read_ahead_wasted = 0;  // of the pages: given up, overwritten or trimmed before anyone asked for them
  // What the dies' time went to, all of them together; an operation counts whole when it begins.
  std::uint64_t die_host_read_ns = 0;
  std::uint64_t die_internal_read_ns = 0;  // of relocation, of the map, to complete a smaller write
  std::uint64_t die_erase_ns = 0;
  std::uint64_t die_host_program_ns = 0;        // of stripes with data of the host
  std::uint64_t die_relocation_program_ns = 0;  // of all others
  std::uint64_t die_suspension_ns = 0;          // stopping programs and erases for reads, and going on with them
  std::uint64_t suspensions = 0;                // of programs and erases, by reads
  std::uint64_t buffered_reads = 0;  // of array_reads, those that the controller answered from its memory instead, since
                                     // the program of their page had not ended; their energy is counted
  std::uint64_t read_retries = 0;    // steps of them
  std::uint64_t uncorrectable_pages = 0;  // mapping pages that no step could correct, each time that one is found
  std::uint64_t rebuilt_pages = 0;        // of them, from the other pages and the parity of their row
  std::uint64_t lost_pages = 0;           // of them, for good, each once

  // Of a device that deduplicates.
  std::uint64_t deduplicated_bytes = 0;      // written by the host and stored already, so not programmed
  std::uint64_t unique_bytes = 0;            // a level: what mapped_bytes takes, each content once, before compression
  std::uint64_t fingerprint_bytes = 0;       // a level: of the table of known contents
  std::uint64_t forgotten_fingerprints = 0;  // stored contents that the table had no room for any more

  std::uint64_t media_write_bytes() const {
    return media_host_bytes + media_fill_bytes + media_relocation_bytes + media_wear_bytes + media_refresh_bytes +
           media_fold_bytes + media_mapping_bytes + media_parity_bytes + media_failed_bytes + media_padding_bytes -
           media_lost_bytes;
  }
};

}  // namespace ftlab
