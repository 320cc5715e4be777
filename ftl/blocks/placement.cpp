#include "ftl/blocks/placement.h"

#include <algorithm>
#include <string>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {

std::uint32_t PlacementConfig::classes() const {
  switch (scheme) {
    case Scheme::none: break;
    case Scheme::streams: return identifiers();
    case Scheme::frequency: return 2;
    case Scheme::invalidation_time: return 2;
    case Scheme::pools: return static_cast<std::uint32_t>(pools.size());
  }
  return 1;
}

std::vector<FrontierPlan> PlacementConfig::frontiers(bool separate_relocation) const {
  const bool separate = separate_relocation || relocates_apart();
  const std::uint32_t shared = relocates_together() ? reclaim_groups : classes();
  const std::uint32_t relocation = scheme == Scheme::invalidation_time ? 4 : shared;
  std::vector<FrontierPlan> plans;
  const auto add = [&](std::uint32_t count, bool relocates) {
    for (std::uint32_t c = 0; c < count; ++c) {
      const std::uint32_t pool = scheme == Scheme::pools ? c : group_of(c);
      plans.push_back({static_cast<std::uint8_t>(pool), relocates, 1, false, reclaim_unit});
    }
  };
  add(classes(), !separate);
  if (separate) add(relocation, true);
  return plans;
}

Placement::Placement(const PlacementConfig& config, bool separate_relocation, std::uint32_t logical_pages)
    : config_(config),
      needs_old_version_(config.scheme == Scheme::invalidation_time || config.own != nullptr),
      by_superblock_(config.own && !config.relocates_together()
                         ? config.own->by_superblock()
                         : config.scheme != Scheme::frequency && config.scheme != Scheme::invalidation_time),
      separate_(separate_relocation || config.relocates_apart()),
      writes_(config.scheme == Scheme::frequency ? logical_pages : 0),
      halved_(config.scheme == Scheme::frequency ? logical_pages : 0) {
  FTLAB_CHECK(config.reclaim_groups > 0, "a flash without a reclaim group");
  FTLAB_CHECK(config.halve_after_pages > 0, "counts of writes that halve all the time");
}

std::uint32_t Placement::range_of(Lpn lpn) const {
  FTLAB_DCHECK(!config_.pools.empty(), "a page belongs to the range of a pool, but there is none");
  std::uint64_t end = 0;
  for (std::uint32_t pool = 0; pool + 1 < config_.pools.size(); ++pool) {
    end += config_.pools[pool].logical_pages;
    if (number(lpn) < end) return pool;
  }
  return static_cast<std::uint32_t>(config_.pools.size()) - 1;
}

// Counters are halved lazily: each stores the halving at which it was last updated.
std::uint8_t Placement::writes_by(Lpn lpn, std::uint64_t now) const {
  FTLAB_DCHECK(number(lpn) < writes_.size(), "writes of a page that are not counted");
  const auto halvings = static_cast<std::uint16_t>(now / config_.halve_after_pages - halved_[number(lpn)]);
  return halvings >= 8 ? std::uint8_t{0} : static_cast<std::uint8_t>(writes_[number(lpn)] >> halvings);
}

std::uint32_t Placement::checked(std::uint32_t answer) const {
  FTLAB_CHECK(answer < config_.classes(),
              "a placement policy chose class " + std::to_string(answer) + " of " + std::to_string(config_.classes()));
  return answer;
}

std::uint32_t Placement::same_group(std::uint32_t from, std::uint32_t answer) const {
  FTLAB_CHECK(config_.group_of(checked(answer)) == config_.group_of(from),
              "a placement policy relocates a page to class " + std::to_string(answer) + ", in another reclaim group");
  return answer;
}

// QEMU (hw/nvme/ctrl.c) also uses handle 0 when it cannot decode a placement identifier.
std::uint32_t Placement::of_handle(std::uint8_t handle) {
  if (handle < config_.identifiers()) return handle;
  ++unknown_handles_;
  return 0;
}

// True for two frontiers of the same handle and group. Those of translation pages and of mixed relocated pages have no handle.
bool Placement::may_mix(std::uint32_t wanted, std::uint32_t other) const {
  if (config_.scheme != Scheme::streams || wanted == other) return true;
  const std::uint32_t identifiers = config_.identifiers();
  if (config_.relocates_together() || std::max(wanted, other) >= (separate_ ? 2 : 1) * identifiers) return false;
  return wanted % identifiers == other % identifiers;
}

bool Placement::is_hot(Lpn lpn, std::uint64_t now) const { return writes_by(lpn, now) >= config_.hot_writes; }

std::uint32_t Placement::class_of_host(Lpn lpn, std::uint8_t stream, Version old, Version version) {
  switch (config_.scheme) {
    case Scheme::none: break;
    case Scheme::streams:
      if (config_.own) return checked(config_.own->of_host(lpn, stream, old, version));
      return of_handle(stream);
    case Scheme::pools: return range_of(lpn);
    case Scheme::frequency: {
      const std::uint64_t now = number(version) + passed_;
      writes_[number(lpn)] = static_cast<std::uint8_t>(std::min(writes_by(lpn, now) + 1, 255));
      halved_[number(lpn)] = static_cast<std::uint16_t>(now / config_.halve_after_pages);
      return is_hot(lpn, now) ? 0 : 1;
    }
    case Scheme::invalidation_time: return old != Version{0} && number(version) - number(old) < short_life_ ? 0 : 1;
  }
  return 0;
}

std::uint32_t Placement::of_relocated(Lpn lpn, Version version, Version newest, std::uint32_t from) const {
  const std::uint32_t classes = config_.classes();
  const std::uint32_t first = separate_ ? classes : 0;
  switch (config_.scheme) {
    case Scheme::none: return first;
    case Scheme::streams:
      if (config_.relocates_together()) return first + config_.group_of(from);
      if (config_.own) return first + same_group(from, config_.own->of_relocated(lpn, version, newest, from % classes));
      return first + from % classes;
    case Scheme::pools: return first + from % classes;
    case Scheme::frequency: return first + (is_hot(lpn, number(newest) + passed_) ? 0u : 1u);
    case Scheme::invalidation_time: {
      if (from == 0) return 2;
      FTLAB_DCHECK(version <= newest, "a page is newer than the newest write");
      const std::uint64_t age = number(newest) - number(version);
      if (age / 4 < short_life_) return 3;
      return age / 16 < short_life_ ? 4 : 5;
    }
  }
  return first;
}

void Placement::collected(std::uint32_t frontier, std::uint64_t opened, std::uint64_t now) {
  if (config_.scheme != Scheme::invalidation_time || frontier != 0) return;
  FTLAB_DCHECK(opened <= now, "a superblock was collected before it was opened");
  life_sum_ += now - opened;
  if (++life_count_ < 16) return;
  short_life_ = life_sum_ / life_count_;
  life_sum_ = 0;
  life_count_ = 0;
}

namespace {

std::vector<PlacementConfig::Pool> read_pools(Reader& reader, std::uint64_t logical_pages) {
  std::vector<PlacementConfig::Pool> pools;
  std::uint64_t total = 0;
  for (Reader& item : reader.objects("pools")) {
    PlacementConfig::Pool pool;
    read_integer(item, "logical_pages", pool.logical_pages, 1, 0xffff'fffe, "logical pages of this pool");
    read_integer(item, "superblocks", pool.superblocks, 1, 0xffff'fffe, "superblocks of this pool");
    item.finish();
    total += pool.logical_pages;
    pools.push_back(pool);
  }
  if (pools.size() < 2 || pools.size() > kMostPools) reader.refuse("pools", "must be 2 to " + std::to_string(kMostPools));
  if (total != logical_pages) {
    reader.refuse("pools",
                  "hold " + std::to_string(total) + " logical pages, the drive has " + std::to_string(logical_pages));
  }
  return pools;
}

}  // namespace

PlacementConfig read_placement(Reader reader, std::uint64_t logical_pages) {
  using Scheme = PlacementConfig::Scheme;
  PlacementConfig p;
  read_choice(reader, "scheme", p.scheme, {"none", "streams", "frequency", "invalidation-time", "pools"},
              "how pages are separated");
  if (p.scheme == Scheme::streams) {
    read_integer(reader, "streams", p.streams, 1, kMostStreams, "number of streams or placement handles");
    read_choice_or(reader, "isolation", p.isolation, {"persistent", "initial"},
                   "streams: what relocation keeps apart, see [drive files](drive_files.md)");
    read_integer_or(reader, "reclaim_unit_superblocks", p.reclaim_unit, 1, 1 << 24,
                    "streams: superblocks that are opened for a handle together");
    read_integer_or(reader, "reclaim_groups", p.reclaim_groups, 1, kMostStreams,
                    "streams: parts of the flash with dies of their own, see [drive files](drive_files.md)");
    if (p.identifiers() > kMostStreams) {
      reader.refuse("reclaim_groups",
                    "makes " + std::to_string(p.identifiers()) + " placement identifiers of " + std::to_string(p.streams) +
                        " handles",
                    "at most " + std::to_string(kMostStreams / p.streams) + " groups");
    }
  } else if (p.scheme == Scheme::frequency) {
    read_integer(reader, "hot_writes", p.hot_writes, 1, 255, "frequency: a page with so many writes is hot");
    read_integer(reader, "halve_after_pages", p.halve_after_pages, 1, 0xffff'ffff, "frequency: counts halve after so many");
  } else if (p.scheme == Scheme::pools) {
    p.pools = read_pools(reader, logical_pages);
  }
  reader.finish();
  return p;
}

}  // namespace ftlab
