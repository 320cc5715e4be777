// Every key of a drive file has an effect: a change of it changes the result of a mixed workload, or the key is in the list
// of those without effect. The reader reports which keys it allows, so a new key without a test entry fails here.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "sim/core/random.h"
#include "sim/host/stack/host_stack.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/checks/reference/drive_keys.h"

using namespace ftlab;

namespace {

// A change of one key; more assignments where a key requires or excludes others.
struct Move {
  std::string key, design;
  std::vector<std::string> assignments;
};

// Those that do not follow from a design; see moves().
const std::vector<Move>& stated_moves() {
  static const std::vector<Move> moves = {
      {"user_sectors.value", "page", {"user_sectors=13312"}},
      {"geometry.channels", "page", {"geometry.channels=1", "geometry.dies_per_chip=4"}},
      {"geometry.chips_per_channel", "page", {"geometry.chips_per_channel=2"}},
      {"geometry.dies_per_chip", "page", {"geometry.dies_per_chip=4"}},
      {"geometry.planes_per_die", "page", {"geometry.planes_per_die=4"}},
      {"geometry.blocks_per_plane", "page", {"geometry.blocks_per_plane=50"}},
      {"geometry.pages_per_block", "page", {"geometry.pages_per_block=16"}},
      {"geometry.page_bytes", "page", {"geometry.page_bytes=8192"}},
      {"geometry.page_spare_bytes", "page", {"geometry.page_spare_bytes=224"}},
      {"geometry.codeword_bytes", "page", {"geometry.codeword_bytes=512"}},
      {"nand.cell", "bast", {R"(nand={"cell": "slc", "read_ns": 50000, "program_ns": 600000, "erase_ns": 2000000,
                                      "bus_bytes_per_s": 100000000, "bus_command_ns": 500})"}},
      {"nand.scheduling", "page", {"nand.scheduling=yield", "nand.scheduling_most_wait_ns=2000000"}},
      {"nand.scheduling",
       "page",
       {"nand.scheduling=share", "nand.scheduling_share_permille=300", "nand.scheduling_burst_ns=100000"}},
      {"nand.scheduling", "page", {"nand.scheduling=read-first"}},
      {"nand.plane_reads", "read first", {"nand.plane_reads=independent"}},
      {"nand.page_order", "read first", {"nand.page_order=all-bit-line"}},
      {"nand.bus", "read first", {"nand.bus=sdr-40"}},
      {"nand.suspend.step_ns", "read first", {"nand.suspend.step_ns=50000"}},
      {"nand.suspend.most_suspends_per_operation", "read first", {"nand.suspend.most_suspends_per_operation=1"}},
      {"nand.wear.program_faster_permille_per_1000_erases",
       "read first",
       {"nand.wear.program_faster_permille_per_1000_erases=1000"}},
      {"nand.wear.erase_slower_permille_per_1000_erases",
       "read first",
       {"nand.wear.erase_slower_permille_per_1000_erases=8000"}},
      {"nand.wear.until_erases", "read first", {"nand.wear.until_erases=2"}},
      {"endurance.specimen", "read first", {"endurance.specimen=8"}},
      {"nand.bus_bytes_per_s", "page", {"nand.bus_bytes_per_s=99000000"}},
      {"nand.cache_program", "page", {"nand.cache_program=true"}},
      {"nand.cache_read", "page", {"nand.cache_read=true"}},
      {"link.kind", "page", {"link.kind=sata-6"}},
      {"link.kind", "page", {"link.kind=sas-6"}},
      {"link.data_permille", "page", {"link.data_permille=930"}},
      {"controller.write_pages_beside_data", "queued", {"controller.write_pages_beside_data=true"}},
      {"controller.pages_apart", "queued", {"controller.pages_apart=true"}},
      {"controller.look_up_step_ns", "extent", {"controller.look_up_step_ns=10"}},
      {"controller.read_ahead.after_requests", "queued", {"controller.read_ahead.after_requests=1"}},
      {"controller.read_ahead.ram_bytes", "queued", {"controller.read_ahead.ram_bytes=131072"}},
      {"dram.bytes_per_s", "queued", {"dram.bytes_per_s=799000000"}},
      {"dram.reads_bypass", "queued", {"dram.reads_bypass=true"}},
      {"host.cores", "queued", {"host.cores=1"}},
      {"host.delays.per_million",
       "queued",
       {"host.delays=[{\"per_million\": 290000, \"least_ns\": 100, \"most_ns\": 900}]"}},
      {"host.delays.least_ns", "queued", {"host.delays=[{\"per_million\": 300000, \"least_ns\": 200, \"most_ns\": 900}]"}},
      {"host.delays.most_ns", "queued", {"host.delays=[{\"per_million\": 300000, \"least_ns\": 100, \"most_ns\": 800}]"}},
      {"host.delays_together.permille", "queued", {"host.delays_together.permille=600"}},
      {"host.delays_together.wander_over_ms", "queued", {"host.delays_together.wander_over_ms=50"}},
      {"link.queue_depth", "page", {"link.queue_depth=2"}},
      {"link.queue_depth", "queued", {"link.queue_depth=2"}},
      {"link.commands", "queued", {"link.commands=3"}},
      {"host.port.kind", "page", {R"(host={"port": {"kind": "sata-1.5"}})"}},
      {"host.port.generation", "queued", {"host.port.generation=1"}},
      {"host.port.lanes", "queued", {"host.port.lanes=1"}},
      {"host.port.max_payload_bytes", "queued", {"host.port.max_payload_bytes=128"}},
      {"host.port.queue_depth", "queued", {"host.port.queue_depth=2"}},
      {"host.threads.slice_ns", "queued", {"host.threads.slice_ns=1000"}},
      {"host.sleep.after_ns", "queued", {"host.sleep.after_ns=4000"}},
      {"host.file_system.extent_bytes", "apart", {"host.file_system.extent_bytes=20480"}},
      {"link.generation", "queued", {"link.generation=1"}},
      {"link.lanes", "queued", {"link.lanes=1"}},
      {"link.max_payload_bytes", "queued", {"link.max_payload_bytes=128"}},
      {"ftl.frontiers", "page", {"ftl.frontiers=one"}},
      {"ftl.superblock.dies", "page", {"ftl.superblock.dies=2"}},
      {"ftl.superblock.planes", "page", {"ftl.superblock.planes=1"}},
      {"ftl.superblock.parity", "page", {"ftl.superblock.parity=true"}},
      {"ftl.mapping.scheme",
       "page",
       {"ftl.mapping={\"scheme\": \"extent\", \"page_bytes\": 4096, \"ram_bytes\": 4000, "
        "\"entry_bytes\": 8, \"region_pages\": 128, \"start_permille\": 800, "
        "\"pages_per_host_write\": 4}"}},
      {"ftl.mapping.scheme", "bast", {"ftl.mapping.scheme=fast"}},
      {"ftl.mapping.scheme", "bast", {"ftl.mapping.scheme=block"}},
      {"ftl.mapping.page_bytes", "page", {"ftl.mapping.page_bytes=2048"}},
      {"ftl.mapping.ram_bytes", "demand pages", {"ftl.mapping.ram_bytes=9216"}},
      {"ftl.mapping.host_memory_bytes", "host memory", {"ftl.mapping.host_memory_bytes=2048"}},
      {"controller.host_memory_read_ns", "host memory", {"controller.host_memory_read_ns=1600"}},
      {"ftl.mapping.ram_bytes", "demand entries", {"ftl.mapping.ram_bytes=2056"}},
      {"ftl.mapping.ram_bytes", "extent", {"ftl.mapping.ram_bytes=3600"}},
      {"ftl.mapping.cache_unit", "demand pages", {R"(ftl.mapping={"scheme": "demand", "page_bytes": 1024, "ram_bytes": 8192,
          "cache_unit": "entry", "eviction": "clean-first", "clean_window": 2, "entry_bytes": 8, "batch_write_back": true,
          "prefetch_entries": 0})"}},
      {"ftl.mapping.eviction", "demand entries", {"ftl.mapping.eviction=fifo"}},
      {"ftl.mapping.eviction", "demand entries", {"ftl.mapping.eviction=segmented-lru"}},
      {"ftl.mapping.clean_window", "demand pages", {"ftl.mapping.clean_window=4"}},
      {"ftl.mapping.entry_bytes", "demand entries", {"ftl.mapping.entry_bytes=10"}},
      {"ftl.mapping.entry_bytes", "extent", {"ftl.mapping.entry_bytes=9"}},
      {"ftl.mapping.region_pages", "extent", {"ftl.mapping.region_pages=64"}},
      {"ftl.mapping.start_permille", "extent", {"ftl.mapping.start_permille=700"}},
      {"ftl.mapping.stop_permille", "extent", {"ftl.mapping.stop_permille=500"}},
      {"ftl.mapping.fill_holes", "extent", {"ftl.mapping.fill_holes=true"}},
      {"ftl.mapping.log_superblocks", "block", {"ftl.mapping.log_superblocks=3"}},
      {"ftl.mapping.log_superblocks", "bast", {"ftl.mapping.log_superblocks=5"}},
      {"ftl.mapping.log_superblocks", "fast", {"ftl.mapping.log_superblocks=5"}},
      {"ftl.placement.scheme", "page", {"ftl.placement.scheme=invalidation-time", "ftl.gc.start_free_superblocks=5"}},
      {"ftl.placement.scheme",
       "streams",
       {R"(ftl.placement={"scheme": "frequency", "hot_writes": 2, "halve_after_pages": 2000})"}},
      {"ftl.placement.streams", "streams", {"ftl.placement.streams=2"}},
      {"ftl.placement.isolation", "streams", {"ftl.placement.isolation=initial", "ftl.frontiers=host+gc"}},
      {"ftl.placement.reclaim_unit_superblocks", "streams", {"ftl.placement.reclaim_unit_superblocks=2"}},
      {"ftl.placement.reclaim_groups",
       "streams",
       {R"(ftl.placement={"scheme": "streams", "streams": 1, "reclaim_groups": 2})", "ftl.superblock.dies=1"}},
      {"ftl.placement.halve_after_pages", "frequency", {"ftl.placement.halve_after_pages=1500"}},
      {"ftl.placement.pools.logical_pages", "pools", {R"(ftl.placement.pools=[{"logical_pages": 440, "superblocks": 16},
                                                                             {"logical_pages": 1352, "superblocks": 32}])"}},
      {"ftl.placement.pools.superblocks", "pools", {R"(ftl.placement.pools=[{"logical_pages": 400, "superblocks": 17},
                                                                           {"logical_pages": 1392, "superblocks": 31}])"}},
      {"ftl.gc.policy", "page", {"ftl.gc.policy=fifo"}},
      {"ftl.gc.policy", "page", {"ftl.gc.policy=random"}},
      {"ftl.gc.policy", "pools", {"ftl.gc.policy=cost-benefit-kawaguchi"}},
      {"ftl.gc.window_superblocks", "frequency", {"ftl.gc.window_superblocks=4"}},
      {"ftl.gc.ties", "page", {"ftl.gc.ties=fifo"}},
      {"ftl.gc.ties", "page", {"ftl.gc.ties=random"}},
      {"ftl.gc.start_free_superblocks", "page", {"ftl.gc.start_free_superblocks=2"}},
      {"ftl.gc.order", "page", {"ftl.gc.order=random"}},
      {"ftl.gc.pace", "page", {"ftl.gc.pace=even"}},
      {"ftl.gc.copyback", "page", {"ftl.gc.copyback=true"}},
      {"ftl.gc.idle.after_ns", "page", {"ftl.gc.idle.after_ns=59000000"}},
      {"ftl.gc.idle.stop_free_superblocks", "page", {"ftl.gc.idle.stop_free_superblocks=8"}},
      {"ftl.wear.free_list", "page", {"ftl.wear.free_list=least-worn"}},
      {"ftl.wear.check_every_erases", "page", {"ftl.wear.check_every_erases=9"}},
      {"ftl.trim.mode", "page", {"ftl.trim.mode=off"}},
      {"ftl.trim.mode", "page", {"ftl.trim.mode=deferred", "ftl.trim.pages_per_host_write=2", "ftl.trim.read_before=zeros"}},
      {"ftl.trim.granularity_bytes", "page", {"ftl.trim.granularity_bytes=8192"}},
      {"ftl.trim.queued", "page", {"ftl.trim.queued=false"}},
      {"ftl.trim.record_bytes", "page", {"ftl.trim.record_bytes=512"}},
      {"ftl.trim.waiting_ranges", "streams", {"ftl.trim.waiting_ranges=1"}},
      {"ftl.trim.read_before", "streams", {"ftl.trim.read_before=zeros"}},
      {"ftl.write_buffer.bytes", "page", {"ftl.write_buffer.bytes=69632"}},
      {"ftl.write_buffer.coalesce",
       "page",
       {R"(ftl.write_buffer={"bytes": 65536, "coalesce": true, "coalescing_pages": 4})"}},
      {"ftl.write_buffer.power_loss_protected", "page", {"ftl.write_buffer.power_loss_protected=true"}},
      {"ftl.write_buffer.write_back", "page", {"ftl.write_buffer.write_back=false"}},
      {"ftl.slc_cache.when_full", "slc", {"ftl.slc_cache.when_full=fold"}},
      {"ftl.compression.slot_bytes", "packed", {"ftl.compression.slot_bytes=1024"}},
      {"ftl.compression.header_bytes", "packed", {"ftl.compression.header_bytes=300"}},
      {"ftl.compression.efficiency_permille", "packed", {"ftl.compression.efficiency_permille=400"}},
      {"ftl.deduplication.ram_bytes", "sharing", {"ftl.deduplication.ram_bytes=1600"}},
      {"ftl.deduplication.entry_bytes", "sharing", {"ftl.deduplication.entry_bytes=50"}},
      {"ftl.pslc_mode.fold", "half full", {"ftl.pslc_mode.until_mapped_permille=500", "ftl.pslc_mode.fold=at-once"}},
      {"ftl.pslc_mode.free_space_permille", "half full", {"ftl.pslc_mode.free_space_permille=200"}},
      {"ftl.pslc_mode.fold_ns", "half full", {"ftl.pslc_mode.fold_ns=100000"}},
      {"ftl.pslc_mode.until_mapped_permille", "half full", {"ftl.pslc_mode.until_mapped_permille=500"}},
      {"endurance.limit_spread_permille", "mortal", {"endurance.limit_spread_permille=0"}},
      {"endurance.factory_bad_per_million", "mortal", {"endurance.factory_bad_per_million=30000"}},
      {"endurance.program_failures_per_billion", "mortal", {"endurance.program_failures_per_billion=400000"}},
      {"endurance.erase_failures_per_billion", "mortal", {"endurance.erase_failures_per_billion=8000000"}},
      {"endurance.specimen", "mortal", {"endurance.specimen=4"}},
      {"endurance.worn_cycles", "mortal", {"endurance.worn_cycles=1"}},
      {"endurance.life_curve.credit_permille", "life curve", {"endurance.life_curve.credit_permille=2"}},
      {"endurance.life_curve.powered_days", "life curve", {"endurance.life_curve.powered_days=1"}},
      {"cells.fresh_errors_per_pbit", "cells", {"cells.fresh_errors_per_pbit=400000000000"}},
      {"cells.wear_cycles", "cells", {"cells.wear_cycles=12"}},
      {"cells.fresh_wear_exponent_permille", "cells", {"cells.fresh_wear_exponent_permille=900"}},
      {"cells.retention_errors_per_pbit", "cells", {"cells.retention_errors_per_pbit=120000000000000"}},
      {"cells.retention_wear_exponent_permille", "cells", {"cells.retention_wear_exponent_permille=900"}},
      {"cells.retention_time_exponent_permille", "cells", {"cells.retention_time_exponent_permille=500"}},
      {"cells.disturb_errors_per_pbit", "cells", {"cells.disturb_errors_per_pbit=20000000000"}},
      {"cells.disturb_wear_exponent_permille", "cells", {"cells.disturb_wear_exponent_permille=1500"}},
      {"cells.page_kinds.errors_permille", "cells", {R"(cells.page_kinds=[{"errors_permille": 900},
                                                                        {"errors_permille": 1200}])"}},
      {"cells.slc_errors_permille", "cells of two kinds", {"cells.slc_errors_permille=3000"}},
      {"cells.worn_cycles", "cells", {"cells.worn_cycles=7"}},
      {"cells.correctable_bits", "cells", {"cells.correctable_bits=19"}},
      {"cells.retry.errors_permille", "cells", {R"(cells.retry=[
         {"errors_permille": 700, "correctable_bits": 21, "array_reads": 1, "overhead_ns": 1000},
         {"errors_permille": 0, "array_reads": 2, "overhead_ns": 3000}])"}},
      {"cells.retry.correctable_bits", "cells", {R"(cells.retry=[
         {"errors_permille": 600, "correctable_bits": 25, "array_reads": 1, "overhead_ns": 1000},
         {"errors_permille": 0, "array_reads": 2, "overhead_ns": 3000}])"}},
      {"cells.retry.array_reads", "cells", {R"(cells.retry=[
         {"errors_permille": 600, "correctable_bits": 21, "array_reads": 2, "overhead_ns": 1000},
         {"errors_permille": 0, "array_reads": 2, "overhead_ns": 3000}])"}},
      {"cells.retry.overhead_ns", "cells", {R"(cells.retry=[
         {"errors_permille": 600, "correctable_bits": 21, "array_reads": 1, "overhead_ns": 1001},
         {"errors_permille": 0, "array_reads": 2, "overhead_ns": 3000}])"}},
      {"ftl.refresh.errors_per_pbit", "cells", {"ftl.refresh.errors_per_pbit=900000000000"}},
      {"ftl.refresh.retry_steps", "cells", {"ftl.refresh.retry_steps=1"}},
  };
  return moves;
}

// True if the key has no effect in this design: unused properties of the flash; and, with GC only at the reserve, watermarks
// and the choice among free superblocks.
bool idle_in(const Node& document, const std::string& key) {
  const Node& ftl = *document.find("ftl");
  if (key == "nand.program_slc_ns" || key == "nand.read_slc_ns" || key == "power.program_slc_nj" ||
      key == "cells.slc_errors_permille") {
    return ftl.find("slc_cache") == nullptr && ftl.find("pslc_mode") == nullptr;
  }
  if (key == "nand.plane_reads") return ftl.find("compression") != nullptr;  // whole stripes are read, on all planes
  const Node* const gc = ftl.find("gc");
  if (gc == nullptr || gc->find("pages_per_host_write")->magnitude > 0) return false;
  return key == "ftl.gc.start_free_superblocks" || key == "ftl.gc.stop_free_superblocks" || key == "ftl.wear.free_list";
}

struct Idle {
  const char* key;
  const char* assignment;
  const char* reason;
};
constexpr const char* kElevator =
    R"(host={"elevator": {"batch": 8, "requests": 64, "read_expire_ms": 100, "write_expire_ms": 1000}})";
constexpr Idle kIdle[] = {
    {"host.elevator.batch", kElevator, "in front of disks; an SSD takes requests in order"},
    {"host.elevator.requests", kElevator, "see host.elevator.batch"},
    {"host.elevator.read_expire_ms", kElevator, "see host.elevator.batch"},
    {"host.elevator.write_expire_ms", kElevator, "see host.elevator.batch"},
    {"endurance.warranty_days", "endurance.warranty_days=100", "over which the report states drive writes per day"},
    {"kind", "kind=ssd", "what is described; absent means the same"},
    {"host.kind", "host.kind=host", "what is described, as in a host file"},
    {"host.name", "host.name=another", "said in results only"},
    {"host.about", "host.about=something", "a note for readers"},
    {"name", "name=another", "said in reports only"},
    {"smart", "smart=intel", "the vendor's attribute table that reports the drive's health"},
    {"about", "about=something", "a note for readers"},
    {"user_sectors.from", "user_sectors.from=datasheet", "where a number comes from, for reports and readers"},
    {"user_sectors.source", "user_sectors.source=another", "where a number comes from, for reports and readers"},
};

// Changes each number of the object by one, and each boolean, unless a move changes that key already.
void add_moves(const Node& document, const Node& object, const std::string& path, const std::string& design,
               std::vector<Move>& moves) {
  for (const auto& [name, value] : object.members) {
    const std::string key = path + name;
    add_moves(document, value, key + ".", design, moves);
    const auto same = [&key](const auto& one) { return one.key == key; };
    if (std::any_of(moves.begin(), moves.end(), same) || std::any_of(std::begin(kIdle), std::end(kIdle), same)) continue;
    if (idle_in(document, key)) continue;
    if (value.kind == Node::Kind::integer) moves.push_back({key, design, {key + "=" + std::to_string(value.magnitude + 1)}});
    if (value.kind == Node::Kind::boolean) moves.push_back({key, design, {key + (value.boolean ? "=false" : "=true")}});
  }
}

const std::vector<Move>& moves() {
  static const std::vector<Move> all = [] {
    std::vector<Move> moves = stated_moves();
    for (const auto& [design, text] : designs()) add_moves(document(design), document(design), "", design, moves);
    return moves;
  }();
  return all;
}

// Changes of a zoned namespace, each with what its report then says.
struct ZonesMove {
  const char* key;
  const char* assignment;
  std::uint64_t expected;
  std::uint64_t (*said)(const ZoneReport& report);
};
const std::vector<ZonesMove>& zones_moves() {
  static const std::vector<ZonesMove> moves = {
      {"ftl.mapping.zone_capacity_bytes", "ftl.mapping.zone_capacity_bytes=262144", 262144,
       [](const ZoneReport& report) { return report.capacity_bytes; }},
      {"ftl.mapping.zone_bytes", "ftl.mapping.zone_bytes=528384", 528384,
       [](const ZoneReport& report) { return report.zone_bytes; }},
      {"ftl.mapping.open_zones", "ftl.mapping.open_zones=1", 1,
       [](const ZoneReport& report) { return std::uint64_t{report.most_open}; }},
      {"ftl.mapping.active_zones", "ftl.mapping.active_zones=8", 8,
       [](const ZoneReport& report) { return std::uint64_t{report.most_active}; }},
  };
  return moves;
}

// Completions seen by the host, and the drive's state and counters.
struct Outcome {
  Signature seen;
  Signature state;
  Counters counters;
  bool operator==(const Outcome& other) const {
    return seen.value() == other.seen.value() && state.value() == other.state.value() &&
           std::memcmp(&counters, &other.counters, sizeof counters) == 0;
  }
};

// Requests of all kinds, up to nine in flight, with pauses. Half of them go to a sixteenth of the pages, some continue where
// the last one ended. A third of the writes have one of a hundred contents.
class Workload {
 public:
  // `device`: the drive or a device in front of it.
  Workload(Drive& drive, Device& device) : drive_(drive), device_(device), random_(7, "keys") {}

  Outcome run() {
    for (std::uint64_t at = 0; at < drive_.config().user_bytes; at += kFill) submit(Op::write, at, kFill, {});
    for (int requests = 0; requests < 3'000; ++requests) {
      submit_drawn();
      const std::uint64_t depth = random_.below(9);
      while (outstanding_ > depth) take();
      if (random_.chance(1, 100)) now_ += Nanoseconds{60'000'000};
    }
    while (outstanding_ > 0) take();
    Outcome outcome{seen_, {}, drive_.counters()};
    sign(drive_, outcome.state);
    return outcome;
  }

 private:
  static constexpr std::uint64_t kFill = 32'768;

  void submit_drawn() {
    const std::uint64_t kind = random_.below(100);
    if (kind < 3) return submit(Op::flush, 0, 0, {});
    const std::uint64_t all = drive_.config().user_bytes / kSectorBytes;
    const std::uint64_t length = random_.chance(1, 2) ? 8 : 1 + random_.below(48);
    const std::uint64_t range = random_.chance(1, 2) ? all / 16 : all;
    std::uint64_t first = random_.below(range - length);
    if (random_.chance(2, 3)) first = first / 8 * 8;
    if (random_.chance(1, 5) && next_ + length < all) first = next_;
    next_ = first + length;
    const Op op = kind < 30 ? Op::read : kind < 38 ? Op::trim : Op::write;
    submit(op, first * kSectorBytes, length * kSectorBytes, {static_cast<std::uint8_t>(random_.below(4))});
  }

  void submit(Op op, std::uint64_t offset, std::uint64_t length, WriteHints hints) {
    Request request{tag_++, op, offset, length, now_, hints.stream};
    request.content = {request.tag % 3 == 0 ? 1 + request.tag % 100 : 0, request.tag % 1001};
    request.fua = op == Op::write && request.tag % 40 == 0;
    request.queue = static_cast<std::uint16_t>(tag_ % 3);
    device_.submit({&request, 1});
    ++outstanding_;
  }

  void take() {
    Completion done[1];
    if (device_.wait(kNever, done) != 1 || done[0].status != Status::ok) FAIL("a request came to nothing");
    --outstanding_;
    now_ = std::max(now_, done[0].completed);
    seen_.add(done[0].tag);
    seen_.add(done[0].completed.count());
    for (const Nanoseconds part : done[0].parts) seen_.add(part.count());
  }

  Drive& drive_;
  Device& device_;
  RandomStream random_;
  Signature seen_;
  Nanoseconds now_{0};
  std::uint64_t tag_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t outstanding_ = 0;
};

Outcome outcome_of(const Node& document) {
  Drive drive(read_drive(document), Clock::timed);
  HostStack host(drive, drive.config().host, 1);
  return Workload(drive, host.front()).run();
}

Outcome moved(const std::string& design, const std::vector<std::string>& assignments) {
  Node moved = document(design);
  for (const std::string& assignment : assignments) set_by_path(moved, assignment);
  return outcome_of(moved);
}

const Outcome& unmoved(const std::string& design) {
  static std::map<std::string, Outcome> known;
  const auto found = known.find(design);
  return found != known.end() ? found->second : known.emplace(design, outcome_of(document(design))).first->second;
}

bool accepted(const Node& document) {
  try {
    read_drive(document);
  } catch (const ConfigError&) {
    return false;
  }
  return true;
}

// Canonical text: independent of the order of keys.
std::string flat(const Node& node) {
  std::string text = node.shown();
  std::map<std::string, std::string> members;
  for (const Node& item : node.items) text += flat(item) + ";";
  for (const Node::Member& member : node.members) members[member.first] = flat(member.second);
  for (const auto& [key, value] : members) text += key + "=" + value + ";";
  return text;
}

}  // namespace

TEST_CASE("every allowed key of a drive file is tested or listed as having no effect") {
  const DriveKeys keys = drive_keys();
  std::set<std::string> tested;
  for (const Move& move : moves()) tested.insert(move.key);
  for (const Idle& idle : kIdle) tested.insert(idle.key);
  for (const ZonesMove& move : zones_moves()) tested.insert(move.key);
  for (const std::string& key : keys.allowed) {
    INFO("key " << key);
    CHECK(tested.count(key) + keys.objects.count(key) > 0);
  }
  for (const std::string& key : tested) {
    INFO("key " << key);
    CHECK(keys.allowed.count(key) == 1);
  }
}

TEST_CASE("each key of a zoned namespace changes what its report says") {
  for (const ZonesMove& move : zones_moves()) {
    INFO(move.assignment);
    Node changed = document("zoned");
    const auto report_of = [](const Device& drive) { return drive.zones(); };
    const ZoneReport before = report_of(Drive(read_drive(changed), Clock::untimed));
    set_by_path(changed, move.assignment);
    const ZoneReport report = report_of(Drive(read_drive(changed), Clock::untimed));
    CHECK(move.said(report) == move.expected);
    CHECK(move.said(before) != move.expected);
    CHECK(report.capacity_bytes * report.zones.size() == 14336 * kSectorBytes);
  }
}

TEST_CASE("a change of every key changes a result in its design") {
  for (const Move& move : moves()) {
    std::string all;
    for (const std::string& assignment : move.assignments) all += " " + assignment;
    INFO("design " << move.design << ", key " << move.key << ":" << all);
    CHECK_FALSE(moved(move.design, move.assignments) == unmoved(move.design));
  }
}

namespace {

// Tries one in `every` pairs of a design and a change of a key. Returns the number of those that the design accepts.
int check_pairs(int every) {
  int runs = 0, pairs = 0;
  for (const auto& [design, text] : designs()) {
    for (const Move& move : moves()) {
      if (pairs++ % every > 0) continue;
      // Only the mortal drive has enough spare blocks to outlive the run with wear.
      if (move.key.starts_with("endurance.") != (design == "mortal")) continue;
      Node changed = document(design);
      for (const std::string& assignment : move.assignments) set_by_path(changed, assignment);
      if (!accepted(changed) || flat(changed) == flat(document(design))) continue;
      INFO("design " << design << ", key " << move.key << ": " << move.assignments.front());
      CHECK((outcome_of(changed) == unmoved(design)) == idle_in(changed, move.key));
      ++runs;
    }
  }
  return runs;
}

}  // namespace

TEST_CASE("a key accepted by a design changes its result, or is listed as having no effect there") {
  CHECK(check_pairs(7) > 70);
}

TEST_CASE("every key accepted by a design changes its result, or is listed as having no effect there", "[.][long]") {
  CHECK(check_pairs(1) > 500);
}

TEST_CASE("the keys listed as having no effect have none") {
  for (const Idle& idle : kIdle) {
    INFO("key " << idle.key << ": " << idle.reason);
    CHECK(moved("page", {idle.assignment}) == unmoved("page"));
  }
}

TEST_CASE("keys without effect in a design are refused") {
  const std::vector<std::string> levelling = {"ftl.wear.static_spread_erases=2", "ftl.wear.check_every_erases=3"};
  for (const char* const design : {"block", "bast", "fast", "slc"}) {
    CHECK(refusal(design, levelling).find("ftl.wear.static_spread_erases: ") != std::string::npos);
  }
  CHECK(refusal("pools", {R"(ftl.mapping={"scheme": "extent", "page_bytes": 4096, "ram_bytes": 4000, "entry_bytes": 8,
                             "region_pages": 128, "start_permille": 800, "pages_per_host_write": 4})"})
            .find("ftl.placement.scheme: leaves no pool for extents") != std::string::npos);
}
