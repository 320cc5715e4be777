// Each key of the flash and of the FTL sets its own configuration value, independently of other keys: a number, or the
// meaning of a word.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

using Drive = const DriveConfig&;

struct Row {
  const char* design;
  std::string assignment;
  std::uint64_t expected;
  std::uint64_t (*place)(Drive drive);
};

#define PLACE(expression) [](Drive drive) { return static_cast<std::uint64_t>(expression); }
#define TIME(expression) PLACE((expression).count())

std::uint64_t policy(const char* name) { return gc_policy_index(name); }

std::vector<Row> rows_of_flash() {
  return {
      {"page", "geometry.channels=4", 4, PLACE(drive.geometry.channels)},
      {"page", "geometry.chips_per_channel=2", 2, PLACE(drive.geometry.chips_per_channel)},
      {"page", "geometry.dies_per_chip=4", 4, PLACE(drive.geometry.dies_per_chip)},
      {"page", "geometry.planes_per_die=4", 4, PLACE(drive.geometry.planes_per_die)},
      {"page", "geometry.blocks_per_plane=60", 60, PLACE(drive.geometry.blocks_per_plane)},
      {"page", "geometry.pages_per_block=10", 10, PLACE(drive.geometry.pages_per_block)},
      {"page", "geometry.page_bytes=8192", 8192, PLACE(drive.geometry.page_bytes)},
      {"page", "geometry.page_spare_bytes=130", 130, PLACE(drive.geometry.page_spare_bytes)},
      {"page", "geometry.codeword_bytes=2048", 2048, PLACE(drive.geometry.codeword_bytes)},
      {"page", "nand.read_ns=51", 51, TIME(drive.nand.read)},
      {"page", "nand.program_lower_ns=52", 52, TIME(drive.nand.program.at(0))},
      {"page", "nand.program_upper_ns=53", 53, TIME(drive.nand.program.at(1))},
      {"page", "nand.erase_ns=54", 54, TIME(drive.nand.erase)},
      {"page", "nand.program_slc_ns=55", 55, TIME(drive.nand.program_slc)},
      {"page", "nand.bus_bytes_per_s=5600000", 5600000, PLACE(drive.nand.bus_bytes_per_s)},
      {"page", "nand.bus_command_ns=57", 57, TIME(drive.nand.bus_command)},
      {"page", "nand.cache_program=true", 1, PLACE(drive.nand.cache_program)},
      {"page", "nand.cache_read=true", 1, PLACE(drive.nand.cache_read)},
      {"page", "nand.page_order=all-bit-line", 1, PLACE(drive.nand.page_order == PageOrder::all_bit_line)},
      {"page", "nand.page_order=even-odd", 1, PLACE(drive.nand.page_order == PageOrder::even_odd)},
      {"page", "nand.plane_reads=independent", 1, PLACE(drive.nand.independent_plane_reads)},
      {"tlc", "nand.program_middle_ns=58", 58, TIME(drive.nand.program.at(1))},
      {"tlc", "nand.read_middle_ns=59", 59, TIME(drive.nand.read_by_kind.at(1))},
      {"tlc", "nand.read_upper_ns=61", 61, TIME(drive.nand.read)},  // the fastest
      {"tlc", "nand.read_slc_ns=60", 60, TIME(drive.nand.read_slc)},
      {"qlc", "nand.program_extra_ns=61", 61, TIME(drive.nand.program.at(2))},
      {"qlc", "nand.program_top_ns=62", 62, TIME(drive.nand.program.at(3))},
      {"qlc", "nand.read_top_ns=63", 63, TIME(drive.nand.read_by_kind.at(3))},
      {"read first", "nand.suspend.program=false", 0, PLACE(drive.nand.suspension.program)},
      {"read first", "nand.suspend.erase=false", 0, PLACE(drive.nand.suspension.erase)},
      {"read first", "nand.suspend.suspend_ns=64", 64, TIME(drive.nand.suspension.suspend)},
      {"read first", "nand.suspend.resume_ns=65", 65, TIME(drive.nand.suspension.resume)},
      {"read first", "nand.suspend.most_suspends_per_operation=66", 66, PLACE(drive.nand.suspension.most_suspends)},
      {"read first", "nand.variation.read_permille=67", 67, PLACE(drive.nand.variation.read_permille)},
      {"read first", "nand.variation.program_permille=68", 68, PLACE(drive.nand.variation.program_permille)},
      {"read first", "nand.variation.erase_permille=69", 69, PLACE(drive.nand.variation.erase_permille)},
      {"read first", "nand.wear.program_faster_permille_per_1000_erases=70", 70,
       PLACE(drive.nand.wear.program_faster_permille)},
      {"read first", "nand.wear.erase_slower_permille_per_1000_erases=71", 71, PLACE(drive.nand.wear.erase_slower_permille)},
      {"read first", "nand.wear.until_erases=72", 72, PLACE(drive.nand.wear.until_erases)},
      {"cells", "cells.fresh_errors_per_pbit=73", 73, PLACE(drive.cells.fresh_per_pbit)},
      {"cells", "cells.wear_cycles=74", 74, PLACE(drive.cells.wear_cycles)},
      {"cells", "cells.fresh_wear_exponent_permille=75", 75, PLACE(drive.cells.fresh_exponent)},
      {"cells", "cells.retention_errors_per_pbit=76", 76, PLACE(drive.cells.retention_per_pbit)},
      {"cells", "cells.retention_wear_exponent_permille=77", 77, PLACE(drive.cells.retention_wear_exponent)},
      {"cells", "cells.retention_time_exponent_permille=78", 78, PLACE(drive.cells.retention_time_exponent)},
      {"cells", "cells.disturb_errors_per_pbit=79", 79, PLACE(drive.cells.disturb_per_pbit)},
      {"cells", "cells.disturb_wear_exponent_permille=80", 80, PLACE(drive.cells.disturb_wear_exponent)},
      {"cells", "cells.worn_cycles=81", 81, PLACE(drive.cells.worn_cycles)},
      {"cells", "cells.specimen=82", 82, PLACE(drive.cells.specimen)},
      {"cells", "cells.correctable_bits=16", 16, PLACE(drive.cells.correctable_bits)},
      {"cells", R"(cells.page_kinds=[{"errors_permille": 83}, {"errors_permille": 84}])", 83 * 1000 + 84,
       PLACE(drive.cells.kinds_permille.at(0) * 1000 + drive.cells.kinds_permille.at(1))},
      {"cells", R"(cells.retry=[{"errors_permille": 85, "correctable_bits": 30, "array_reads": 3, "overhead_ns": 86}])",
       85'030'003'086,
       PLACE(drive.cells.retry.at(0).errors_permille * 1'000'000'000ull +
             drive.cells.retry.at(0).correctable_bits * 1'000'000 + drive.cells.retry.at(0).array_reads * 1'000 +
             drive.cells.retry.at(0).overhead.count())},
      {"cells", R"(cells.retry=[{"errors_permille": 85, "array_reads": 1}])", 20,
       PLACE(drive.cells.retry.at(0).correctable_bits)},  // as in the step before it
      {"cells of two kinds", "cells.slc_errors_permille=87", 87, PLACE(drive.cells.slc_permille)},
      {"mortal", "endurance.program_erase_limit=88", 88, PLACE(drive.endurance.program_erase_limit)},
      {"mortal", "endurance.limit_spread_permille=89", 89, PLACE(drive.endurance.limit_spread_permille)},
      {"mortal", "endurance.factory_bad_per_million=90", 90, PLACE(drive.endurance.factory_bad_per_million)},
      {"mortal", "endurance.program_failures_per_billion=91", 91, PLACE(drive.endurance.program_failures_per_billion)},
      {"mortal", "endurance.erase_failures_per_billion=92", 92, PLACE(drive.endurance.erase_failures_per_billion)},
      {"mortal", "endurance.specimen=93", 93, PLACE(drive.endurance.specimen)},
      {"mortal", "endurance.worn_cycles=2", 2, PLACE(drive.endurance.worn_cycles)},
      {"mortal", "endurance.warranty_days=94", 94, PLACE(drive.endurance.warranty_days)},
      {"life curve", "endurance.life_curve.days=95", 95, PLACE(drive.endurance.life_curve.days)},
      {"life curve", "endurance.life_curve.credit_permille=96", 96, PLACE(drive.endurance.life_curve.credit_permille)},
      {"life curve", "endurance.life_curve.powered_days=97", 97, PLACE(drive.endurance.life_curve.powered_days)},
  };
}

std::vector<Row> rows_of_layer() {
  using Mode = TrimConfig::Mode;
  using Eviction = MapCacheConfig::Eviction;
  return {
      {"page", "ftl.superblock.dies=2", 2, PLACE(drive.ftl.superblock.dies)},
      {"page", "ftl.superblock.planes=1", 1, PLACE(drive.ftl.superblock.planes)},
      {"page", "ftl.superblock.parity=true", 1, PLACE(drive.ftl.superblock.parity)},
      {"page", "ftl.mapping.page_bytes=8192", 8192, PLACE(drive.ftl.mapping_bytes)},
      {"page", "ftl.frontiers=one", 0, PLACE(drive.ftl.separate_relocation)},
      {"page", "ftl.gc.policy=fifo", policy("fifo"), PLACE(drive.ftl.gc.policy)},
      {"page", "ftl.gc.start_free_superblocks=4", 4, PLACE(drive.ftl.gc.start_free)},
      {"page", "ftl.gc.stop_free_superblocks=7", 7, PLACE(drive.ftl.gc.stop_free)},
      {"page", "ftl.gc.pages_per_host_write=98", 98, PLACE(drive.ftl.gc.pages_per_host_write)},
      {"page", "ftl.gc.ties=lifo", 1, PLACE(drive.ftl.gc.ties == Bins::Keeping::lifo)},
      {"page", "ftl.gc.ties=fifo", 1, PLACE(drive.ftl.gc.ties == Bins::Keeping::fifo)},
      {"page", "ftl.gc.ties=random", 1, PLACE(drive.ftl.gc.ties == Bins::Keeping::sorted)},
      {"page", "ftl.gc.order=random", 1, PLACE(drive.ftl.gc.shuffle)},
      {"page", "ftl.gc.order=page", 0, PLACE(drive.ftl.gc.shuffle)},
      {"page", "ftl.gc.pace=even", 1, PLACE(drive.ftl.gc.even_pace)},
      {"page", "ftl.gc.pace=full", 0, PLACE(drive.ftl.gc.even_pace)},
      {"page", "ftl.gc.copyback=true", 1, PLACE(drive.ftl.gc.copyback)},
      {"page", "ftl.gc.idle.after_ns=99", 99, TIME(drive.ftl.gc.idle_after)},
      {"page", "ftl.gc.idle.stop_free_superblocks=8", 8, PLACE(drive.ftl.gc.idle_stop_free)},
      {"streams", "ftl.gc.d=9", 9, PLACE(drive.ftl.gc.values.at(0))},
      {"frequency", "ftl.gc.window_superblocks=10", 10, PLACE(drive.ftl.gc.values.at(0))},
      {"page", "ftl.wear.static_spread_erases=11", 11, PLACE(drive.ftl.wear.static_spread)},
      {"page", "ftl.wear.check_every_erases=12", 12, PLACE(drive.ftl.wear.check_every_erases)},
      {"page", "ftl.wear.free_list=least-worn", 1, PLACE(drive.ftl.wear.least_worn_first)},
      {"page", "ftl.wear.free_list=fifo", 0, PLACE(drive.ftl.wear.least_worn_first)},
      {"page", "ftl.trim.mode=off", 1, PLACE(drive.ftl.trim.mode == Mode::off)},
      {"page", "ftl.trim.mode=immediate", 1, PLACE(drive.ftl.trim.mode == Mode::immediate)},
      {"streams", "ftl.trim.pages_per_host_write=13", 13, PLACE(drive.ftl.trim.pages_per_host_write)},
      {"streams", "ftl.trim.read_before=zeros", 0, PLACE(drive.ftl.trim.reads_old_data)},
      {"streams", "ftl.trim.read_before=old-data", 1, PLACE(drive.ftl.trim.reads_old_data)},
      {"streams", "ftl.trim.waiting_ranges=14", 14, PLACE(drive.ftl.trim.waiting_ranges)},
      {"streams", "ftl.trim.queued=false", 0, PLACE(drive.ftl.trim.queued)},
      {"page", "ftl.trim.granularity_bytes=16384", 16384, PLACE(drive.ftl.trim.granularity_bytes)},
      {"page", "ftl.trim.record_bytes=15", 15, PLACE(drive.ftl.trim.record_bytes)},
      {"page", "ftl.write_buffer.bytes=131072", 32, PLACE(drive.ftl.buffer.pages)},
      {"page", "ftl.write_buffer.partial_pages=17", 17, PLACE(drive.ftl.buffer.coalescing_pages)},
      {"held", "ftl.write_buffer.coalescing_pages=18", 18, PLACE(drive.ftl.buffer.coalescing_pages)},
      {"held", "ftl.write_buffer.power_loss_protected=true", 1, PLACE(drive.ftl.buffer.power_loss_protected)},
      {"page", "ftl.write_buffer.write_back=false", 0, PLACE(drive.ftl.buffer.write_back)},
      {"streams", "ftl.placement.streams=2", 2, PLACE(drive.ftl.placement.streams)},
      {"page", R"(ftl.placement={"scheme": "streams", "streams": 2, "isolation": "initial"})", 1,
       PLACE(drive.ftl.placement.isolation)},
      {"streams", R"(ftl.placement={"scheme": "streams", "streams": 1, "reclaim_unit_superblocks": 3})", 3,
       PLACE(drive.ftl.placement.reclaim_unit)},
      {"grouped", R"(ftl.placement={"scheme": "streams", "streams": 1, "reclaim_groups": 2})", 2,
       PLACE(drive.ftl.placement.reclaim_groups)},
      {"frequency", "ftl.placement.hot_writes=19", 19, PLACE(drive.ftl.placement.hot_writes)},
      {"frequency", "ftl.placement.halve_after_pages=20", 20, PLACE(drive.ftl.placement.halve_after_pages)},
      {"slc", "ftl.slc_cache.superblocks=5", 5, PLACE(drive.ftl.slc.superblocks)},
      {"slc", "ftl.slc_cache.when_full=fold", 0, PLACE(drive.ftl.slc.direct_when_full)},
      {"slc", "ftl.slc_cache.when_full=direct", 1, PLACE(drive.ftl.slc.direct_when_full)},
      {"slc", "ftl.slc_cache.superblocks=6", 2, PLACE(drive.ftl.slc.cells_per_bit)},
      {"tlc", "ftl.slc_cache.superblocks=6", 3, PLACE(drive.ftl.slc.cells_per_bit)},
      {"half full", "ftl.pslc_mode.until_mapped_permille=21", 21, PLACE(drive.ftl.pslc_mode.until_mapped_permille)},
      {"half full", "ftl.pslc_mode.free_space_permille=22", 22, PLACE(drive.ftl.pslc_mode.free_space_permille)},
      {"half full", "ftl.pslc_mode.fold=at-once", 0, PLACE(drive.ftl.pslc_mode.folds_late)},
      {"half full", "ftl.pslc_mode.fold=when-short", 1, PLACE(drive.ftl.pslc_mode.folds_late)},
      {"demand pages", "ftl.mapping.ram_bytes=9216", 9216, PLACE(drive.ftl.mapping.cache.budget_bytes)},
      {"host memory", "ftl.mapping.eviction=lru", 1, PLACE(drive.ftl.mapping.cache.eviction == Eviction::lru)},
      {"demand pages", "ftl.mapping.clean_window=22", 22, PLACE(drive.ftl.mapping.cache.clean_window)},
      {"demand entries", "ftl.mapping.entry_bytes=16", 16, PLACE(drive.ftl.mapping.cache.entry_bytes)},
      {"demand entries", "ftl.mapping.eviction=fifo", 1, PLACE(drive.ftl.mapping.cache.eviction == Eviction::fifo)},
      {"demand entries", "ftl.mapping.eviction=segmented-lru", 1,
       PLACE(drive.ftl.mapping.cache.eviction == Eviction::segmented_lru)},
      {"demand entries", "ftl.mapping.batch_write_back=false", 0, PLACE(drive.ftl.mapping.cache.batch_write_back)},
      {"demand entries", "ftl.mapping.prefetch_entries=23", 23, PLACE(drive.ftl.mapping.cache.prefetch_entries)},
      {"demand entries", "ftl.mapping.prefetch_entries=0", 0, PLACE(drive.ftl.mapping.cache.whole_pages)},
      {"host memory", "ftl.mapping.host_memory_bytes=8192", 8192, PLACE(drive.ftl.mapping.host_memory_bytes)},
      {"host memory", "ftl.mapping.ram_bytes=5120", 1, PLACE(drive.ftl.mapping.cache.whole_pages)},
      {"extent", "ftl.mapping.ram_bytes=4800", 600, PLACE(drive.ftl.mapping.extents.entries)},
      {"extent", "ftl.mapping.entry_bytes=16", 250, PLACE(drive.ftl.mapping.extents.entries)},
      {"extent", "ftl.mapping.region_pages=256", 256, PLACE(drive.ftl.mapping.extents.region_pages)},
      {"extent", "ftl.mapping.start_permille=700", 700, PLACE(drive.ftl.mapping.extents.start_permille)},
      {"extent", "ftl.mapping.start_permille=701", 701, PLACE(drive.ftl.mapping.extents.stop_permille)},
      {"extent", "ftl.mapping.stop_permille=24", 24, PLACE(drive.ftl.mapping.extents.stop_permille)},
      {"extent", "ftl.mapping.pages_per_host_write=25", 25, PLACE(drive.ftl.mapping.extents.pages_per_host_write)},
      {"extent", "ftl.mapping.fill_holes=true", 1, PLACE(drive.ftl.mapping.extents.fill_holes)},
      {"bast", "ftl.mapping.log_superblocks=3", 3, PLACE(drive.ftl.mapping.log_superblocks)},
      {"packed", "ftl.compression.slot_bytes=1024", 1024, PLACE(drive.ftl.compression.slot_bytes)},
      {"packed", "ftl.compression.header_bytes=26", 26, PLACE(drive.ftl.compression.header_bytes)},
      {"packed", "ftl.compression.efficiency_permille=27", 27, PLACE(drive.ftl.compression.efficiency_permille)},
      {"sharing", "ftl.deduplication.fingerprint_ns=28", 28, TIME(drive.ftl.deduplication.fingerprint)},
      {"sharing", "ftl.deduplication.look_up_ns=29", 29, TIME(drive.ftl.deduplication.look_up)},
      {"sharing", "ftl.deduplication.entry_bytes=20", 100, PLACE(drive.ftl.deduplication.entries())},
      {"sharing", "ftl.deduplication.ram_bytes=4000", 100, PLACE(drive.ftl.deduplication.entries())},
      {"cells", "ftl.refresh.errors_per_pbit=30", 30, PLACE(drive.ftl.refresh.errors_per_pbit)},
      {"cells", "ftl.refresh.retry_steps=2", 2, PLACE(drive.ftl.refresh.retry_steps)},
      {"cells", "ftl.refresh.scan_every_s=31", 31'000'000'000, TIME(drive.ftl.refresh.scan_every)},
      {"cells", "ftl.refresh.pages_per_request=32", 32, PLACE(drive.ftl.refresh.pages_per_request)},
  };
}

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.design, row.assignment);
    Node design = document(row.design);
    set_by_path(design, row.assignment);
    try {
      CHECK(row.place(read_drive(design)) == row.expected);
    } catch (const ConfigError& error) {
      FAIL_CHECK(error.what());
    }
  }
}

}  // namespace

TEST_CASE("each key of the flash sets its value") { check_rows(rows_of_flash()); }

TEST_CASE("each key of the layer sets its value") { check_rows(rows_of_layer()); }
