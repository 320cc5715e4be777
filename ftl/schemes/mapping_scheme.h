// What a mapping scheme does beside the page map, which the simulator has whole for all of them: what it costs to know and
// to change an entry, and where pages go. As it stands, a map that is all in RAM, which costs nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "ftl/gc/collection.h"
#include "ftl/mapping/host_map_cache.h"
#include "sim/core/archive.h"

namespace ftlab {

struct SchemeCounts {
  std::uint64_t slots_written = 0;  // for the mapping's sake
  std::uint64_t hits = 0, misses = 0, pages_read = 0, pages_from_host = 0;
  std::uint64_t switch_merges = 0, partial_merges = 0, full_merges = 0, copied_pages = 0;
  std::uint64_t regions_rewritten = 0;
};

class MappingScheme {
 public:
  virtual ~MappingScheme() = default;
  // The entry of a page is about to change, by a write (`written`) or a trim. Raises the signal when it is in RAM.
  virtual void change([[maybe_unused]] Lpn lpn, [[maybe_unused]] bool written, [[maybe_unused]] Signal& known) {}
  // The entry is needed. `keep`: it may enter the RAM in the place of others.
  virtual void look_up([[maybe_unused]] Lpn lpn, [[maybe_unused]] bool keep, [[maybe_unused]] Signal& known) {}
  // Relocation has moved pages.
  virtual void settle() {}
  // For a scheme that places pages by itself: the frontier of the host's next page of `lpn`, with room for it. Null when
  // there is no superblock to be had.
  virtual const Frontier* frontier_for([[maybe_unused]] Lpn lpn) { return nullptr; }
  // What crossed the link to and from the host's memory since it was asked last.
  virtual HostMapCache::Traffic take_host_traffic() { return {}; }
  virtual SchemeCounts counts() const { return {}; }
  virtual void archive([[maybe_unused]] Archive& archive) {}
};

// REQUIRES: store, reader, collection and work outlive it.
std::unique_ptr<MappingScheme> make_mapping_scheme(const FtlConfig& config, std::uint32_t logical_pages, PageStore& store,
                                                   PageReader& reader, Collection& collection, WorkList& work);

}  // namespace ftlab
