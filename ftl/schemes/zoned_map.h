// Map of a zoned namespace: a table of zones, each with its superblocks in the order of writing. Each active zone has a
// frontier of its own. As the host writes a zone in order and never overwrites it, no page is ever copied, and write
// amplification is 1, apart from padding: the last stripe of a zone that is reset or finished early is filled up.
//
// What is in RAM must survive a power cut: a stripe that a flush had to pad would take room that the zone's data need. The
// stripe that a power cut pads costs a copy: with the next write to that zone, the pages of its last superblock move to
// another one.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/schemes/mapping_scheme.h"

namespace ftlab {

class ZonedMap final : public MappingScheme {
 public:
  // REQUIRES: store and reader outlive it.
  ZonedMap(const FtlConfig& config, PageStore& store, PageReader& reader);

  // REQUIRES: `lpn` is the page at the write pointer of its zone.
  const Frontier* frontier_for(Lpn lpn) override;
  // The end of the range is that of a zone's capacity: the zone is not written any further. If the range begins with the
  // zone, its superblocks are erased.
  void trimmed(Lpn first, std::uint32_t pages) override;
  SchemeCounts counts() const override {
    SchemeCounts counts;
    counts.copied_pages = copied_pages_;
    return counts;
  }

  void archive(Archive& archive) override {
    archive.section("zoned map");
    archive.column(blocks_);
    archive.exact(owners_);
    archive.value(copied_pages_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  // First page that belongs into the superblock number `i` of all zones.
  Lpn first_page(std::uint32_t i) const {
    return Lpn{i / config_.superblocks * zone_pages_ + i % config_.superblocks * pages_};
  }
  const Frontier* frontier_of(std::uint32_t zone) const;
  void begin_superblock(const Frontier& frontier, Lpn lpn);
  void stop_writing(std::uint32_t zone);
  void discard(std::uint32_t block);
  void recover();

  ZonesConfig config_;
  std::uint32_t zone_pages_;  // distance between two zones
  std::uint32_t pages_;       // of a superblock
  PageStore& store_;
  PageReader& reader_;
  Column<std::uint32_t> blocks_;       // superblocks of each zone, in the order of writing; kNone: not written
  std::vector<std::uint32_t> owners_;  // by frontier: the zone that it writes; kNone: none
  std::uint64_t copied_pages_ = 0;
};

}  // namespace ftlab
