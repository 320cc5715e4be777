// A page map that is only partly in RAM: loads and writes back translation pages as the cache requires. They are pages like
// others, with their own frontier and with the numbers after the host's logical pages; collection moves them like data.
//
// When collection moves a page whose entry is not in RAM, its translation page in the flash becomes out of date. All pages
// of one victim that share a translation page are updated by one read and one write of it, before the next host write. With
// little spare space that may need more room than the victim freed; then the rest waits for later host writes, so that the
// host always makes progress.
// The page map is always correct: a power-on scan finds every page by its own record, so an out-of-date translation page
// costs time, never data. Rebuilding of translation pages by the scan is not modelled.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/schemes/mapping_scheme.h"

namespace ftlab {

class DemandMap final : public MappingScheme {
 public:
  // Translation pages have the LPNs from `first_lpn` on. REQUIRES: store, reader and collection outlive it.
  DemandMap(const MappingConfig& config, std::uint32_t frontier, std::uint32_t first_lpn, PageStore& store,
            PageReader& reader, Collection& collection);

  void change(Lpn lpn, bool written, Signal& known) override;
  void look_up(Lpn lpn, bool keep, Signal& known) override;
  // Updates translation pages that relocation made out of date, as far as collecting one superblock makes room.
  std::uint32_t settle() override;
  HostMapCache::Traffic take_host_traffic() override { return host_memory_.take_traffic(); }
  SchemeCounts counts() const override;
  void archive(Archive& archive) override;

  const MapCache& cache() const { return cache_; }
  const HostMapCache& host_memory() const { return host_memory_; }
  std::uint64_t pages_read() const { return pages_read_; }
  std::uint64_t pages_written() const { return pages_written_; }  // without their relocation

 private:
  friend struct BrokenDrive;
  void access(Lpn lpn, bool update, Signal& known);
  Lpn lpn_of(std::uint32_t translation_page) const { return Lpn{first_lpn_ + translation_page}; }
  void load(std::uint32_t translation_page, Signal& data, bool keep_in_host = false);
  void write_back();
  void write(std::uint32_t translation_page, Signal data);
  void note_moves();

  MapCache cache_;
  HostMapCache host_memory_;
  std::vector<std::uint32_t> evicted_;  // by the cache, during one access()
  bool whole_pages_;
  std::uint32_t frontier_;
  std::uint32_t first_lpn_;
  PageStore& store_;
  PageReader& reader_;
  Collection& collection_;
  std::vector<Lpn> moved_;               // by relocation, not processed yet
  std::vector<std::uint32_t> outdated_;  // out-of-date translation pages
  Column<std::uint8_t> is_outdated_;     // by translation page: 1 if it is in outdated_
  std::vector<std::uint32_t> to_write_;
  std::uint64_t pages_read_ = 0;
  std::uint64_t pages_written_ = 0;
};

}  // namespace ftlab
