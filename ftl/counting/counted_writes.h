// Random writes over a whole drive, each page as likely as any other, of which only numbers are followed (counted_store.h).
// Superblocks are collected as Relocation does it: behind the same frontiers, at the same free space, at the same pace. So a
// drive that is aged by these and one that is aged by requests differ by chance alone (counted_aging_test).
#pragma once

#include <memory>

#include "ftl/config.h"
#include "ftl/counting/counted_store.h"
#include "ftl/gc/gc_policy.h"

namespace ftlab {

class CountedWrites {
 public:
  // Goes on from the state of a layer. REQUIRES: as CountedStore; a policy that looks at counts and times of closing alone.
  CountedWrites(const FtlConfig& config, const PageStore& store, std::uint64_t seed);

  // So many, and those that complete the host's last stripe.
  void write(std::uint64_t pages);

  const CountedStore& store() const { return store_; }
  // Since the start.
  std::uint64_t host_pages() const { return host_pages_; }
  std::uint64_t relocated_pages() const { return relocated_pages_; }
  std::uint64_t collected() const { return collected_; }

 private:
  const Blocks& blocks() const { return store_.blocks(); }
  std::uint32_t free_soon() const { return blocks().free_count() + store_.waiting(); }
  void write_page();
  bool host_may_write() const;
  void make_some_room();
  void free_waiting();
  void watch_free_space();
  bool room_for_victim() const;
  bool choose_victim();
  void begin(SuperblockId victim);
  void relocate_some();
  std::uint32_t move_stripe();
  std::uint32_t move(std::uint32_t pages);  // returns their number
  std::uint32_t destination();
  void finish_victim();

  GcConfig gc_;
  std::uint32_t reserve_;
  std::uint32_t relocation_;  // the frontier of relocated pages
  CountedStore store_;
  std::unique_ptr<GcPolicy> policy_;
  RandomStream random_;
  bool active_ = false;
  SuperblockId victim_ = kNoBlock;
  std::uint32_t stripes_left_ = 0;  // of the victim
  std::uint64_t host_pages_ = 0, relocated_pages_ = 0, collected_ = 0, futile_ = 0;
};

}  // namespace ftlab
