// Uniform random writes over a whole drive on a store that only counts (counted_store.h). Collection follows Relocation: the
// same frontiers, water marks and pace. On drives of many superblocks host pages and moves are taken in lumps. A drive aged
// this way differs from one aged by requests only by chance (counted_aging_test).
//
// A pSLC cache stands aside (pages_aside.h): it holds as many pages at the end as at the start. So a host page enters the
// counted superblocks as one folded page, unless it replaces a page of the cache.
#pragma once

#include <memory>

#include "ftl/config.h"
#include "ftl/counting/counted_store.h"
#include "ftl/gc/even_pace.h"
#include "ftl/policies/gc_policy.h"

namespace ftlab {

class CountedWrites {
 public:
  // Starts from the state of a layer. REQUIRES: those of CountedStore; a policy that depends only on valid counts and
  // closing times.
  CountedWrites(const FtlConfig& config, const PageStore& store, std::uint32_t host_lpns, std::uint64_t seed);

  void write(std::uint64_t pages);
  // Writes more pages until the last stripe of the host is complete, and pads that of the relocated pages.
  void complete_stripes();

  const CountedStore& store() const { return store_; }
  // Totals since construction.
  std::uint64_t host_pages() const { return host_pages_; }
  std::uint64_t relocated_pages() const { return relocated_pages_; }
  std::uint64_t collected() const { return collected_; }
  std::uint64_t media_pages() const {
    return host_pages_ + relocated_pages_ + store_.counts().pages_padded + store_.counts().parity_pages;
  }

 private:
  const Blocks& blocks() const { return store_.blocks(); }
  std::uint32_t free() const { return blocks().free().count(0); }
  std::uint32_t free_or_pending_erase() const { return free() + store_.waiting(); }
  void store(std::uint64_t pages);
  // Writes until collection may have something to do.
  std::uint64_t writes_alone() const;
  bool host_may_write() const;
  void make_some_room();
  void free_waiting();
  std::uint64_t room() const;
  void watch_free_space();
  bool room_for_victim() const;
  bool choose_victim();
  void begin(SuperblockId victim);
  // `lump`: pages that the host writes together, or 0 if each is followed by what is due. They return the pages moved.
  void collect(std::uint64_t lump);
  std::uint64_t relocate_some(std::uint64_t most, std::uint64_t lump);
  std::uint64_t relocate_due(std::uint64_t most, std::uint64_t lump);
  std::uint32_t advance(std::uint64_t lump);  // moves a stripe or a lump, or ends the victim
  std::uint32_t move_stripe();
  std::uint32_t move_stripes(std::uint64_t lump);
  std::uint32_t move(std::uint32_t pages);
  std::uint32_t destination();
  void finish_victim();

  GcConfig gc_;
  std::uint32_t reserve_;
  struct {
    std::uint32_t host, relocation;  // of host pages, or of folded ones; of relocated pages
  } frontiers_;
  CountedStore store_;
  std::unique_ptr<GcPolicy> policy_;
  RandomStream random_;
  EvenPace pace_;
  std::uint32_t lump_;  // 0: none
  bool active_ = false;
  SuperblockId victim_ = kNoBlock;
  std::uint32_t stripes_left_ = 0;  // stripes left to relocate from the victim
  std::uint64_t host_pages_ = 0, relocated_pages_ = 0, collected_ = 0, futile_ = 0;
};

}  // namespace ftlab
