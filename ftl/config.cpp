#include "ftl/config.h"

#include "ftl/gc_policy.h"

namespace ftlab {
namespace {

std::string text(std::uint64_t value) { return std::to_string(value); }

SuperblockShape read_shape(Reader reader, const Geometry& geometry) {
  SuperblockShape shape;
  shape.dies = static_cast<std::uint32_t>(reader.integer_or("dies", 1, geometry.dies(), geometry.dies()));
  shape.planes =
      static_cast<std::uint32_t>(reader.integer_or("planes", 1, geometry.planes_per_die, geometry.planes_per_die));
  if (geometry.dies() % shape.dies != 0) {
    reader.refuse("dies", "must divide the drive's dies (" + text(geometry.dies()) + ")");
  }
  if (geometry.planes_per_die % shape.planes != 0) {
    reader.refuse("planes", "must divide planes_per_die (" + text(geometry.planes_per_die) + ")");
  }
  reader.finish();
  return shape;
}

std::size_t read_policy(Reader& reader) {
  const std::string name = reader.text("policy");
  std::vector<std::string> names;
  for (const GcPolicyKind& kind : gc_policy_kinds()) {
    if (kind.name == name) return names.size();
    names.emplace_back(kind.name);
  }
  std::string allowed;
  for (const std::string& known : names) allowed += (allowed.empty() ? "" : ", ") + known;
  const std::string nearest = nearest_name(name, names);
  if (!nearest.empty()) allowed += "; did you mean " + nearest + "?";
  reader.refuse("policy", "is not a known name", allowed);
}

GcConfig read_gc(Reader reader) {
  GcConfig gc;
  gc.policy = read_policy(reader);
  gc.start_free = static_cast<std::uint32_t>(reader.integer("start_free_superblocks", kReserve, 1 << 24));
  gc.stop_free = static_cast<std::uint32_t>(reader.integer("stop_free_superblocks", kReserve + 1, 1 << 24));
  gc.pages_per_host_write = static_cast<std::uint32_t>(reader.integer("pages_per_host_write", 0, 1 << 20));
  if (gc.stop_free <= gc.start_free) {
    reader.refuse("stop_free_superblocks", "must be above start_free_superblocks (" + text(gc.start_free) + ")");
  }
  reader.finish();
  return gc;
}

std::string needed_sum(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  const std::uint64_t data = logical_pages / layout.pages_per_superblock() + 1;
  return text(data) + " (of " + text(layout.pages_per_superblock()) + " pages, for " + text(logical_pages) +
         " logical pages and one stale page) + " + text(config.frontiers() - 1) + " (partly filled frontiers) + " +
         text(kReserve) + " (reserve) = " + text(superblocks_needed(config, layout, logical_pages));
}

// What superblocks_needed() leaves for the user of the flash that there is.
std::string most_user_space(const FtlConfig& config, const Layout& layout) {
  const std::uint64_t overhead = superblocks_needed(config, layout, 0) - 1;
  if (layout.superblocks() <= overhead) return "at least " + text(overhead + 1) + " superblocks";
  const std::uint64_t pages = (layout.superblocks() - overhead) * layout.pages_per_superblock() - 1;
  return "more superblocks, or at most " + text(pages * config.mapping_bytes / kSectorBytes) + " user_sectors";
}

void check_spare(const Reader& reader, const FtlConfig& config, const Geometry& geometry, std::uint64_t logical_pages) {
  const Layout layout(geometry, config.superblock, config.mapping_bytes);
  const std::uint64_t needed = superblocks_needed(config, layout, logical_pages);
  if (layout.superblocks() < needed) {
    reader.refuse("superblock",
                  "too little spare space: the flash has " + text(layout.superblocks()) +
                      " superblocks, but needs " + needed_sum(config, layout, logical_pages),
                  most_user_space(config, layout));
  }
  const std::uint64_t reachable = layout.superblocks() - needed + kReserve;
  const std::uint64_t most = std::max<std::uint64_t>(reachable, kReserve + 1);
  if (config.gc.stop_free > most) {
    reader.refuse("gc.stop_free_superblocks",
                  "cannot be reached on a full drive: of " + text(layout.superblocks()) + " superblocks it needs " +
                      needed_sum(config, layout, logical_pages),
                  "at most " + text(most));
  }
}

}  // namespace

std::uint64_t superblocks_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  return logical_pages / layout.pages_per_superblock() + 1 + (config.frontiers() - 1) + kReserve;
}

FtlConfig read_ftl(Reader reader, const Geometry& geometry, std::uint64_t user_bytes) {
  FtlConfig config;
  Reader mapping = reader.object("mapping");
  mapping.choice("scheme", {"page"});
  config.mapping_bytes = static_cast<std::uint32_t>(mapping.sourced("page_bytes", kSectorBytes, 1 << 24).value);
  mapping.finish();
  if (const auto shape = reader.object_if_present("superblock")) {
    config.superblock = read_shape(*shape, geometry);
  } else {
    config.superblock = {geometry.dies(), geometry.planes_per_die};
  }
  const std::string problem = Layout::problem(geometry, config.superblock, config.mapping_bytes);
  if (!problem.empty()) reader.refuse("mapping.page_bytes", problem);
  config.separate_relocation = reader.choice("frontiers", {"one", "host+gc"}) == 1;
  config.gc = read_gc(reader.object("gc"));

  const Layout layout(geometry, config.superblock, config.mapping_bytes);
  Reader buffer = reader.object("write_buffer");
  const std::uint64_t least = std::uint64_t{layout.pages_per_stripe()} * config.mapping_bytes;
  const std::uint64_t bytes = buffer.sourced("bytes", 1, std::uint64_t{1} << 34).value;
  if (bytes < least) buffer.refuse("bytes", "must hold the pages of one multi-plane program", "at least " + text(least));
  if (bytes % config.mapping_bytes != 0) {
    buffer.refuse("bytes", "must be a multiple of the mapping page", "multiples of " + text(config.mapping_bytes));
  }
  config.buffer_pages = static_cast<std::uint32_t>(bytes / config.mapping_bytes);
  config.partial_pages = static_cast<std::uint32_t>(buffer.sourced("partial_pages", 0, 4096).value);
  buffer.finish();
  check_spare(reader, config, geometry, user_bytes / config.mapping_bytes + (user_bytes % config.mapping_bytes != 0));
  reader.finish();
  return config;
}

}  // namespace ftlab
