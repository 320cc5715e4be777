#include "ftl/gc/collection.h"

#include <string>

namespace ftlab {

Collection::Collection(const FtlConfig& config, std::uint32_t logical_pages, PageStore& store, PageReader& reader,
                       Refresh& refresh, WorkList& work, std::uint64_t seed)
    : slc_(config.slc),
      slc_frontier_(config.slc_frontier()),
      store_(store),
      refresh_(refresh),
      scan_(store, refresh),
      placement_(config.placement, config.separate_relocation, logical_pages),
      groups_(config, store) {
  const std::uint32_t pools = config.mapping.hybrid() ? 0 : config.pool_count();
  const Relocation::Parts parts{store, reader, refresh, work, placement_};
  for (std::uint32_t pool = 0; pool < pools; ++pool) {
    relocations_.emplace_back(config, pool, parts, RandomStream(seed, "collection " + std::to_string(pool)));
    if (config.is_slc_pool(pool)) relocations_.back().fold_into(relocations_.front());
  }
}

// True if the pSLC cache takes the page. The page's share of folding runs first.
bool Collection::slc_takes(std::uint32_t slots) {
  if (!slc_.folds_late) relocations_[kSlcPool].step();
  return !slc_.direct_when_full || slc().room() >= slots || store_.blocks().free().count(kSlcPool) > 0;
}

Collection::Relocated Collection::relocated(RelocationCause cause) const {
  Relocated sum;
  for (const Relocation& relocation : relocations_) {
    sum.pages += relocation.counts().pages[static_cast<std::size_t>(cause)];
    sum.slots += relocation.counts().slots[static_cast<std::size_t>(cause)];
  }
  return sum;
}

std::uint64_t Collection::copyback_pages() const {
  std::uint64_t pages = 0;
  for (const Relocation& relocation : relocations_) pages += relocation.counts().copyback_pages;
  return pages;
}

std::uint64_t Collection::collected() const {
  std::uint64_t superblocks = 0;
  for (const Relocation& relocation : relocations_) superblocks += relocation.collected();
  return superblocks;
}

}  // namespace ftlab
