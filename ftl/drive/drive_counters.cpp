#include "ftl/drive/drive_counters.h"

#include "ftl/drive/drive.h"
#include "models/power/power.h"

namespace ftlab {

Counters count_layer(const DriveParts& drive, const Counters& past) {
  Counters all = past;
  const std::uint64_t slot_bytes = drive.config.ftl.slot_bytes();
  const Ftl::Counts& host = drive.layer->counts();
  const StoreCounts& store = drive.layer->store().counts();
  const Collection& collection = drive.layer->collection();
  const SchemeCounts map = drive.layer->scheme().counts();
  const auto relocated = [&](RelocationCause cause) { return collection.relocated(cause).slots * slot_bytes; };
  all.media_host_bytes += host.host_slots * slot_bytes - host.filled_bytes;
  all.media_fill_bytes += host.filled_bytes;
  all.media_relocation_bytes += relocated(RelocationCause::collection) + map.copied_pages * slot_bytes;
  all.media_wear_bytes += relocated(RelocationCause::wear);
  all.media_refresh_bytes += relocated(RelocationCause::refresh);
  all.media_fold_bytes += relocated(RelocationCause::folding);
  all.media_mapping_bytes += relocated(RelocationCause::mapping) + (map.slots_written + host.trim_record_slots) * slot_bytes;
  all.media_padding_bytes += (store.pages_padded - host.trim_record_slots) * slot_bytes;
  all.media_failed_bytes += store.failed_pages * slot_bytes;
  all.media_parity_bytes += store.parity_pages * slot_bytes;
  all.relocated_pages += collection.relocated(RelocationCause::collection).pages + map.copied_pages;
  all.collected_superblocks += collection.collected() + map.switch_merges + map.partial_merges + map.full_merges;
  all.coalesced_pages += host.coalesced_pages;
  all.read_modify_writes += host.read_modify_writes;
  all.copyback_pages += collection.copyback_pages();
  all.unknown_handle_pages += collection.pages_elsewhere().unknown_handle;
  all.other_group_pages += collection.pages_elsewhere().other_group;
  all.trimmed_pages += host.trimmed_pages;
  all.mapping_hits += map.hits;
  all.mapping_misses += map.misses;
  all.mapping_pages_read += map.pages_read;
  all.mapping_pages_from_host += map.pages_from_host;
  all.switch_merges += map.switch_merges;
  all.partial_merges += map.partial_merges;
  all.full_merges += map.full_merges;
  all.regions_rewritten += map.regions_rewritten;
  return all;
}

namespace {

void add_failures(const BadBlockTable& health, Counters& all) {
  all.block_erases = health.block_erases();
  all.squared_block_erases = health.squared_block_erases();
  all.program_failures = health.program_failures();
  all.erase_failures = health.erase_failures();
  all.bad_blocks = health.defects().factory_bad() + health.defects().grown_bad();
  all.spare_blocks = health.defects().spares();
}

void add_errors(const MediaErrors& errors, Counters& all) {
  all.read_retries = errors.counts().retries;
  all.uncorrectable_pages = errors.counts().uncorrectable_pages;
  all.rebuilt_pages = errors.counts().rebuilt_pages;
  all.lost_pages = errors.counts().lost_pages;
}

void add_deduplication(const Deduplication& shared, const FtlConfig& config, Counters& all) {
  const std::uint64_t page = config.mapping_bytes;
  all.deduplicated_bytes = shared.shared_writes() * page;
  all.mapped_bytes = shared.mapped_pages() * page;
  all.unique_bytes = shared.contents() * page;
  all.fingerprint_bytes = std::uint64_t{shared.fingerprints().count()} * config.deduplication.entry_bytes;
  all.forgotten_fingerprints = shared.fingerprints().forgotten();
}

void add_flash_work(const WorkList& list, Counters& all) {
  const FlashWork& work = list.count().work();
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
  all.flash_bus_bytes = list.count().bus_bytes();
  all.media_operations = work.operations();
}

void add_engine(const FlashEngine& engine, Counters& all) {
  all.suspensions = engine.use().suspensions;
  all.buffered_reads = engine.use().buffered_reads;
  const DieTime& time = engine.use().die_time;
  all.die_host_read_ns = time.of(DieTime::host_reads).count();
  all.die_internal_read_ns = time.of(DieTime::internal_reads).count();
  all.die_erase_ns = time.of(DieTime::erases).count();
  all.die_host_program_ns = time.of(DieTime::host_programs).count();
  all.die_relocation_program_ns = time.of(DieTime::relocation_programs).count();
  all.die_suspension_ns = time.of(DieTime::suspensions).count();
}

// Energy of the whole past, computed with the present design.
void add_energy(const PowerConfig& power, const Activity& activity, Nanoseconds now, Counters& all) {
  all.active_ns = activity.active(now).count();
  all.asleep_ns = activity.asleep(now).count();
  all.energy_pj = static_cast<std::uint64_t>(energy(energy_parts(power, all)));
}

}  // namespace

void count_read_ahead(const FrontEnd& front, Counters& all) {
  if (!front.read_ahead) return;
  all.read_ahead_pages += front.read_ahead->pages();
  all.read_ahead_hits += front.read_ahead->hits();
  all.read_ahead_wasted += front.read_ahead->wasted();
}

Counters count_drive(const DriveParts& drive, const Activity& activity, const Counters& past, Nanoseconds now) {
  const BackEnd& back = drive.back;
  const PageStore& store = drive.layer->store();
  Counters all = count_layer(drive, past);
  all.host_read_bytes = drive.host.host_read_bytes;
  all.host_write_bytes = drive.host.host_write_bytes;
  all.host_trim_bytes = drive.host.host_trim_bytes;
  all.host_read_commands = drive.host.host_read_commands;
  all.host_write_commands = drive.host.host_write_commands;
  all.unmapped_read_pages = drive.host.unmapped_read_pages;
  all.zone_resets = drive.zones.resets();
  all.zone_finishes = drive.zones.finishes();
  all.media_read_bytes = back.work.count().work().read_bytes;
  all.block_erases = back.medium.superblocks().erased() * back.medium.layout().blocks_per_superblock();
  if (back.health) {
    add_failures(*back.health, all);
    all.superblocks_retired = store.blocks().free().retired();
  }
  if (back.errors) add_errors(*back.errors, all);
  count_read_ahead(drive.front, all);
  add_flash_work(back.work, all);
  add_engine(*back.engine, all);
  all.controller_busy_ns = drive.front.controller.busy().count();
  all.powered_ns = now.count();
  all.free_superblocks = store.blocks().free().count();
  all.mapped_bytes = std::uint64_t{store.pages().mapped()} * drive.config.ftl.mapping_bytes;
  all.extents = store.pages().map().extents();
  if (back.deduplication) add_deduplication(*back.deduplication, drive.config.ftl, all);
  if (drive.config.power) add_energy(*drive.config.power, activity, now, all);
  return all;
}

namespace {

// Works on a copy, which stays in registers.
void add_map_and_counters(const Drive& drive, SignaturePair& signatures) {
  SignaturePair pair = signatures;
  const PageMap& map = drive.ftl().store().pages().map();
  for (std::uint32_t l = 0; l < map.lpns(); ++l) pair.add(number(map.find(Lpn{l})));
  if (const auto& shared = drive.flash().deduplication) {
    for (std::uint32_t l = 0; l < drive.config().logical_pages(); ++l) pair.add(number(shared->content_of(Lpn{l})));
  }
  const Counters all = drive.counters();
  for (const std::uint64_t value : {all.host_read_bytes, all.host_write_bytes, all.host_trim_bytes, all.media_host_bytes,
                                    all.media_fill_bytes, all.media_relocation_bytes, all.media_padding_bytes,
                                    all.media_read_bytes, all.media_operations, all.free_superblocks}) {
    pair.add(value);
  }
  signatures = pair;
}

}  // namespace

void sign(const Drive& drive, Signature& signature) {
  SignaturePair pair{signature, {}};
  add_to(pair, drive.medium(), true);
  add_map_and_counters(drive, pair);
  signature = pair.first;
}

void sign_slots(const Drive& drive, SignaturePair& signatures) {
  add_to(signatures, drive.medium(), false);
  add_map_and_counters(drive, signatures);
}

void sign_slots(const Drive& drive, Signature& signature) {
  SignaturePair pair{signature, {}};
  sign_slots(drive, pair);
  signature = pair.first;
}

}  // namespace ftlab
