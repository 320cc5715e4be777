// What the parts of a drive have counted, put together.
#include "ftl/drive/drive.h"

namespace ftlab {

Counters Drive::layer_counters() const {
  Counters all = past_;
  const Ftl& ftl = *ftl_;
  const std::uint64_t slot_bytes = config_.ftl.slot_bytes();
  const auto relocated = [&ftl, slot_bytes](RelocationCause cause) { return ftl.relocated_slots(cause) * slot_bytes; };
  all.media_host_bytes += ftl.counts().host_slots * slot_bytes - ftl.counts().filled_bytes;
  all.media_fill_bytes += ftl.counts().filled_bytes;
  all.media_relocation_bytes += relocated(RelocationCause::collection);
  all.media_wear_bytes += relocated(RelocationCause::wear);
  all.media_refresh_bytes += relocated(RelocationCause::refresh);
  all.media_fold_bytes += relocated(RelocationCause::folding);
  all.media_mapping_bytes += ftl.mapping_slots() * slot_bytes;
  all.media_padding_bytes += (ftl.store().counts().pages_padded - ftl.trim_record_slots()) * slot_bytes;
  all.media_failed_bytes += ftl.store().counts().failed_pages * slot_bytes;
  all.media_parity_bytes += ftl.store().counts().parity_pages * slot_bytes;
  all.relocated_pages += ftl.relocated_pages(RelocationCause::collection);
  all.collected_superblocks += ftl.collected();
  all.coalesced_pages += ftl.counts().coalesced_pages;
  all.read_modify_writes += ftl.counts().read_modify_writes;
  all.copyback_pages += ftl.copyback_pages();
  all.unknown_handle_pages += ftl.unknown_handle_pages();
  all.trimmed_pages += ftl.counts().trimmed_pages;
  if (const DemandMap* demand = ftl.demand()) {
    all.mapping_hits += demand->cache().counts().hits;
    all.mapping_misses += demand->cache().counts().misses;
    all.mapping_pages_read += demand->pages_read();
    all.mapping_pages_from_host += demand->host_memory().fetched();
  }
  if (const LogBlocks* logs = ftl.log_blocks()) {
    all.switch_merges += logs->switch_merges();
    all.partial_merges += logs->partial_merges();
    all.full_merges += logs->full_merges();
  }
  if (const Extents* extents = ftl.extents()) all.regions_rewritten += extents->regions_rewritten();
  return all;
}

void Drive::add_failures(Counters& all) const {
  all.block_erases = health_->block_erases();
  all.squared_block_erases = health_->squared_block_erases();
  all.program_failures = health_->program_failures();
  all.erase_failures = health_->erase_failures();
  all.bad_blocks = health_->defects().factory_bad() + health_->defects().grown_bad();
  all.spare_blocks = health_->defects().spares();
  all.superblocks_retired = ftl_->store().blocks().free().retired();
}

void Drive::add_errors(Counters& all) const {
  all.read_retries = errors_->retries();
  all.uncorrectable_pages = errors_->uncorrectable_pages();
  all.rebuilt_pages = errors_->rebuilt_pages();
  all.lost_pages = errors_->lost_pages();
}

void Drive::add_deduplication(Counters& all) const {
  const std::uint64_t page = config_.ftl.mapping_bytes;
  all.deduplicated_bytes = deduplication_->shared_writes() * page;
  all.mapped_bytes = deduplication_->mapped_pages() * page;
  all.unique_bytes = deduplication_->contents() * page;
  all.fingerprint_bytes = std::uint64_t{deduplication_->fingerprints().count()} * config_.ftl.deduplication.entry_bytes;
  all.forgotten_fingerprints = deduplication_->fingerprints().forgotten();
}

void Drive::add_flash_work(Counters& all) const {
  const FlashWork& work = work_.work();
  all.array_reads = work.reads;
  all.array_pages_read = work.pages_read;
  all.array_programs = work.programs;
  all.array_pages_programmed = work.pages_programmed;
  all.slc_pages_programmed = work.slc_pages_programmed;
  all.first_pages_programmed = work.pages_programmed_by_kind[0];
  all.second_pages_programmed = work.pages_programmed_by_kind[1];
  all.third_pages_programmed = work.pages_programmed_by_kind[2];
  all.fourth_pages_programmed = work.pages_programmed_by_kind[3];
  all.array_erases = work.erases;
  all.array_blocks_erased = work.blocks_erased;
  all.flash_bus_bytes = work_.bus_bytes();
  all.media_operations = work.operations();
}

// Counted by the design as it is now, the whole past included.
void Drive::add_energy(Counters& all, Nanoseconds now) const {
  all.active_ns = activity_.active(now).count();
  all.asleep_ns = activity_.asleep(now).count();
  all.energy_pj = static_cast<std::uint64_t>(energy(energy_parts(*config_.power, all)));
}

Counters Drive::counters_at(Nanoseconds now) const {
  Counters all = layer_counters();
  all.host_read_bytes = host_.host_read_bytes;
  all.host_write_bytes = host_.host_write_bytes;
  all.host_trim_bytes = host_.host_trim_bytes;
  all.host_read_commands = host_.host_read_commands;
  all.host_write_commands = host_.host_write_commands;
  all.unmapped_read_pages = host_.unmapped_read_pages;
  all.media_read_bytes = work_.read_bytes();
  all.block_erases = medium_.superblocks_erased() * medium_.layout().blocks_per_superblock();
  if (health_) add_failures(all);
  if (errors_) add_errors(all);
  if (read_ahead_) {
    all.read_ahead_pages += read_ahead_->pages();
    all.read_ahead_hits += read_ahead_->hits();
    all.read_ahead_wasted += read_ahead_->wasted();
  }
  add_flash_work(all);
  all.suspensions = engine_->suspensions();
  all.buffered_reads = engine_->buffered_reads();
  const DieTime& time = engine_->die_time();
  all.die_host_read_ns = time.of(DieTime::host_reads).count();
  all.die_internal_read_ns = time.of(DieTime::internal_reads).count();
  all.die_erase_ns = time.of(DieTime::erases).count();
  all.die_host_program_ns = time.of(DieTime::host_programs).count();
  all.die_relocation_program_ns = time.of(DieTime::relocation_programs).count();
  all.die_suspension_ns = time.of(DieTime::suspensions).count();
  all.controller_busy_ns = controller_.busy().count();
  all.powered_ns = now.count();
  all.free_superblocks = ftl_->store().blocks().free().count();
  all.mapped_bytes = std::uint64_t{ftl_->store().mapped_pages()} * config_.ftl.mapping_bytes;
  all.extents = ftl_->store().map().extents();
  if (deduplication_) add_deduplication(all);
  if (config_.power) add_energy(all, now);
  return all;
}

void Drive::add_to(Signature& signature) const {
  medium_.add_to(signature);
  add_map_and_counters_to(signature);
}

void Drive::add_slots_to(Signature& signature) const {
  medium_.add_slots_to(signature);
  add_map_and_counters_to(signature);
}

void Drive::add_map_and_counters_to(Signature& signature) const {
  const PageMap& map = ftl_->store().map();
  for (std::uint32_t l = 0; l < map.lpns(); ++l) signature.add(number(map.find(Lpn{l})));
  if (deduplication_) {
    for (std::uint32_t l = 0; l < config_.logical_pages(); ++l) signature.add(number(deduplication_->content_of(Lpn{l})));
  }
  const Counters all = counters();
  for (const std::uint64_t value : {all.host_read_bytes, all.host_write_bytes, all.host_trim_bytes, all.media_host_bytes,
                                    all.media_fill_bytes, all.media_relocation_bytes, all.media_padding_bytes,
                                    all.media_read_bytes, all.media_operations, all.free_superblocks}) {
    signature.add(value);
  }
}

}  // namespace ftlab
