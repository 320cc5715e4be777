// All counters of a device by name, and their difference.
#pragma once

#include "sim/counters.h"

namespace ftlab {

// `level`: a current value; all other counters only grow.
struct CounterField {
  const char* name;
  std::uint64_t Counters::*member;
  bool level = false;
};
inline constexpr CounterField kCounterFields[] = {
    {"host_read_bytes", &Counters::host_read_bytes},
    {"host_write_bytes", &Counters::host_write_bytes},
    {"host_trim_bytes", &Counters::host_trim_bytes},
    {"host_read_commands", &Counters::host_read_commands},
    {"host_write_commands", &Counters::host_write_commands},
    {"media_host_bytes", &Counters::media_host_bytes},
    {"media_fill_bytes", &Counters::media_fill_bytes},
    {"media_relocation_bytes", &Counters::media_relocation_bytes},
    {"media_wear_bytes", &Counters::media_wear_bytes},
    {"media_refresh_bytes", &Counters::media_refresh_bytes},
    {"media_fold_bytes", &Counters::media_fold_bytes},
    {"media_mapping_bytes", &Counters::media_mapping_bytes},
    {"media_parity_bytes", &Counters::media_parity_bytes},
    {"media_failed_bytes", &Counters::media_failed_bytes},
    {"media_padding_bytes", &Counters::media_padding_bytes},
    {"media_lost_bytes", &Counters::media_lost_bytes},
    {"media_read_bytes", &Counters::media_read_bytes},
    {"relocated_pages", &Counters::relocated_pages},
    {"collected_superblocks", &Counters::collected_superblocks},
    {"block_erases", &Counters::block_erases},
    {"squared_block_erases", &Counters::squared_block_erases},
    {"media_operations", &Counters::media_operations},
    {"free_superblocks", &Counters::free_superblocks, true},
    {"unmapped_read_pages", &Counters::unmapped_read_pages},
    {"read_modify_writes", &Counters::read_modify_writes},
    {"coalesced_pages", &Counters::coalesced_pages},
    {"copyback_pages", &Counters::copyback_pages},
    {"unknown_handle_pages", &Counters::unknown_handle_pages},
    {"trimmed_pages", &Counters::trimmed_pages},
    {"mapping_hits", &Counters::mapping_hits},
    {"mapping_misses", &Counters::mapping_misses},
    {"mapping_pages_read", &Counters::mapping_pages_read},
    {"mapping_pages_from_host", &Counters::mapping_pages_from_host},
    {"regions_rewritten", &Counters::regions_rewritten},
    {"switch_merges", &Counters::switch_merges},
    {"partial_merges", &Counters::partial_merges},
    {"full_merges", &Counters::full_merges},
    {"mapped_bytes", &Counters::mapped_bytes, true},
    {"extents", &Counters::extents, true},
    {"program_failures", &Counters::program_failures},
    {"erase_failures", &Counters::erase_failures},
    {"bad_blocks", &Counters::bad_blocks, true},
    {"spare_blocks", &Counters::spare_blocks, true},
    {"superblocks_retired", &Counters::superblocks_retired, true},
    {"power_cuts", &Counters::power_cuts},
    {"array_reads", &Counters::array_reads},
    {"array_pages_read", &Counters::array_pages_read},
    {"array_programs", &Counters::array_programs},
    {"array_pages_programmed", &Counters::array_pages_programmed},
    {"first_pages_programmed", &Counters::first_pages_programmed},
    {"second_pages_programmed", &Counters::second_pages_programmed},
    {"third_pages_programmed", &Counters::third_pages_programmed},
    {"fourth_pages_programmed", &Counters::fourth_pages_programmed},
    {"slc_pages_programmed", &Counters::slc_pages_programmed},
    {"array_erases", &Counters::array_erases},
    {"array_blocks_erased", &Counters::array_blocks_erased},
    {"flash_bus_bytes", &Counters::flash_bus_bytes},
    {"controller_busy_ns", &Counters::controller_busy_ns},
    {"powered_ns", &Counters::powered_ns},
    {"active_ns", &Counters::active_ns},
    {"asleep_ns", &Counters::asleep_ns},
    {"energy_pj", &Counters::energy_pj},
    {"read_ahead_pages", &Counters::read_ahead_pages},
    {"read_ahead_hits", &Counters::read_ahead_hits},
    {"read_ahead_wasted", &Counters::read_ahead_wasted},
    {"die_host_read_ns", &Counters::die_host_read_ns},
    {"die_internal_read_ns", &Counters::die_internal_read_ns},
    {"die_erase_ns", &Counters::die_erase_ns},
    {"die_host_program_ns", &Counters::die_host_program_ns},
    {"die_relocation_program_ns", &Counters::die_relocation_program_ns},
    {"die_suspension_ns", &Counters::die_suspension_ns},
    {"suspensions", &Counters::suspensions},
    {"buffered_reads", &Counters::buffered_reads},
    {"read_retries", &Counters::read_retries},
    {"uncorrectable_pages", &Counters::uncorrectable_pages},
    {"rebuilt_pages", &Counters::rebuilt_pages},
    {"lost_pages", &Counters::lost_pages},
    {"deduplicated_bytes", &Counters::deduplicated_bytes},
    {"unique_bytes", &Counters::unique_bytes, true},
    {"fingerprint_bytes", &Counters::fingerprint_bytes, true},
    {"forgotten_fingerprints", &Counters::forgotten_fingerprints},
};

// Counters of the time between two moments; levels are those of `after`.
inline Counters difference(const Counters& after, const Counters& before) {
  Counters d = after;
  for (const CounterField& field : kCounterFields) {
    if (!field.level) d.*field.member -= before.*field.member;
  }
  return d;
}

}  // namespace ftlab
