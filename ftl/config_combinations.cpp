// Features of the layer that cannot be combined.
#include "ftl/config_checks.h"

namespace ftlab {
namespace {

// Refuses features that require pages of one size.
void check_compression(const Reader& reader, const FtlConfig& config) {
  using Scheme = MappingConfig::Scheme;
  if (config.mapping.scheme != Scheme::page && config.mapping.scheme != Scheme::demand) {
    reader.refuse("compression", "packs pages at slots that only a map of single pages can name",
                  "with ftl.mapping.scheme page or demand");
  }
  if (config.gc.copyback)
    reader.refuse("gc.copyback", "moves pages of the flash as they are, which packing cannot", "false");
}

// Refuses features that depend on the host's LPN of a page, or that can lose data on a power cut.
void check_deduplication(const Reader& reader, const FtlConfig& config) {
  using Placing = PlacementConfig::Scheme;
  if (config.mapping.scheme != MappingConfig::Scheme::page) {
    reader.refuse("deduplication",
                  "puts a second map before that of the flash, and only a page map, all of it in RAM, is modelled behind it",
                  "with ftl.mapping.scheme page");
  }
  if (!config.buffer.power_loss_protected) {
    reader.refuse("deduplication",
                  "gives a content free with its last page: what is in RAM in its place must outlive a power cut",
                  "with ftl.write_buffer.power_loss_protected true");
  }
  if (config.placement.scheme != Placing::none && config.placement.scheme != Placing::streams) {
    reader.refuse("placement.scheme",
                  "and deduplication do not go together: it goes by the history or the range of a page, and a content that "
                  "pages share has none",
                  "none, streams");
  }
}

// A pSLC cache and extents mix pages of all handles in their superblocks.
void check_handles(const Reader& reader, const FtlConfig& config) {
  if (config.slc.superblocks > 0)
    reader.refuse("placement.scheme", "streams keeps handles apart, and slc_cache takes the pages of all",
                  "all but streams; streams without slc_cache");
  if (config.mapping.scheme == MappingConfig::Scheme::extent) {
    reader.refuse("placement.scheme", "streams keeps handles apart, and extents are rewritten in order across all of them",
                  "all but streams");
  }
  if (config.placement.relocates_together() && !config.separate_relocation) {
    reader.refuse("placement.isolation",
                  "initial relocates pages of all handles behind a frontier of their own, which ftl.frontiers one does not "
                  "have",
                  "persistent, or with ftl.frontiers host+gc");
  }
}

}  // namespace

void check_zones(const Reader& reader, const FtlConfig& config, const Layout& layout) {
  if (!config.buffer.power_loss_protected) {
    reader.refuse("mapping.scheme", "zoned has no room for the padding of a flush: what is in RAM must outlive a power cut",
                  "with ftl.write_buffer.power_loss_protected true");
  }
  if (config.buffer.coalesce)
    reader.refuse("write_buffer.coalesce", "holds pages to be overwritten, and pages of zones never are", "false");
  if (config.trim.mode != TrimConfig::Mode::immediate)
    reader.refuse("trim.mode", "is not for zones: their reset takes effect at once", "immediate");
  if (config.trim.granularity_bytes > config.mapping_bytes)
    reader.refuse("trim.granularity_bytes", "is not for zones, which are reset as a whole", text(config.mapping_bytes));
  const std::uint64_t stripes = std::uint64_t{config.mapping.zones.most_active} * layout.pages_per_stripe();
  if (config.buffer.pages < stripes) {
    reader.refuse("mapping.active_zones",
                  "the write buffer must hold a multi-plane program of " + text(layout.pages_per_stripe()) +
                      " mapping pages for each active zone, and holds " + text(config.buffer.pages) + " pages",
                  "more write_buffer.bytes, or at most " + text(config.buffer.pages / layout.pages_per_stripe()));
  }
}

// Schemes that place pages themselves cannot be combined with other placement.
void check_combinations(const Reader& reader, const FtlConfig& config) {
  const bool undivided = config.placement.scheme == PlacementConfig::Scheme::none && config.slc.superblocks == 0;
  if (config.mapping.hybrid() && !undivided) {
    reader.refuse("mapping.scheme", "places pages by itself: no placement classes and no slc_cache with it",
                  "page, demand, extent");
  }
  if (config.pslc_mode.on() && (config.mapping.hybrid() || config.slc.superblocks > 0)) {
    reader.refuse("pslc_mode",
                  "and slc_cache or a map of blocks or zones do not go together: each has fast superblocks of its own",
                  "one of them");
  }
  if (config.pslc_mode.fold > Nanoseconds{0} && config.compression.on())
    reader.refuse("pslc_mode.fold_ns", "is the time of whole stripes, and compressed pages are moved one by one", "only 0");
  if (config.gc.even_pace && (config.pslc_mode.on() || config.slc.superblocks > 0)) {
    reader.refuse("gc.pace", "even needs superblocks that all hold as many pages, and pSLC superblocks hold fewer", "full");
  }
  if (config.slc.folds_late && config.gc.idle_after == Nanoseconds{0}) {
    reader.refuse("slc_cache.when_full", "folds the cache only while the host is idle, and no key says when it is",
                  "with ftl.gc.idle");
  }
  if (config.placement.scheme == PlacementConfig::Scheme::streams) check_handles(reader, config);
  if (config.slc.superblocks > 0 && config.placement.scheme == PlacementConfig::Scheme::pools) {
    reader.refuse("placement.scheme", "and slc_cache both divide the superblocks", "all but pools");
  }
  if (config.mapping.translation_pages > 0 && config.placement.scheme == PlacementConfig::Scheme::pools) {
    reader.refuse("placement.scheme", "leaves no pool for translation pages", "all but pools");
  }
  if (config.mapping.hybrid() && config.superblock.parity) {
    reader.refuse("mapping.scheme", "keeps pages at fixed slots of a superblock, which parity would take",
                  "page, demand, extent");
  }
  if (config.mapping.scheme == MappingConfig::Scheme::extent && config.placement.scheme == PlacementConfig::Scheme::pools) {
    reader.refuse("placement.scheme", "leaves no pool for extents that are rewritten in order", "all but pools");
  }
  if (config.compression.on()) check_compression(reader, config);
  if (config.deduplication.on()) check_deduplication(reader, config);
  if (config.mapping.hybrid() && config.trim.record_bytes > 0) {
    reader.refuse("trim.record_bytes", "takes pages behind a frontier of the host, and a map of log blocks has none",
                  "with ftl.mapping.scheme page, demand, extent");
  }
  if (config.mapping.hybrid() && config.wear.static_spread > 0) {
    reader.refuse("wear.static_spread_erases", "levels by collection, which this mapping scheme does not have", "only 0");
  }
  const bool stops_the_world_only = config.gc.pages_per_host_write == 0 && config.gc.idle_after == Nanoseconds{0};
  if (!config.mapping.hybrid() && stops_the_world_only && config.wear.static_spread > 0) {
    reader.refuse("wear.static_spread_erases",
                  "never finds a free superblock beyond the reserve: gc.pages_per_host_write is 0 and gc.idle is missing",
                  "only 0");
  }
}

}  // namespace ftlab
