#include "validation/soak/plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/policies/gc_policy.h"
#include "sim/config/file.h"
#include "sim/config/reader.h"
#include "validation/checks/reference/drawn_designs.h"

namespace ftlab::soak {
namespace {

using testing::Breadth;
using testing::Draw;
using testing::Mapping;
using testing::Placing;
using testing::Special;

constexpr std::uint64_t kMostNumber = (std::uint64_t{1} << 63) - 1;  // for JSON readers with signed 64-bit integers

template <class T>
std::uint64_t as_number(const T& value) {
  if constexpr (std::is_same_v<T, Nanoseconds>) {
    return value.count();
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

template <class T>
constexpr std::uint64_t most_of() {
  if constexpr (std::is_same_v<T, Mapping>) return static_cast<std::uint64_t>(Mapping::fast);
  if constexpr (std::is_same_v<T, Placing>) return static_cast<std::uint64_t>(Placing::pools);
  if constexpr (std::is_same_v<T, PageOrder>) return 2;
  if constexpr (std::is_same_v<T, TrimConfig::Mode>) return static_cast<std::uint64_t>(TrimConfig::Mode::off);
  if constexpr (std::is_same_v<T, Bins::Keeping> || std::is_same_v<T, MapCacheConfig::Eviction>) return 3;
  if constexpr (std::is_integral_v<T>) return std::min<std::uint64_t>(std::numeric_limits<T>::max(), kMostNumber);
  return kMostNumber;
}

// A plan field for the number at the end of a path of members.
template <auto... kPath>
PlanField field(const char* name, std::optional<std::uint64_t> off = {}) {
  using T = std::remove_cvref_t<decltype((std::declval<RunPlan&>().*....*kPath))>;
  return {name, [](const RunPlan& plan) { return as_number((plan.*....*kPath)); },
          [](RunPlan& plan, std::uint64_t value) { (plan.*....*kPath) = static_cast<T>(value); }, off, most_of<T>()};
}

#define DRIVE &RunPlan::drive
#define FTL &RunPlan::drive, &DriveConfig::ftl
#define GEOMETRY &RunPlan::drive, &DriveConfig::geometry
#define NAND &RunPlan::drive, &DriveConfig::nand
#define ENDURANCE &RunPlan::drive, &DriveConfig::endurance
#define READS &RunPlan::drive, &DriveConfig::cells, &CellsConfig::planned_reads
#define HOST &RunPlan::host

std::vector<PlanField> shape_fields() {
  return {
      field<GEOMETRY, &Geometry::channels>("geometry.channels", 1),
      field<GEOMETRY, &Geometry::chips_per_channel>("geometry.chips_per_channel", 1),
      field<GEOMETRY, &Geometry::dies_per_chip>("geometry.dies_per_chip", 1),
      field<GEOMETRY, &Geometry::planes_per_die>("geometry.planes_per_die", 1),
      field<GEOMETRY, &Geometry::blocks_per_plane>("geometry.blocks_per_plane"),
      field<GEOMETRY, &Geometry::pages_per_block>("geometry.pages_per_block", 4),
      field<GEOMETRY, &Geometry::page_bytes>("geometry.page_bytes", 4096),
      field<GEOMETRY, &Geometry::codeword_bytes>("geometry.codeword_bytes"),
      field<DRIVE, &DriveConfig::user_bytes>("user_bytes"),
      field<FTL, &FtlConfig::superblock, &SuperblockShape::dies>("superblock.dies", 1),
      field<FTL, &FtlConfig::superblock, &SuperblockShape::planes>("superblock.planes", 1),
      field<FTL, &FtlConfig::superblock, &SuperblockShape::parity>("superblock.parity", 0),
      field<FTL, &FtlConfig::mapping_bytes>("mapping_bytes", 4096),
  };
}

std::vector<PlanField> timing_fields() {
  return {
      field<NAND, &NandTiming::page_order>("nand.page_order", 0),
      field<NAND, &NandTiming::cache_program>("nand.cache_program", 0),
      field<NAND, &NandTiming::cache_read>("nand.cache_read", 0),
      field<NAND, &NandTiming::program_slc>("nand.program_slc_ns"),
      field<NAND, &NandTiming::scheduling, &SchedulingConfig::policy>("nand.scheduling", 0),
      field<NAND, &NandTiming::independent_plane_reads>("nand.independent_plane_reads", 0),
      field<NAND, &NandTiming::suspension, &Suspension::program>("nand.suspend.program", 0),
      field<NAND, &NandTiming::suspension, &Suspension::erase>("nand.suspend.erase", 0),
      field<NAND, &NandTiming::suspension, &Suspension::suspend>("nand.suspend.suspend_ns", 0),
      field<NAND, &NandTiming::suspension, &Suspension::resume>("nand.suspend.resume_ns", 0),
      field<NAND, &NandTiming::suspension, &Suspension::most_suspends>("nand.suspend.most", 0),
      field<NAND, &NandTiming::suspension, &Suspension::step>("nand.suspend.step_ns", 0),
      field<DRIVE, &DriveConfig::link, &LinkConfig::queue_depth>("link.queue_depth", 0),
      field<DRIVE, &DriveConfig::link, &LinkConfig::full_duplex>("link.full_duplex", 0),
      field<DRIVE, &DriveConfig::link, &LinkConfig::submit>("link.submit_ns", 0),
      field<DRIVE, &DriveConfig::link, &LinkConfig::complete>("link.complete_ns", 0),
      field<DRIVE, &DriveConfig::dram, &DramConfig::bytes_per_s>("dram.bytes_per_s", 0),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::cores>("controller.cores", 1),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::write_page>("controller.write_page_ns", 0),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::read_unmapped_page>("controller.read_unmapped_page_ns", 0),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::write_pages_beside_data>("controller.beside_data", 0),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::read_ahead, &ReadAheadConfig::streams>("ahead.streams", 0),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::read_ahead, &ReadAheadConfig::after_requests>("ahead.after"),
      field<DRIVE, &DriveConfig::controller, &ControllerConfig::read_ahead, &ReadAheadConfig::ram_bytes>("ahead.ram_bytes"),
  };
}

std::vector<PlanField> mapping_fields() {
  return {
      field<FTL, &FtlConfig::mapping, &MappingConfig::scheme>("mapping.scheme", 0),
      field<FTL, &FtlConfig::mapping, &MappingConfig::log_superblocks>("mapping.log_superblocks"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::cache, &MapCacheConfig::whole_pages>("map_cache.whole_pages"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::cache, &MapCacheConfig::eviction>("map_cache.eviction", 0),
      field<FTL, &FtlConfig::mapping, &MappingConfig::cache, &MapCacheConfig::clean_window>("map_cache.clean_window"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::cache, &MapCacheConfig::batch_write_back>("map_cache.batch"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::cache, &MapCacheConfig::prefetch_entries>("map_cache.prefetch", 0),
      field<FTL, &FtlConfig::mapping, &MappingConfig::extents, &ExtentConfig::region_pages>("extents.region_pages"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::extents, &ExtentConfig::start_permille>("extents.start_permille"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::extents, &ExtentConfig::stop_permille>("extents.stop_permille"),
      field<FTL, &FtlConfig::mapping, &MappingConfig::extents, &ExtentConfig::pages_per_host_write>("extents.pace", 0),
      field<FTL, &FtlConfig::mapping, &MappingConfig::extents, &ExtentConfig::fill_holes>("extents.fill_holes", 0),
      field<&RunPlan::smallest_map>("smallest_map", 0),
  };
}

std::vector<PlanField> layer_fields() {
  return {
      field<FTL, &FtlConfig::compression, &CompressionConfig::slot_bytes>("compression.slot_bytes", 0),
      field<FTL, &FtlConfig::compression, &CompressionConfig::header_bytes>("compression.header_bytes", 0),
      field<FTL, &FtlConfig::compression, &CompressionConfig::efficiency_permille>("compression.efficiency", 1000),
      field<FTL, &FtlConfig::deduplication, &DeduplicationConfig::ram_bytes>("deduplication.ram_bytes", 0),
      field<FTL, &FtlConfig::deduplication, &DeduplicationConfig::entry_bytes>("deduplication.entry_bytes"),
      field<FTL, &FtlConfig::deduplication, &DeduplicationConfig::fingerprint>("deduplication.fingerprint_ns", 0),
      field<FTL, &FtlConfig::separate_relocation>("separate_relocation", 0),
      field<FTL, &FtlConfig::placement, &PlacementConfig::scheme>("placement.scheme", 0),
      field<FTL, &FtlConfig::placement, &PlacementConfig::streams>("placement.streams"),
      field<FTL, &FtlConfig::placement, &PlacementConfig::hot_writes>("placement.hot_writes"),
      field<FTL, &FtlConfig::placement, &PlacementConfig::halve_after_pages>("placement.halve_after_pages"),
      field<&RunPlan::pools>("placement.pools", 1),
      field<FTL, &FtlConfig::gc, &GcConfig::start_free>("gc.start_free", 1),
      field<FTL, &FtlConfig::gc, &GcConfig::stop_free>("gc.stop_free", 2),
      field<FTL, &FtlConfig::gc, &GcConfig::pages_per_host_write>("gc.pages_per_host_write", 0),
      field<&RunPlan::gc_d>("gc.d"),
      field<&RunPlan::gc_window>("gc.window", 0),
      field<FTL, &FtlConfig::gc, &GcConfig::ties>("gc.ties"),
      field<FTL, &FtlConfig::gc, &GcConfig::even_pace>("gc.even_pace", 0),
      field<FTL, &FtlConfig::gc, &GcConfig::shuffle>("gc.shuffle", 0),
      field<FTL, &FtlConfig::gc, &GcConfig::copyback>("gc.copyback", 0),
      field<FTL, &FtlConfig::gc, &GcConfig::idle_after>("gc.idle_after_ns", 0),
      field<FTL, &FtlConfig::gc, &GcConfig::idle_stop_free>("gc.idle_stop_free"),
      field<FTL, &FtlConfig::wear, &WearConfig::least_worn_first>("wear.least_worn_first", 0),
      field<FTL, &FtlConfig::wear, &WearConfig::static_spread>("wear.static_spread", 0),
      field<FTL, &FtlConfig::wear, &WearConfig::check_every_erases>("wear.check_every_erases"),
      field<FTL, &FtlConfig::trim, &TrimConfig::mode>("trim.mode", 0),
      field<FTL, &FtlConfig::trim, &TrimConfig::granularity_bytes>("trim.granularity_bytes", 0),
      field<FTL, &FtlConfig::trim, &TrimConfig::pages_per_host_write>("trim.pages_per_host_write"),
      field<FTL, &FtlConfig::trim, &TrimConfig::queued>("trim.queued", 1),
      field<FTL, &FtlConfig::trim, &TrimConfig::reads_old_data>("trim.reads_old_data", 0),
      field<FTL, &FtlConfig::buffer, &BufferConfig::pages>("buffer.pages", 1),
      field<FTL, &FtlConfig::buffer, &BufferConfig::coalescing_pages>("buffer.coalescing_pages", 0),
      field<FTL, &FtlConfig::buffer, &BufferConfig::coalesce>("buffer.coalesce", 0),
      field<FTL, &FtlConfig::buffer, &BufferConfig::power_loss_protected>("buffer.power_loss_protected", 0),
      field<FTL, &FtlConfig::buffer, &BufferConfig::write_back>("buffer.write_back", 1),
      field<FTL, &FtlConfig::slc, &SlcConfig::superblocks>("slc.superblocks", 0),
      field<FTL, &FtlConfig::slc, &SlcConfig::direct_when_full>("slc.direct_when_full"),
      field<FTL, &FtlConfig::pslc_mode, &PslcModeConfig::until_mapped_permille>("pslc_mode.until_mapped_permille", 0),
      field<FTL, &FtlConfig::pslc_mode, &PslcModeConfig::cells_per_bit>("pslc_mode.cells_per_bit", 2),
      field<FTL, &FtlConfig::most_versions>("most_versions", 0xffff'fff0),
  };
}

std::vector<PlanField> fault_fields() {
  return {
      field<ENDURANCE, &EnduranceConfig::program_erase_limit>("endurance.program_erase_limit", 0),
      field<ENDURANCE, &EnduranceConfig::limit_spread_permille>("endurance.limit_spread_permille", 0),
      field<ENDURANCE, &EnduranceConfig::factory_bad_per_million>("endurance.factory_bad_per_million", 0),
      field<ENDURANCE, &EnduranceConfig::program_failures_per_billion>("endurance.program_failures_per_billion", 0),
      field<ENDURANCE, &EnduranceConfig::erase_failures_per_billion>("endurance.erase_failures_per_billion", 0),
      field<ENDURANCE, &EnduranceConfig::specimen>("endurance.specimen"),
      field<ENDURANCE, &EnduranceConfig::failing_program>("endurance.failing_program", 0),
      field<ENDURANCE, &EnduranceConfig::failing_erase>("endurance.failing_erase", 0),
      field<ENDURANCE, &EnduranceConfig::planned_programs, &PlannedFailures::first>("planned_programs.first", 0),
      field<ENDURANCE, &EnduranceConfig::planned_programs, &PlannedFailures::last>("planned_programs.last"),
      field<ENDURANCE, &EnduranceConfig::planned_programs, &PlannedFailures::again_first>("planned_programs.again_first", 0),
      field<ENDURANCE, &EnduranceConfig::planned_programs, &PlannedFailures::again_last>("planned_programs.again_last"),
      field<ENDURANCE, &EnduranceConfig::planned_erases, &PlannedFailures::first>("planned_erases.first", 0),
      field<ENDURANCE, &EnduranceConfig::planned_erases, &PlannedFailures::last>("planned_erases.last"),
      field<ENDURANCE, &EnduranceConfig::planned_erases, &PlannedFailures::again_first>("planned_erases.again_first", 0),
      field<ENDURANCE, &EnduranceConfig::planned_erases, &PlannedFailures::again_last>("planned_erases.again_last"),
      field<READS, &PlannedFailures::first>("planned_reads.first", 0),
      field<READS, &PlannedFailures::last>("planned_reads.last"),
      field<READS, &PlannedFailures::again_first>("planned_reads.again_first", 0),
      field<READS, &PlannedFailures::again_last>("planned_reads.again_last"),
      field<&RunPlan::errs>("errs", 0),
      field<FTL, &FtlConfig::refresh, &RefreshConfig::errors_per_pbit>("refresh.errors_per_pbit"),
      field<FTL, &FtlConfig::refresh, &RefreshConfig::retry_steps>("refresh.retry_steps"),
      field<FTL, &FtlConfig::refresh, &RefreshConfig::scan_every>("refresh.scan_every_ns", 0),
      field<FTL, &FtlConfig::refresh, &RefreshConfig::pages_per_request>("refresh.pages_per_request"),
  };
}

std::vector<PlanField> host_fields() {
  return {
      field<&RunPlan::timed>("timed", 0),
      field<&RunPlan::seed>("seed"),
      field<&RunPlan::fill_first>("fill_first", 0),
      field<&RunPlan::operations>("operations"),
      field<&RunPlan::calm>("calm", 0),
      field<&RunPlan::trim_all>("trim_all", 0),
      field<&RunPlan::inspect_every>("inspect_every"),
      field<&RunPlan::cut_every>("cut_every", 0),
      field<HOST, &HostPlan::read>("host.read", 0),
      field<HOST, &HostPlan::write>("host.write"),
      field<HOST, &HostPlan::trim>("host.trim", 0),
      field<HOST, &HostPlan::flush>("host.flush", 0),
      field<HOST, &HostPlan::longest_sectors>("host.longest_sectors", 8),
      field<HOST, &HostPlan::aligned_percent>("host.aligned_percent", 100),
      field<HOST, &HostPlan::sequential_percent>("host.sequential_percent", 0),
      field<HOST, &HostPlan::hot_percent>("host.hot_percent", 0),
      field<HOST, &HostPlan::hot_part>("host.hot_part"),
      field<HOST, &HostPlan::fua_percent>("host.fua_percent", 0),
      field<HOST, &HostPlan::streams>("host.streams", 1),
      field<HOST, &HostPlan::contents>("host.contents", 0),
      field<HOST, &HostPlan::stored_permille>("host.stored_permille", 1000),
      field<HOST, &HostPlan::batch>("host.batch", 1),
      field<HOST, &HostPlan::depth>("host.depth", 1),
      field<HOST, &HostPlan::rest_every>("host.rest_every", 0),
      field<HOST, &HostPlan::rest_ns>("host.rest_ns"),
  };
}

#undef DRIVE
#undef FTL
#undef GEOMETRY
#undef NAND
#undef ENDURANCE
#undef READS
#undef HOST

// Draws settings that the design tests leave at their defaults.
void adorn(RunPlan& plan, Draw draw) {
  DriveConfig& drive = plan.drive;
  drive.link.queue_depth = draw.coin() ? 0 : draw.of({1, 4, 32});
  drive.link.full_duplex = draw.coin();
  if (draw.coin()) drive.link.submit = drive.link.complete = Nanoseconds{700};
  if (draw.coin()) drive.dram.bytes_per_s = 800'000'000;
  drive.controller.cores = draw.of({1, 1, 2});
  if (draw.coin()) drive.controller.write_page = Nanoseconds{400};
  if (draw.coin()) drive.controller.read_unmapped_page = Nanoseconds{100};
  drive.controller.write_pages_beside_data = draw.coin();
  drive.nand.scheduling.policy = draw.of({0, 0, 1, 2, 3});
  drive.nand.independent_plane_reads = draw.coin();
  if (draw.coin()) drive.nand.suspension = {true, draw.coin(), Nanoseconds{15'000}, Nanoseconds{5'000}, 2};
  drive.ftl.trim.granularity_bytes = draw.coin() ? 0 : std::uint64_t{drive.ftl.mapping_bytes} * draw.of({1, 2, 4});
  drive.ftl.trim.reads_old_data = draw.coin();
  drive.ftl.buffer.write_back = !draw.random.chance(1, 8);
  if (drive.ftl.trim.mode == TrimConfig::Mode::deferred)
    drive.ftl.buffer.coalescing_pages = draw.coin() ? 0 : draw.of({1, 8, 50});
  if (draw.random.chance(1, 8)) drive.ftl.most_versions = 1;  // refit() raises it to the minimum
  drive.ftl.gc.start_free += draw.coin() ? 0 : draw.of({1, 3, 10});
  drive.ftl.gc.stop_free += draw.coin() ? 0 : draw.of({4, 14});
  plan.pools = draw.of({1, 2, 3});
  if (const auto& values = drive.ftl.gc.values; !values.empty()) {
    const bool windowed = gc_policy_kinds()[drive.ftl.gc.policy].windowed;
    (windowed ? plan.gc_window : plan.gc_d) = static_cast<std::uint32_t>(values[0]);
  }
}

void draw_faults(RunPlan& plan, Draw draw) {
  if (plan.drive.ftl.mapping.hybrid()) return;
  plan.errs = draw.random.chance(1, 5);
  if (plan.errs) testing::make_err(plan.drive, draw.random);
  if (!draw.random.chance(2, 5)) return;
  EnduranceConfig& endurance = plan.drive.endurance;
  endurance.program_erase_limit = draw.coin() ? 0 : draw.of({10, 50, 1'000});
  endurance.limit_spread_permille = endurance.program_erase_limit > 0 ? 200 : 0;
  endurance.factory_bad_per_million = draw.coin() ? 5'000 : 0;
  endurance.failing_program = draw.coin() ? draw.of({97, 1'009, 10'007, 100'003}) : 0;
  endurance.failing_erase = draw.coin() || !endurance.ends() ? draw.of({41, 401, 4'001}) : 0;
  endurance.specimen = draw.random.below(1'000'000);
}

void draw_host(RunPlan& plan, Draw draw) {
  HostPlan& host = plan.host;
  host.read = draw.coin() ? 0 : draw.of({10, 40, 90});
  host.write = draw.of({30, 60, 90});
  host.trim = draw.coin() ? 0 : draw.of({1, 8, 30});
  host.flush = draw.coin() ? 0 : 1;
  const std::uint32_t page_sectors = std::max<std::uint32_t>(plan.drive.ftl.mapping_bytes / kSectorBytes, 1);
  host.longest_sectors = page_sectors * draw.of({1, 1, 1, 2, 4, 16});
  host.aligned_percent = draw.coin() ? 100 : draw.of({0, 50, 90});
  host.sequential_percent = draw.coin() ? 0 : draw.of({20, 95});
  host.hot_percent = draw.coin() ? 0 : draw.of({30, 90});
  host.hot_part = draw.of({2, 16, 100});
  host.fua_percent = draw.coin() ? 0 : draw.of({1, 20});
  host.streams = draw.of({1, 5});
  host.contents = plan.drive.ftl.deduplication.on() ? draw.of({2, 20, 2'000}) : 0;
  host.stored_permille = plan.drive.ftl.compression.on() ? draw.of({0, 400, 1000}) : 1000;
  host.batch = draw.of({1, 8, 32});
  host.depth = draw.of({1, 4, 32, 64});
  host.rest_every = draw.coin() ? 0 : draw.of({10, 1'000});
  host.rest_ns = draw.of({100'000, 2'000'000, 3'600'000'000});
}

void set_errors(RunPlan& plan) {
  DriveConfig& drive = plan.drive;
  const PlannedFailures planned = drive.cells.planned_reads;
  const RefreshConfig refresh = drive.ftl.refresh;
  drive.cells = {};
  if (plan.errs) {
    RandomStream none(1, "not used");
    testing::make_err(drive, none);
  } else if (planned.any()) {
    drive.cells.correctable_bits = 8;  // no bit errors except the planned ones
    drive.cells.slc_permille = 1000;
  }
  drive.cells.planned_reads = planned;
  drive.ftl.refresh = plan.errs ? refresh : RefreshConfig{};
  if (drive.cells.err()) drive.ftl.gc.copyback = false;
}

// Combinations that are allowed; see ftl/config.cpp and models/nand/timing/timing.cpp.
bool goes_together(const RunPlan& plan) {
  const DriveConfig& drive = plan.drive;
  const FtlConfig& ftl = drive.ftl;
  const Mapping scheme = ftl.mapping.scheme;
  const bool pools = ftl.placement.scheme == Placing::pools;
  const bool fast = ftl.slc.superblocks > 0 || ftl.pslc_mode.on();
  if (ftl.mapping.hybrid() && (drive.endurance.ends() || drive.cells.err() || ftl.superblock.parity || fast ||
                               ftl.placement.scheme != Placing::none || ftl.compression.on() || ftl.deduplication.on()))
    return false;
  if (ftl.slc.superblocks > 0 && (ftl.pslc_mode.on() || pools)) return false;
  if (pools && scheme != Mapping::page) return false;
  if (ftl.compression.on() &&
      (scheme > Mapping::demand || ftl.mapping_bytes > drive.geometry.page_bytes * ftl.superblock.planes ||
       ftl.mapping_bytes % ftl.compression.slot_bytes != 0))
    return false;
  if (ftl.deduplication.on() &&
      (scheme != Mapping::page || (ftl.placement.scheme != Placing::none && ftl.placement.scheme != Placing::streams)))
    return false;
  return drive.geometry.dies() % ftl.superblock.dies == 0 && drive.geometry.planes_per_die % ftl.superblock.planes == 0;
}

// Parameters of the policy that was drawn.
void settle_scheduling(NandTiming& nand) {
  const std::vector<SchedulingPolicyKind>& kinds = scheduling_policy_kinds();
  nand.scheduling.policy %= kinds.size();
  nand.scheduling.values.clear();
  for (const SchedulingParameter& parameter : kinds[nand.scheduling.policy].parameters)
    nand.scheduling.values.push_back(std::clamp<std::uint64_t>(300'000, parameter.low, parameter.high));
}

// The policy's own numbers. A window of 0 means all superblocks.
void settle_collection(RunPlan& plan) {
  const GcPolicyKind& kind = gc_policy_kinds()[plan.drive.ftl.gc.policy];
  if (!kind.windowed) plan.gc_window = 0;
  const std::uint64_t value = kind.windowed ? (plan.gc_window == 0 ? 1u << 30 : plan.gc_window) : plan.gc_d;
  plan.drive.ftl.gc.values.clear();
  for (const GcParameter& own : kind.parameters) plan.drive.ftl.gc.values.push_back(std::clamp(value, own.low, own.high));
}

void settle_relations(RunPlan& plan) {
  DriveConfig& drive = plan.drive;
  FtlConfig& ftl = drive.ftl;
  ftl.superblock.dies = std::min(ftl.superblock.dies, drive.geometry.dies());
  ftl.superblock.planes = std::min(ftl.superblock.planes, drive.geometry.planes_per_die);
  if (drive.geometry.dies() % ftl.superblock.dies != 0) ftl.superblock.dies = 1;
  if (drive.geometry.planes_per_die < 2) drive.nand.independent_plane_reads = false;
  settle_scheduling(drive.nand);
  // Refusals and renumbering are checked request by request, so no request may wait in the host.
  const bool by_request = drive.endurance.ends() || ftl.most_versions < 0xffff'fff0;
  if (!plan.timed || by_request || plan.errs || drive.cells.planned_reads.any()) plan.cut_every = 0;
  if (by_request || plan.cut_every > 0) drive.link.queue_depth = 0;
  if (!drive.nand.scheduling.make(1)->suspends()) drive.nand.suspension = {};
  if (ftl.mapping.hybrid() || (ftl.gc.pages_per_host_write == 0 && ftl.gc.idle_after == Nanoseconds{0}))
    ftl.wear.static_spread = 0;
  if (ftl.compression.on()) ftl.gc.copyback = false;
  if (ftl.gc.pages_per_host_write == 0 || ftl.pslc_mode.on() || ftl.slc.superblocks > 0) ftl.gc.even_pace = false;
  if (ftl.deduplication.on()) ftl.buffer.power_loss_protected = true;
  if (ftl.trim.mode != TrimConfig::Mode::deferred) ftl.trim.reads_old_data = false;
  if (ftl.trim.granularity_bytes % ftl.mapping_bytes != 0) ftl.trim.granularity_bytes = 0;
  ftl.placement.pools.resize(ftl.placement.scheme == Placing::pools ? plan.pools : 0);
  settle_collection(plan);
  // Hybrid maps have a reserve for merges. No other rule accounts for the space that torn stripes take during relocation.
  ftl.failure_reserve = drive.endurance.ends() || (plan.cut_every > 0 && !ftl.mapping.hybrid()) ? 1 : 0;
  const ReadAheadConfig& ahead = drive.controller.read_ahead;
  if (ahead.ram_bytes < std::uint64_t{ahead.streams} * 2 * ftl.mapping_bytes) drive.controller.read_ahead = {};
}

// The watermarks nearest to the plan's; see check_pool() in ftl/config.cpp.
void settle_water_marks(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages) {
  std::uint32_t least = 1, most = layout.superblocks();
  for (std::uint32_t pool = 0; pool < ftl.pool_count(); ++pool) {
    if (ftl.is_slc_pool(pool) || ftl.mapping.hybrid()) continue;
    const std::uint64_t needed = superblocks_needed_of(ftl, layout, pool, logical_pages);
    const std::uint32_t reserve = ftl.reserve(pool);
    const std::uint64_t there = ftl.blocks_options(layout).quotas[pool];
    least = std::max(least, reserve);
    most = std::min(most, static_cast<std::uint32_t>(std::max<std::uint64_t>(there - needed + reserve, reserve + 1)));
  }
  most = std::max(most, least + 1);
  ftl.gc.start_free = std::clamp(ftl.gc.start_free, least, most - 1);
  ftl.gc.stop_free = std::clamp(ftl.gc.stop_free, ftl.gc.start_free + 1, most);
  if (ftl.gc.idle_after > Nanoseconds{0}) ftl.gc.idle_stop_free = std::clamp(ftl.gc.idle_stop_free, least + 1, most);
}

// Reduces user space until the design has the flash that it needs, including a margin if flash can fail.
bool settle_user_space(RunPlan& plan, const Layout& layout) {
  DriveConfig& drive = plan.drive;
  const std::uint64_t page = drive.ftl.mapping_bytes;
  std::uint64_t most = testing::most_logical_pages(drive.ftl, layout, plan.smallest_map);
  if (drive.endurance.ends()) most = most * 9 / 10;
  drive.user_bytes = std::min(drive.user_bytes, most * page);
  const std::uint64_t logical = drive.logical_pages();
  if (logical < 8 || !testing::fits(drive.ftl, layout, logical, plan.smallest_map)) return false;
  const MappingConfig& mapping = drive.ftl.mapping;
  if (mapping.scheme == Mapping::demand &&
      (mapping.translation_pages == 0 || !MapCache::problem(mapping.cache, logical).empty()))
    return false;
  if (!drive.endurance.ends()) return true;
  const BadBlockTable health(drive.endurance, drive.geometry, drive.ftl.superblock);
  return health.defects().usable() >= superblocks_needed(drive.ftl, layout, logical);
}

// Twice the number of versions that renumbering needs for all copies that the medium can hold.
void settle_versions(FtlConfig& ftl, const Layout& layout) {
  const std::uint64_t least =
      4 * (std::uint64_t{layout.page_count()} + ftl.buffer.pages + ftl.buffer.coalescing_pages) + 1'000;
  ftl.most_versions = static_cast<std::uint32_t>(std::max<std::uint64_t>(ftl.most_versions, least));
}

// Approximate cost of a request in the simulator, in nanoseconds: pages it touches, pages relocated for each, and the
// overhead of the design. Only affects the lengths of runs.
std::uint64_t cost_ns(const RunPlan& plan) {
  const DriveConfig& drive = plan.drive;
  const FtlConfig& ftl = drive.ftl;
  const Layout layout(drive.geometry, ftl.superblock, ftl.slot_bytes());
  const std::uint64_t pages = 1 + plan.host.longest_sectors * kSectorBytes / 2 / ftl.mapping_bytes;
  const std::uint64_t all = std::uint64_t{layout.superblocks()} * layout.data_pages() / ftl.slots_per_page();
  const std::uint64_t spare = std::max<std::uint64_t>(all - std::min<std::uint64_t>(drive.logical_pages(), all), 1);
  const std::uint64_t moved = 1 + std::min<std::uint64_t>(all / spare, 100);
  const std::uint64_t flushed = ftl.buffer.write_back ? plan.host.fua_percent + 3 * plan.host.flush : 100;  // percent
  const std::uint64_t padded = ftl.buffer.power_loss_protected ? 0 : 4 * layout.pages_per_stripe() * flushed / 100;
  const std::uint64_t searched = gc_policy_kinds()[ftl.gc.policy].needs != GcNeeds::nothing
                                     ? 0
                                     : std::uint64_t{layout.superblocks()} * 8 / layout.pages_per_superblock();
  std::uint64_t each = 50 + searched;
  if (ftl.mapping.hybrid()) each += 50 * std::uint64_t{layout.pages_per_superblock()};
  if (ftl.mapping.scheme == Mapping::extent) each *= 8;
  if (ftl.mapping.scheme == Mapping::demand) each *= 4;
  if (ftl.compression.on()) each *= ftl.slots_per_page();
  if (drive.cells.err()) each *= 3;
  return 150 + (pages + padded) * moved * each * (plan.timed ? 2 : 1);
}

// Most runs are short; cheap ones are long and execute most of the operations.
void draw_length(RunPlan& plan, Draw draw) {
  const std::uint64_t cost = cost_ns(plan);
  const std::uint64_t ns = cost <= 500    ? std::uint64_t{draw.of({100, 300, 1'000})} * 1'000'000
                           : cost <= 5000 ? std::uint64_t{draw.of({10, 30, 100})} * 1'000'000
                                          : std::uint64_t{draw.of({1, 3, 30})} * 1'000'000;
  plan.operations = std::clamp<std::uint64_t>(ns / cost, 500, 5'000'000);
  plan.calm = plan.operations / 8;
  const std::uint64_t pages = plan.drive.geometry.bytes() / plan.drive.ftl.slot_bytes();
  plan.inspect_every = std::max<std::uint64_t>({draw.of({1'000, 10'000, 100'000}), pages / 4, plan.operations / 100});
}

// Three runs in five have requests of one or two pages, on drives with room to spare.
void draw_light(RunPlan& plan, Draw draw) {
  const std::uint32_t page_sectors = std::max<std::uint32_t>(plan.drive.ftl.mapping_bytes / kSectorBytes, 1);
  plan.host.longest_sectors = std::min(plan.host.longest_sectors, page_sectors);
  plan.host.fua_percent = 0;
  plan.drive.ftl.buffer.write_back = true;
  plan.drive.user_bytes -= plan.drive.user_bytes / draw.of({3, 4, 6}) / kSectorBytes * kSectorBytes;
}

bool draw_parts(RunPlan& plan, RandomStream& random) {
  Draw draw{random};
  const bool light = random.chance(3, 5);
  const Mapping scheme = light && draw.coin() ? Mapping::page : testing::kSchemes[random.below(6)];
  const bool hybrid = scheme >= Mapping::block;
  Special special = hybrid || draw.coin() ? Special::none : static_cast<Special>(random.below(4));
  if (special == Special::compression && scheme == Mapping::extent) special = Special::none;
  if (special == Special::deduplication && scheme != Mapping::page) special = Special::none;
  plan = {};
  plan.drive = testing::drawn_design(random, scheme, special, Breadth::wide);
  plan.smallest_map = draw.coin();
  adorn(plan, draw);
  draw_faults(plan, draw);
  draw_host(plan, draw);
  plan.fill_first = draw.coin();
  plan.trim_all = draw.random.chance(1, 8);
  plan.drive.user_bytes -= draw.coin() ? 0 : random.below(plan.drive.user_bytes / kSectorBytes / 2) * kSectorBytes;
  plan.timed = !light && draw.coin();
  if (light) draw_light(plan, draw);
  plan.seed = random.bits() >> 1;
  plan.drive.ftl.gc.even_pace = plan.seed >> 1 & 1;
  if (light) plan.timed = plan.seed % 2 == 1;
  if (!refit(plan)) return false;
  draw_length(plan, draw);
  return true;
}

}  // namespace

std::span<const PlanField> plan_fields() {
  static const std::vector<PlanField> fields = [] {
    std::vector<PlanField> all;
    for (const std::vector<PlanField>& some :
         {host_fields(), fault_fields(), layer_fields(), mapping_fields(), timing_fields(), shape_fields()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return fields;
}

bool refit(RunPlan& plan) {
  settle_relations(plan);
  set_errors(plan);
  if (!goes_together(plan)) return false;
  DriveConfig& drive = plan.drive;
  FtlConfig& ftl = drive.ftl;
  if (!layout_problem(drive.geometry, ftl.superblock, ftl.mapping_bytes).empty()) return false;
  if (!layout_problem(drive.geometry, ftl.superblock, ftl.slot_bytes()).empty()) return false;
  const Layout layout(drive.geometry, ftl.superblock, ftl.slot_bytes());
  if (layout.data_pages() < 2 * ftl.slots_per_page()) return false;
  ftl.buffer.pages = std::max(ftl.buffer.pages, layout.pages_per_stripe() + ftl.slots_per_page() - 1);
  if (!settle_user_space(plan, layout)) return false;
  settle_water_marks(ftl, layout, drive.logical_pages());
  settle_versions(ftl, layout);
  plan.inspect_every = std::max<std::uint64_t>(plan.inspect_every, 1);
  return true;
}

RunPlan drawn_plan(std::uint64_t seed, std::uint64_t run) {
  RandomStream random(seed, "swarm run " + std::to_string(run));
  RunPlan plan;
  while (!draw_parts(plan, random)) {
  }
  return plan;
}

std::string plan_json(const RunPlan& plan, const std::string& reported) {
  nlohmann::ordered_json fields;
  fields["gc.policy"] = gc_policy_kinds()[plan.drive.ftl.gc.policy].name;
  for (const PlanField& field : plan_fields()) fields[field.name] = field.get(plan);
  nlohmann::ordered_json file;
  file["told"] = reported;
  file["plan"] = std::move(fields);
  return file.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

namespace {

RunPlan plan_in(Reader& file, const std::string& name) {
  file.text("told");
  Reader fields = file.object("plan");
  RunPlan plan;
  plan.drive = striped_drive();
  const std::string policy = fields.text("gc.policy");
  const auto& kinds = gc_policy_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const GcPolicyKind& k) { return k.name == policy; });
  if (kind == kinds.end()) fields.refuse("gc.policy", "is not a known name");
  plan.drive.ftl.gc.policy = static_cast<std::size_t>(kind - kinds.begin());
  for (const PlanField& field : plan_fields())
    field.set(plan, fields.integer_or(field.name, 0, field.most, field.get(plan)));
  fields.finish();
  file.finish();
  if (!refit(plan)) throw ConfigError({name, 0}, "plan", "is of a drive that cannot be");
  return plan;
}

}  // namespace

std::vector<NamedPlan> read_plans(const std::filesystem::path& path) {
  const Node document = parse_document(read_text_file(path.string()), path.string());
  Reader file(document);
  if (document.find("plans") == nullptr) return {{path.string(), plan_in(file, path.string())}};
  std::vector<NamedPlan> plans;
  for (Reader& one : file.objects("plans")) {
    const std::string name = path.string() + ": " + one.text("name");
    plans.push_back({name, plan_in(one, name)});
  }
  file.finish();
  return plans;
}

}  // namespace ftlab::soak
