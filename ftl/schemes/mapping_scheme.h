// A mapping scheme on top of the page map, which the simulator always holds in full: it adds the cost of finding and
// changing an entry, and may place pages. The base class is a map entirely in RAM, without cost.
#pragma once

#include <cstdint>
#include <memory>

#include "ftl/gc/collection.h"
#include "ftl/mapping/host_map_cache.h"
#include "sim/core/archive.h"

namespace ftlab {

struct SchemeCounts {
  std::uint64_t slots_written = 0;  // on behalf of the mapping
  std::uint64_t hits = 0, misses = 0, pages_read = 0, pages_from_host = 0;
  std::uint64_t switch_merges = 0, partial_merges = 0, full_merges = 0, copied_pages = 0;
  std::uint64_t regions_rewritten = 0;
};

class MappingScheme {
 public:
  virtual ~MappingScheme() = default;
  // The entry of a page will change, by a write (`written`) or a trim. Raises the signal when the entry is in RAM.
  virtual void change([[maybe_unused]] Lpn lpn, [[maybe_unused]] bool written, [[maybe_unused]] Signal& known) {}
  // The entry is needed. `keep`: it may enter the RAM and evict others.
  virtual void look_up([[maybe_unused]] Lpn lpn, [[maybe_unused]] bool keep, [[maybe_unused]] Signal& known) {}
  // These pages were trimmed by one command. Not called for waiting trims.
  virtual void trimmed([[maybe_unused]] Lpn first, [[maybe_unused]] std::uint32_t pages) {}
  // Call after relocation has moved pages. Returns how many pages it wrote for the mapping; what found no room is left to
  // the next call.
  virtual std::uint32_t settle() { return 0; }
  // For schemes that place pages themselves: the frontier for the host's next page of `lpn`, which has room for it. Null if
  // no superblock is available.
  virtual const Frontier* frontier_for([[maybe_unused]] Lpn lpn) { return nullptr; }
  // Transfers over the link to and from host memory since the last call.
  virtual HostMapCache::Traffic take_host_traffic() { return {}; }
  virtual SchemeCounts counts() const { return {}; }
  virtual void archive([[maybe_unused]] Archive& archive) {}
};

// REQUIRES: store, reader, collection and work outlive it.
std::unique_ptr<MappingScheme> make_mapping_scheme(const FtlConfig& config, std::uint32_t logical_pages, PageStore& store,
                                                   PageReader& reader, Collection& collection, WorkList& work);

}  // namespace ftlab
