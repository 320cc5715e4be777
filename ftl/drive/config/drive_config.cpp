#include "ftl/drive/config/drive_config.h"

#include <string>
#include <utility>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/drive/config/drive_defaults.h"
#include "models/nand/schedule/flash_engine.h"
#include "sim/config/keys.h"

namespace ftlab {
namespace {

// Refuses rates at which every second operation of a superblock fails: nothing would be left to simulate.
void check_rate(const Reader& reader, const char* key, std::uint64_t per_billion, std::uint32_t at_once, const char* what) {
  constexpr std::uint64_t kMost = 500'000'000;
  if (per_billion * at_once <= kMost) return;
  reader.refuse(key,
                "every second " + std::string(what) + " would fail: " + std::to_string(at_once) + " blocks at once * " +
                    std::to_string(per_billion) + " in 10^9",
                "at most " + std::to_string(kMost / at_once));
}

std::optional<PowerConfig> read_power_of(Reader reader, const DriveConfig& drive) {
  const PowerConfig power = read_power(reader, drive.nand.program.size());
  if (drive.ftl.slc.superblocks > 0 && !power.program_slc_pj) {
    reader.refuse("program_slc_nj",
                  "is missing, though ftl.slc_cache is there: its pages are programmed with one bit a cell");
  }
  return power;
}

std::string read_smart_table(Reader& reader) {
  static const std::initializer_list<const char*> tables = {"generic", "intel", "sandforce", "samsung", "micron"};
  return tables.begin()[reader.choice_or("smart", tables, 0)];
}

// Factory-bad blocks follow from the specimen. The blocks that remain must be enough for the design.
void check_endurance(const Reader& reader, const DriveConfig& drive) {
  if (drive.ftl.mapping.hybrid()) {
    reader.refuse("endurance",
                  "and a map of blocks or zones do not go together: it keeps pages at fixed slots, which a failed "
                  "program would move",
                  "with ftl.mapping.scheme page, demand, extent");
  }
  const SuperblockShape shape = drive.ftl.superblock;
  check_rate(reader, "endurance.program_failures_per_billion", drive.endurance.program_failures_per_billion, shape.planes,
             "multi-plane program");
  check_rate(reader, "endurance.erase_failures_per_billion", drive.endurance.erase_failures_per_billion,
             shape.dies * shape.planes, "erase of a superblock");
  const BadBlockTable health(drive.endurance, drive.geometry, shape);
  const Layout layout(drive.geometry, shape, drive.ftl.slot_bytes());
  const std::uint64_t needed = superblocks_needed(drive.ftl, layout, drive.logical_pages());
  if (health.defects().usable() >= needed) return;
  reader.refuse("endurance.factory_bad_per_million",
                "leaves too little: specimen " + std::to_string(drive.endurance.specimen) + " has " +
                    std::to_string(health.defects().factory_bad()) + " bad blocks of " +
                    std::to_string(health.defects().block_count()) + ", which leave " +
                    std::to_string(health.defects().usable()) + " of " + std::to_string(layout.superblocks()) +
                    " superblocks; the design needs " + std::to_string(needed),
                "fewer bad blocks, or fewer user_sectors");
}

void check_controller(const Reader& reader, const DriveConfig& drive) {
  const bool extents = drive.ftl.mapping.scheme == MappingConfig::Scheme::extent;
  const ControllerConfig& controller = drive.controller;
  if (extents && controller.look_up_page > Nanoseconds{0})
    reader.refuse("controller.look_up_page_ns", "is not what an extent map costs", "look_up_step_ns");
  if (!extents && controller.look_up_step > Nanoseconds{0})
    reader.refuse("controller.look_up_step_ns", "is only for ftl.mapping.scheme extent", "look_up_page_ns");
  if (drive.ftl.mapping.host_memory_bytes > 0 && drive.link.line.family() != LinkLine::Family::nvme)
    reader.refuse("ftl.mapping.host_memory_bytes", "is memory that a host lends to NVMe drives alone",
                  "with link.kind nvme");
  if (controller.host_memory_read > Nanoseconds{0} && drive.ftl.mapping.host_memory_bytes == 0)
    reader.refuse("controller.host_memory_read_ns", "reads a memory that is not there",
                  "with ftl.mapping.host_memory_bytes");
  const ReadAheadConfig& ahead = controller.read_ahead;
  const std::uint64_t least = std::uint64_t{ahead.streams} * 2 * drive.ftl.mapping_bytes;
  if (ahead.ram_bytes < least) {
    reader.refuse("controller.read_ahead.ram_bytes", "must hold two mapping pages for each stream",
                  "at least " + std::to_string(least));
  }
}

// Refuses features that exclude bit errors, and those that need them.
void check_cells(Reader& reader, const DriveConfig& drive) {
  if (!drive.cells.err()) {
    if (drive.ftl.refresh.on()) reader.refuse("ftl.refresh", "has no effect without the object cells");
    return;
  }
  if (drive.ftl.mapping.hybrid()) {
    reader.refuse("cells", "and a map of blocks or zones do not go together: it knows no pages that are lost",
                  "with ftl.mapping.scheme page, demand, extent");
  }
  if (drive.ftl.gc.copyback) {
    reader.refuse("ftl.gc.copyback",
                  "moves pages past the correction: their errors would add up from copy to copy, which "
                  "is not modelled",
                  "false, where there are cells");
  }
  const bool slc = drive.ftl.slc.superblocks > 0 || drive.ftl.pslc_mode.on();
  if (slc && drive.cells.slc_permille == 0) {
    const std::string where = drive.ftl.pslc_mode.on() ? "a pslc_mode" : "an slc_cache";
    reader.refuse("cells", "has no slc_errors_permille, and there is " + where, "with slc_errors_permille");
  }
  if (drive.cells.worn_cycles > 0 && (drive.endurance.program_erase_limit > 0 || drive.endurance.worn_cycles > 0)) {
    reader.refuse("cells.worn_cycles",
                  "is of the cells alone, and does not go together with endurance.program_erase_limit and .worn_cycles",
                  "only 0; endurance.worn_cycles is of the limit, the cells and the times that change with wear");
  }
}

// Flash, link and controller.
void read_hardware(Reader& reader, DriveConfig& drive) {
  read_part(reader, {"geometry"}, [&] { drive.geometry = read_geometry(reader.object("geometry")); });
  if (!has_no_problem(reader, {"geometry"})) drive.geometry.channels = 0;  // marks the geometry as invalid
  read_part(reader, {"nand"}, [&] { drive.nand = read_nand_timing(reader.object("nand")); });
  if (!has_no_problem(reader, {"nand"})) drive.nand.program.clear();
  const std::uint32_t planes = drive.geometry.planes_per_die;
  read_part(reader, {"nand", "geometry"}, [&] {
    if (drive.nand.independent_plane_reads && (planes < 2 || planes > FlashEngine::kMostPlanes)) {
      reader.refuse("nand.plane_reads", "is independent for planes_per_die " + std::to_string(planes),
                    "2 to " + std::to_string(FlashEngine::kMostPlanes) + " planes");
    }
  });
  read_part(reader, {"link"}, [&] { drive.link = read_link(reader.object("link")); });
  read_part(reader, {"controller"}, [&] { drive.controller = read_controller(reader.object("controller")); });
}

void read_user_space(Reader& reader, DriveConfig& drive) {
  std::uint64_t sectors = 0;
  read_sourced(reader, "user_sectors", sectors, 1, std::uint64_t{1} << 40, "capacity in sectors of 512 bytes");
  drive.user_bytes = has_no_problem(reader, {"user_sectors"}) ? sectors * kSectorBytes : 0;
  if (!has_no_problem(reader, {"geometry"})) return;
  const std::uint64_t physical = drive.geometry.bytes();
  read_part(reader, {"user_sectors"}, [&] {
    if (drive.user_bytes <= physical) return;
    reader.refuse("user_sectors",
                  std::to_string(drive.user_bytes) + " bytes of user space do not fit into " + std::to_string(physical) +
                      " bytes of flash",
                  "at most " + std::to_string(physical / kSectorBytes) + " sectors, less the spare space");
  });
}

// Wear and bit errors of the flash.
void read_flash_life(Reader& reader, DriveConfig& drive) {
  read_part(reader, {"endurance"}, [&] {
    if (auto endurance = reader.object_if_present("endurance")) drive.endurance = read_endurance(std::move(*endurance));
  });
  read_part(reader, {"cells", "nand", "geometry"}, [&] {
    auto cells = reader.object_if_present("cells");
    if (cells && has_no_problem(reader, {"nand", "geometry"}))
      drive.cells = read_cells(std::move(*cells), drive.nand.program.size(), codeword_bits(drive.geometry));
  });
}

void read_put_into_host(Reader& reader, DriveConfig& drive) {
  auto object = reader.object_if_present("host");
  if (!object) return;
  const HostConfig host = read_host(std::move(*object));
  if (!has_no_problem(reader, {"host", "link"})) return;
  const std::string problem = port_problem(drive.link, host.port);
  if (!problem.empty()) reader.refuse("host.port.kind", problem, "a port that the drive fits into");
  drive.link = behind_port(drive.link, host.port);
  drive.host = host.software;
  if (drive.host.file_system.on() && drive.ftl.mapping.zones.count > 0)
    reader.refuse("host.file_system", "lays files out for a conventional drive, and the drive is zoned",
                  "a host without file_system");
}

DriveConfig read_whole(const Node& document, KeyLog* keys) {
  Problems problems(keys);
  Reader reader(document, {}, &problems);
  DriveConfig drive;
  reader.choice_or("kind", {"ssd"}, 0);
  drive.name = reader.text("name");
  reader.text_or("about", "");
  read_hardware(reader, drive);
  read_user_space(reader, drive);
  read_flash_life(reader, drive);
  read_part(reader, {"ftl", "geometry", "nand", "user_sectors", "endurance"}, [&] {
    drive.ftl = read_ftl(reader.object("ftl"), drive.geometry, drive.nand, drive.user_bytes, drive.endurance.ends());
  });
  if (const ZonesConfig& zones = drive.ftl.mapping.zones; zones.count > 0) drive.user_bytes = zones.count * zones.zone_bytes;
  read_part(reader, {"power", "nand", "ftl"}, [&] {
    auto power = reader.object_if_present("power");
    if (power && has_no_problem(reader, {"nand"})) drive.power = read_power_of(std::move(*power), drive);
  });
  drive.smart = read_smart_table(reader);
  read_part(reader, {"dram"}, [&] {
    if (auto dram = reader.object_if_present("dram")) drive.dram = read_dram(std::move(*dram));
  });
  read_part(reader, {"host", "link"}, [&] { read_put_into_host(reader, drive); });
  read_part(reader, {""}, [&] {
    if (!has_no_problem(reader, {""})) return;
    if (drive.endurance.ends()) check_endurance(reader, drive);
    check_controller(reader, drive);
    check_cells(reader, drive);
  });
  reader.finish();
  problems.refuse_if_any();
  return drive;
}

}  // namespace

DriveConfig read_drive(const Node& document, KeyLog* keys) {
  return missing_defaults(document).empty() ? read_whole(document, keys) : read_whole(with_defaults(document), keys);
}

}  // namespace ftlab
