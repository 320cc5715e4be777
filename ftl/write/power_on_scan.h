// The power-on scan: rebuilds the mapping and the block state from the medium alone.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/write/page_table.h"
#include "ftl/write/store_counts.h"
#include "ftl/write/stripe_writer.h"
#include "ftl/write/superblock_supply.h"

namespace ftlab {

class Deduplication;

// Parts of an empty page store, which the scan fills in.
struct ScannedStore {
  Medium& medium;
  Blocks& blocks;
  PageTable& pages;
  SuperblockSupply& supply;
  StripeWriter& writer;
  std::vector<Frontier>& frontiers;
  StoreCounts& counts;
};

// `reopens`: partly programmed superblocks become frontiers again. `shared`: as in PageStore.
void scan_at_power_on(const ScannedStore& store, std::uint32_t host_lpns, bool reopens, const Deduplication* shared);

}  // namespace ftlab
