#include "ftl/config.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ftl/config_checks.h"
#include "ftl/policies/gc_policy.h"
#include "sim/config/keys.h"

namespace ftlab {
namespace {

RefreshConfig read_refresh(Reader reader) {
  RefreshConfig c;
  read_sourced(reader, "errors_per_pbit", c.errors_per_pbit, 1, 1'000'000'000'000'000, "superblocks above it are rewritten");
  read_integer(reader, "retry_steps", c.retry_steps, 1, 32, "rewrite after so many retries");
  read_integer(reader, "scan_every_s", c.scan_every, 1, 1'000'000'000, "interval of scans");
  read_integer(reader, "pages_per_request", c.pages_per_request, 1, 1 << 20, "pages rewritten with each request");
  reader.finish();
  return c;
}

SuperblockShape read_shape(Reader reader, const Geometry& geometry) {
  SuperblockShape shape;
  shape.dies = geometry.dies();
  shape.planes = geometry.planes_per_die;
  read_integer_or(reader, "dies", shape.dies, 1, geometry.dies(), "dies of a superblock; divides the drive's");
  read_integer_or(reader, "planes", shape.planes, 1, geometry.planes_per_die,
                  "planes of a superblock; divides those of a die");
  if (geometry.dies() % shape.dies != 0) {
    reader.refuse("dies", "must divide the drive's dies (" + text(geometry.dies()) + ")");
  }
  if (geometry.planes_per_die % shape.planes != 0) {
    reader.refuse("planes", "must divide planes_per_die (" + text(geometry.planes_per_die) + ")");
  }
  read_boolean_or(reader, "parity", shape.parity, "the last stripe of each row is parity");
  reader.finish();
  return shape;
}

void read_policy(Reader& reader, std::size_t& policy) {
  std::vector<std::string> names;
  for (const GcPolicyKind& kind : gc_policy_kinds()) names.emplace_back(kind.name);
  explain(reader, "policy", &policy, "which superblock is collected");
  policy = reader.choice_of("policy", names);
}

// Reads keys that only some policies have.
void read_policy_arguments(Reader& reader, GcConfig& gc) {
  const GcPolicyKind& kind = gc_policy_kinds()[gc.policy];
  for (const GcParameter& own : kind.parameters)
    read_integer(reader, own.key, gc.values.emplace_back(), own.low, own.high, own.meaning);
  if (kind.needs == GcNeeds::fewest) {
    constexpr Bins::Keeping kTies[] = {Bins::Keeping::lifo, Bins::Keeping::fifo, Bins::Keeping::sorted};
    std::size_t ties = 0;
    read_choice_or(reader, "ties", ties, {"lifo", "fifo", "random"}, "choice among equal victims");
    gc.ties = kTies[ties];
  }
}

GcConfig read_gc(Reader reader) {
  constexpr std::uint32_t kMost = 1 << 24;
  GcConfig gc;
  read_policy(reader, gc.policy);
  read_policy_arguments(reader, gc);
  read_integer(reader, "start_free_superblocks", gc.start_free, 1, kMost, "collection starts at so many free");
  read_integer(reader, "stop_free_superblocks", gc.stop_free, 2, kMost, "and stops at so many");
  read_integer(reader, "pages_per_host_write", gc.pages_per_host_write, 0, 1 << 20,
               "pages moved for each page of the host; 0: only when no space is left");
  if (gc.stop_free <= gc.start_free) {
    reader.refuse("stop_free_superblocks", "must be above start_free_superblocks (" + text(gc.start_free) + ")");
  }
  read_choice_or(reader, "pace", gc.even_pace, {"full", "even"},
                 "even: as many pages as free the space that the host takes, at most pages_per_host_write");
  if (gc.even_pace && gc.pages_per_host_write == 0)
    reader.refuse("pace", "is the pace beside host writes, and pages_per_host_write is 0", "full");
  read_choice_or(reader, "order", gc.shuffle, {"page", "random"}, "order in which a victim's pages are moved");
  read_boolean_or(reader, "copyback", gc.copyback, "relocate inside a plane where possible");
  if (auto idle = reader.object_if_present("idle")) {
    read_sourced(*idle, "after_ns", gc.idle_after, 1, 3'600'000'000'000, "silence of the host before idle collection");
    read_integer(*idle, "stop_free_superblocks", gc.idle_stop_free, 2, kMost, "where idle collection stops");
    idle->finish();
  }
  reader.finish();
  return gc;
}

WearConfig read_wear(Reader reader) {
  WearConfig wear;
  read_integer(reader, "static_spread_erases", wear.static_spread, 0, 1 << 30,
               "spread of erases at which cold data move; 0: never");
  if (wear.static_spread > 0 || (!has_no_problem(reader, {"static_spread_erases"}) && reader.has("check_every_erases")))
    read_integer(reader, "check_every_erases", wear.check_every_erases, 1, 1 << 30, "interval of static wear levelling");
  read_choice(reader, "free_list", wear.least_worn_first, {"fifo", "least-worn"}, "which free superblock is opened");
  reader.finish();
  return wear;
}

TrimConfig read_trim(Reader reader, std::uint32_t mapping_bytes) {
  TrimConfig trim;
  read_choice(reader, "mode", trim.mode, {"immediate", "deferred", "off"}, "when trims take effect");
  if (trim.mode == TrimConfig::Mode::off) {
    reader.finish();
    return trim;
  }
  trim.granularity_bytes = mapping_bytes;
  read_integer_or(reader, "granularity_bytes", trim.granularity_bytes, mapping_bytes, std::uint64_t{1} << 40,
                  "only whole units are trimmed");
  if (trim.granularity_bytes % mapping_bytes != 0) {
    reader.refuse("granularity_bytes", "must be a multiple of the mapping page", "multiples of " + text(mapping_bytes));
  }
  read_boolean_or(reader, "queued", trim.queued, "trims run beside other commands");
  if (trim.mode == TrimConfig::Mode::deferred) {
    read_integer(reader, "pages_per_host_write", trim.pages_per_host_write, 1, 1 << 20,
                 "deferred: pages trimmed for each page of the host");
    read_choice(reader, "read_before", trim.reads_old_data, {"zeros", "old-data"}, "deferred: what reads return until then");
    read_sourced_or(reader, "waiting_ranges", trim.waiting_ranges, 1, 1 << 24,
                    "deferred: trims that can wait; one more is forgotten");
    if (reader.has("waiting_ranges") && !trim.reads_old_data)
      reader.refuse("waiting_ranges", "forgets trims, whose pages keep their data", "with read_before old-data");
  }
  read_sourced_or(reader, "record_bytes", trim.record_bytes, 1, mapping_bytes,
                  "that each trim writes to the flash, a page when one is full");
  reader.finish();
  return trim;
}

// With compression, the buffer must also hold the rest of the largest page that starts in the last slot.
void check_buffer(const Reader& reader, std::uint64_t bytes, const Layout& layout, std::uint32_t slots_per_page) {
  const std::uint32_t page = layout.slot_bytes();
  const std::uint64_t least = (std::uint64_t{layout.pages_per_stripe()} + slots_per_page - 1) * page;
  if (bytes < least)
    reader.refuse("bytes",
                  slots_per_page > 1 ? "must hold the slots of one multi-plane program and of a page that begins there"
                                     : "must hold the pages of one multi-plane program",
                  "at least " + text(least));
  if (bytes % page != 0)
    reader.refuse("bytes", slots_per_page > 1 ? "must be a multiple of the slot" : "must be a multiple of the mapping page",
                  "multiples of " + text(page));
}

// `layout` is null if it cannot be derived, because other values are invalid.
BufferConfig read_buffer(Reader reader, const Layout* layout, std::uint32_t slots_per_page) {
  std::uint64_t bytes = 0;
  read_sourced(reader, "bytes", bytes, 1, std::uint64_t{1} << 34, "RAM for data that are being programmed");
  BufferConfig buffer;
  if (layout != nullptr) {
    read_part(reader, {"bytes"}, [&] { check_buffer(reader, bytes, *layout, slots_per_page); });
    buffer.pages = static_cast<std::uint32_t>(bytes / layout->slot_bytes());
  }
  read_boolean_or(reader, "coalesce", buffer.coalesce, "keep pages in RAM until more data join them");
  reader.renamed("held_pages", "coalescing_pages");
  if (buffer.coalesce)
    read_sourced(reader, "coalescing_pages", buffer.coalescing_pages, 0, 1 << 20, "pages kept");
  else
    read_sourced(reader, "partial_pages", buffer.coalescing_pages, 0, 4096, "pages written in part that are kept");
  read_boolean_or(reader, "power_loss_protected", buffer.power_loss_protected, "acknowledged data survive a power cut");
  read_boolean_or(reader, "write_back", buffer.write_back, "a write is complete in the buffer; false: when programmed");
  if (!buffer.write_back && buffer.power_loss_protected) {
    reader.refuse("write_back", "is off where data in RAM are safe (power_loss_protected): nothing would be gained", "true");
  }
  reader.finish();
  return buffer;
}

SlcConfig read_slc(Reader reader, const NandTiming& timing) {
  SlcConfig slc;
  std::size_t when_full = 0;
  read_sourced(reader, "superblocks", slc.superblocks, 1, 1 << 24, "superblocks of the pSLC cache");
  slc.cells_per_bit = static_cast<std::uint32_t>(timing.program.size());
  read_choice(reader, "when_full", when_full, {"direct", "fold", "native"},
              "write past it and fold beside, fold first, or fold in idle time");
  slc.direct_when_full = when_full != 1;
  slc.folds_late = when_full == 2;
  if (timing.program.size() < 2) reader.refuse("superblocks", "needs flash of two bits a cell or more");
  if (timing.program_slc == Nanoseconds{0}) reader.refuse("superblocks", "needs nand.program_slc_ns");
  reader.finish();
  return slc;
}

PslcModeConfig read_pslc_mode(Reader reader, const NandTiming& timing) {
  PslcModeConfig fast;
  const bool share = reader.has("free_space_permille");
  const char* const limit = share ? "free_space_permille" : "until_mapped_permille";
  fast.cells_per_bit = static_cast<std::uint32_t>(timing.program.size());
  const std::uint32_t most = timing.program.size() < 2 ? 1000 : fast.all_flash_permille();
  read_sourced_or(reader, "free_space_permille", fast.free_space_permille, 1, most,
                  "share of the free space that pSLC superblocks may take");
  read_sourced_or(reader, "fold_ns", fast.fold, 0, 100'000'000, "die time of folding per stripe, besides its read and program");
  if (!share || reader.has("until_mapped_permille"))
    read_sourced(reader, "until_mapped_permille", fast.until_mapped_permille, 1, 1000,
                 "host data go to pSLC superblocks below this mapped share");
  fast.folds_late = true;
  read_choice_or(
      reader, "fold", fast.folds_late, {"at-once", "when-short"},
      "when the mode ends, or when superblocks are short or the host is idle");
  if (timing.program.size() < 2) reader.refuse(limit, "needs flash of two bits a cell or more");
  if (timing.program_slc == Nanoseconds{0}) reader.refuse(limit, "needs nand.program_slc_ns");
  reader.finish();
  return fast;
}

// The reserve grows with the number of handles and the size of a reclaim unit. Raises the water marks accordingly.
void raise_water_marks(FtlConfig& config) {
  if (config.placement.scheme != PlacementConfig::Scheme::streams || config.mapping.hybrid()) return;
  const std::uint32_t missing = config.reserve(0) - std::min(config.reserve(0), config.gc.start_free);
  config.gc.start_free += missing;
  config.gc.stop_free += missing;
  if (config.gc.idle_stop_free > 0) config.gc.idle_stop_free += missing;
}

// True if the values are valid that determine the sizes of the layer's parts, including the drive's own values.
bool is_measurable(const Reader& reader, const Geometry& geometry, std::uint64_t user_bytes) {
  return geometry.pages() > 0 && user_bytes > 0 && has_no_problem(reader, {"mapping", "superblock", "compression"});
}

void read_measured_parts(Reader& reader, FtlConfig& config, const Geometry& geometry, std::uint64_t logical_pages) {
  read_part(reader, {"superblock"}, [&] {
    config.superblock = {geometry.dies(), geometry.planes_per_die, false};
    if (const auto shape = reader.object_if_present("superblock")) config.superblock = read_shape(*shape, geometry);
  });
  read_part(reader, {"mapping.page_bytes", "superblock"}, [&] {
    const std::string problem = layout_problem(geometry, config.superblock, config.mapping_bytes);
    if (!problem.empty()) reader.refuse("mapping.page_bytes", problem);
  });
  read_part(reader, {"compression", "mapping", "superblock"}, [&] {
    auto compression = reader.object_if_present("compression");
    if (!compression) return;
    config.compression = read_compression(std::move(*compression), config.mapping_bytes);
    if (!has_no_problem(reader, {"compression", "mapping", "superblock"})) return;
    const std::string slots = layout_problem(geometry, config.superblock, config.compression.slot_bytes);
    if (!slots.empty()) reader.refuse("compression.slot_bytes", slots);
    if (config.mapping_bytes > std::uint64_t{config.superblock.planes} * geometry.page_bytes) {
      reader.refuse("mapping.page_bytes", "must not exceed a multi-plane page of the flash with compression",
                    "at most " + text(std::uint64_t{config.superblock.planes} * geometry.page_bytes));
    }
  });
  read_part(reader, {"placement", "mapping"}, [&] {
    if (const auto placement = reader.object_if_present("placement"))
      config.placement = read_placement(*placement, logical_pages);
  });
}

// A zoned namespace may keep how the conventional face of the same flash collects, so that one file can extend the other.
void check_conventional_face(Reader& reader) {
  if (reader.has("frontiers")) reader.choice("frontiers", {"one", "host+gc"});
  if (reader.has("gc")) read_gc(reader.object("gc"));
}

// Parts that do not depend on the number of logical pages.
void read_own_parts(Reader& reader, FtlConfig& config, const NandTiming& timing) {
  read_part(reader, {"deduplication"}, [&] {
    if (auto shared = reader.object_if_present("deduplication"))
      config.deduplication = read_deduplication(std::move(*shared));
  });
  read_part(reader, {"gc", "mapping"}, [&] {
    if (config.mapping.scheme == MappingConfig::Scheme::zoned) return check_conventional_face(reader);
    if (config.mapping.hybrid()) return;
    const bool frontiers = reader.has("frontiers"), gc = reader.has("gc");
    if (!has_no_problem(reader, {"mapping"}) && !(frontiers && gc)) return;  // it is unknown if they are needed
    Reader undecided = reader;                                               // a wrong value decides about no other key
    read_choice(undecided, "frontiers", config.separate_relocation, {"one", "host+gc"},
                "open superblocks: shared, or relocated pages apart");
    config.gc = read_gc(reader.object("gc"));
  });
  read_part(reader, {"wear"}, [&] {
    if (const auto wear = reader.object_if_present("wear")) config.wear = read_wear(*wear);
  });
  read_part(reader, {"refresh"}, [&] {
    if (auto refresh = reader.object_if_present("refresh")) config.refresh = read_refresh(std::move(*refresh));
  });
  read_part(reader, {"trim", "mapping"}, [&] {
    if (const auto trim = reader.object_if_present("trim")) config.trim = read_trim(*trim, config.mapping_bytes);
  });
  const bool timed = !timing.program.empty();  // false if the object nand is invalid
  read_part(reader, {"slc_cache"}, [&] {
    if (const auto slc = reader.object_if_present("slc_cache"); slc && timed) config.slc = read_slc(*slc, timing);
  });
  reader.renamed("fast_mode", "pslc_mode");
  read_part(reader, {"pslc_mode"}, [&] {
    if (auto pslc = reader.object_if_present("pslc_mode"); pslc && timed)
      config.pslc_mode = read_pslc_mode(std::move(*pslc), timing);
  });
}

}  // namespace

std::vector<FrontierPlan> FtlConfig::frontiers() const {
  if (mapping.merges()) return std::vector<FrontierPlan>(1 + mapping.log_superblocks);
  if (mapping.hybrid()) return std::vector<FrontierPlan>(mapping.zones.most_active);
  std::vector<FrontierPlan> plans = placement.frontiers(separate_relocation);
  if (pslc_mode.on()) {
    for (FrontierPlan& plan : plans) plan.cells_per_bit = pslc_mode.cells_per_bit;
  }
  if (mapping.translation_pages > 0) plans.push_back({0, true, 1, false, placement.reclaim_unit});
  if (mapping.scheme == MappingConfig::Scheme::extent) plans.push_back({0, false, 1});
  if (slc.superblocks > 0) plans.push_back({1, false, slc.cells_per_bit, true});
  return plans;
}

// Frontiers after those of placement, in this order if present: translation pages, defragmented extents, pSLC.
std::uint32_t FtlConfig::translation_frontier() const {
  return mapping.translation_pages > 0 ? static_cast<std::uint32_t>(placement.frontiers(separate_relocation).size())
                                       : kNoFrontier;
}

std::uint32_t FtlConfig::extent_frontier() const {
  if (mapping.scheme != MappingConfig::Scheme::extent) return kNoFrontier;
  return static_cast<std::uint32_t>(placement.frontiers(separate_relocation).size());
}

std::uint32_t FtlConfig::slc_frontier() const {
  return slc.superblocks > 0 ? static_cast<std::uint32_t>(frontiers().size()) - 1 : kNoFrontier;
}

std::uint32_t FtlConfig::pool_count() const {
  if (placement.scheme == PlacementConfig::Scheme::pools) return placement.classes();
  if (placement.reclaim_groups > 1) return placement.reclaim_groups;
  return slc.superblocks > 0 ? 2 : 1;
}

std::uint32_t FtlConfig::reserve(std::uint32_t pool) const {
  std::uint32_t reserve = 0;
  for (const FrontierPlan& plan : frontiers()) reserve += plan.pool == pool && plan.relocation;
  return reserve > 0 ? (reserve + failure_reserve + compression.on()) * placement.reclaim_unit : 0;
}

bool FtlConfig::needs_versions() const {
  using Scheme = PlacementConfig::Scheme;
  return deduplication.on() || placement.own || placement.scheme == Scheme::frequency ||
         placement.scheme == Scheme::invalidation_time;
}

BlocksOptions FtlConfig::blocks_options(const Layout& layout) const {
  const GcPolicyKind& kind = gc_policy_kinds()[gc.policy];
  BlocksOptions options;
  options.bins = kind.needs == GcNeeds::sorted   ? Bins::Keeping::sorted
                 : kind.needs == GcNeeds::fewest ? gc.ties
                                                 : Bins::Keeping::none;
  if (mapping.hybrid()) options.bins = Bins::Keeping::none;
  options.window = kind.windowed ? static_cast<std::uint32_t>(gc.values.at(0)) : 0;
  if (placement.scheme == PlacementConfig::Scheme::pools) {
    for (const PlacementConfig::Pool& pool : placement.pools) options.quotas.push_back(pool.superblocks);
  } else if (placement.reclaim_groups > 1) {
    options.quotas.resize(placement.reclaim_groups);
    for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
      options.owners.push_back(static_cast<std::uint8_t>(placement.group_of(die_group(layout, SuperblockId{b}))));
      ++options.quotas[options.owners.back()];
    }
  } else if (slc.superblocks > 0) {
    options.quotas = {layout.superblocks() - std::min(slc.superblocks, layout.superblocks()), slc.superblocks};
  } else {
    options.quotas = {layout.superblocks()};
  }
  return options;
}

std::size_t gc_policy_index(std::string_view name) {
  const std::vector<GcPolicyKind>& kinds = gc_policy_kinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [name](const GcPolicyKind& kind) { return kind.name == name; });
  FTLAB_CHECK(found != kinds.end(), "no collection policy named " + std::string(name));
  return static_cast<std::size_t>(found - kinds.begin());
}

FtlConfig read_ftl(Reader reader, const Geometry& geometry, const NandTiming& timing, std::uint64_t user_bytes,
                   bool flash_fails) {
  FtlConfig config;
  config.failure_reserve = flash_fails;
  read_part(reader, {"mapping"},
            [&] { config.mapping = read_mapping(reader.object("mapping"), user_bytes, config.mapping_bytes); });
  const std::uint64_t logical_pages = user_bytes / config.mapping_bytes + (user_bytes % config.mapping_bytes != 0);
  if (is_measurable(reader, geometry, user_bytes)) {
    read_measured_parts(reader, config, geometry, logical_pages);
  } else {
    for (const char* const later : {"superblock", "compression", "placement"}) reader.has(later);
  }
  read_own_parts(reader, config, timing);
  std::optional<Layout> layout;
  if (is_measurable(reader, geometry, user_bytes)) layout.emplace(geometry, config.superblock, config.slot_bytes());
  read_part(reader, {"write_buffer"}, [&] {
    config.buffer = read_buffer(reader.object("write_buffer"), layout ? &*layout : nullptr, config.slots_per_page());
  });
  if (layout && has_no_problem(reader, {""})) {
    check_combinations(reader, config);
    if (config.mapping.scheme == MappingConfig::Scheme::zoned) {
      settle_zones(reader, config.mapping, *layout, user_bytes);
      check_zones(reader, config, *layout);
    }
    raise_water_marks(config);
    check_space(reader, config, *layout, logical_pages);
  }
  reader.finish();
  return config;
}

}  // namespace ftlab
