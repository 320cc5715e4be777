// Keeps the extents of an extent map within the RAM. Small scattered writes split extents. When too many entries are in use,
// the region with the most of them is read and rewritten in order, and thousands of entries become one. That takes flash
// bandwidth long before free pages run out.
//
// A region with holes (unmapped pages) keeps an entry for each run between them, unless it is rewritten whole: then holes
// get zeros, which are programmed, relocated and read like data. The number of entries that a rewrite could not remove is
// remembered. When nothing is left to gain, the drive continues with more entries than planned (over_budget()).
#pragma once

#include <cstdint>

#include "ftl/schemes/mapping_scheme.h"

namespace ftlab {

class Extents final : public MappingScheme {
 public:
  // REQUIRES: store, reader and collection outlive it.
  Extents(const ExtentConfig& config, std::uint32_t frontier, PageStore& store, PageReader& reader, Collection& collection);

  // A page that the host writes may need two more entries.
  void change(Lpn, bool written, Signal&) override {
    if (written) make_room();
  }
  SchemeCounts counts() const override {
    SchemeCounts counts;
    counts.slots_written = pages_rewritten_;
    counts.regions_rewritten = regions_rewritten_;
    return counts;
  }
  std::uint64_t over_budget() const { return over_budget_; }  // host pages written while nothing could be gained

  void archive(Archive& archive) override {
    archive.section("extents");
    archive.column(least_);
    archive.value(defragmenting_);
    for (auto* value : {&region_, &next_}) archive.value(*value);
    for (auto* count : {&pages_rewritten_, &regions_rewritten_, &over_budget_}) archive.value(*count);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  void make_room();
  bool choose_region();
  bool rewrite_some(std::uint32_t pages);
  std::uint32_t rewrite_run(std::uint32_t most);
  void fill_hole(const Frontier& frontier);
  std::uint32_t region_begin() const { return region_ * store_.pages().map().region_pages(); }
  std::uint32_t region_end() const;

  ExtentConfig config_;
  std::uint32_t frontier_;
  PageStore& store_;
  PageReader& reader_;
  Collection& collection_;
  bool defragmenting_ = false;    // between start and stop mark
  Column<std::uint32_t> least_;   // by region: entries left after its last rewrite; initially 1
  std::uint32_t region_ = kNone;  // region being rewritten
  std::uint32_t next_ = 0;        // next logical page to rewrite
  std::uint64_t pages_rewritten_ = 0;
  std::uint64_t regions_rewritten_ = 0;
  std::uint64_t over_budget_ = 0;
};

}  // namespace ftlab
