// Block-mapped drives: logical superblock n (as many logical pages as a superblock has data pages) has one data superblock,
// its home, in which each page has a fixed slot. Other writes go to a few log superblocks, until a merge copies them home.
// This needs little RAM, but random writes cost copies of whole superblocks.
//
//   block   a log superblock replaces one data superblock and is filled in order: pages between the host's writes
//           are copied from the old one. `log_superblocks` replacements are open at a time (Ban, US patent 5,404,485, 1995,
//           and the open allocation units of memory cards)
//   bast    a log superblock belongs to one logical superblock and has its pages in the order of writing (Kim, Kim, Noh,
//           Min, Cho, "A space-efficient flash translation layer for CompactFlash systems", IEEE TCE 2002)
//   fast    one log superblock takes a sequential stream that begins at the first page of a logical superblock, the others
//           take everything else (Lee, Park, Chung, Lee, Park, Song, "A log buffer-based flash translation layer using
//           fully-associative sector translation", ACM TECS 2007)
//
// A switch merge turns a log superblock that holds all pages in order into the data superblock. A partial merge first copies
// the remaining pages to the end of it. A full merge copies all valid pages to a fresh superblock.
//
// After a power cut there is always a superblock to merge into. Only a home for each logical superblock and the logs are
// needed: data written by an interrupted merge are ignored, and a log superblock is not programmed before the merge that
// makes room for it has ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ftl/schemes/mapping_scheme.h"

namespace ftlab {

class LogBlocks final : public MappingScheme {
 public:
  // After a power cut, merges all pages outside the homes first. REQUIRES: store, reader and work outlive it.
  LogBlocks(const MappingConfig& config, std::uint32_t logical_pages, PageStore& store, PageReader& reader, WorkList& work);

  // Merges as needed.
  const Frontier* frontier_for(Lpn lpn) override;
  SchemeCounts counts() const override {
    SchemeCounts counts;
    counts.switch_merges = switch_merges_;
    counts.partial_merges = partial_merges_;
    counts.full_merges = full_merges_;
    counts.copied_pages = copied_pages_;
    return counts;
  }

  void archive(Archive& archive) override {
    archive.section("log blocks");
    archive.column(home_);
    archive.exact(logs_);
    for (auto* value : {&uses_, &switch_merges_, &partial_merges_, &full_merges_, &copied_pages_}) archive.value(*value);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  using Scheme = MappingConfig::Scheme;
  struct Log {
    std::uint32_t block = kNone;  // kNone: not in use
    std::uint32_t owner = kNone;  // logical superblock; kNone: shared (fast)
    std::uint64_t used = 0;       // `uses_` at the last write, or at opening (fast)
  };

  std::uint32_t owner_of(Lpn lpn) const { return number(lpn) / pages_; }
  std::uint32_t first_lpn(std::uint32_t owner) const { return owner * pages_; }
  std::uint32_t end_lpn(std::uint32_t owner) const { return std::min(first_lpn(owner) + pages_, logical_pages_); }
  const Frontier& frontier_of(std::size_t log) { return store_.frontiers()[log + 1]; }

  const Frontier* replacement_for(Lpn lpn);
  const Frontier* own_log_for(Lpn lpn);
  const Frontier* shared_log_for(Lpn lpn);
  const Frontier* sequential_log_for(Lpn lpn);
  std::size_t find_log(std::uint32_t owner) const;
  std::size_t free_log() const;
  std::size_t least_recent_log() const;
  const Frontier* open_log(std::size_t log, std::uint32_t owner);
  bool open_superblock(const Frontier& frontier);

  bool merge_log(std::size_t log);
  bool merge_shared_log(std::size_t log);
  bool full_merge(std::uint32_t owner);  // REQUIRES: it has a mapped page
  std::uint32_t mapped_end(std::uint32_t owner, std::uint32_t first) const;
  bool in_order(const Log& log, std::uint32_t pages) const;
  void copy_range(const Frontier& frontier, std::uint32_t first, std::uint32_t end);
  void make_home(std::uint32_t owner, SuperblockId block);
  void close_early(const Frontier& frontier);
  void discard(SuperblockId block);
  void recover();
  void discard_pending_erases();

  MappingConfig config_;
  std::uint32_t logical_pages_;
  std::uint32_t pages_;  // per superblock
  PageStore& store_;
  PageReader& reader_;
  WorkList& work_;
  Column<std::uint32_t> home_;  // data superblock by logical superblock; kNone: none
  std::vector<Log> logs_;       // `fast`: the first one is the sequential log
  std::uint64_t uses_ = 0;
  std::uint64_t switch_merges_ = 0;
  std::uint64_t partial_merges_ = 0;
  std::uint64_t full_merges_ = 0;
  std::uint64_t copied_pages_ = 0;
};

}  // namespace ftlab
