// Chooses the frontier of each page, so that data with similar lifetimes share superblocks. Runs for every page, on arrays.
//
//   none                one class of data
//   streams             the host chooses, by stream id (multi-stream) or placement handle (NVM Express TP4146, "Flexible
//                       Data Placement"). A write without a handle, or with an unknown one, goes to handle 0. With
//                       several reclaim groups, each of which has its own dies, an identifier names a handle and a group,
//                       and each handle has a frontier in each group. Until the drive is worn out a superblock holds
//                       pages of one handle. Relocation keeps the handles apart (persistent isolation) or moves all pages
//                       of a group to one frontier (initial isolation)
//   frequency           by recent writes of the page: one counter per page, halved after a number of host pages
//                       (after Hsieh, Kuo, Chang, "Efficient identification of hot data for flash memory storage
//                       systems", ACM TOS 2006, with one counter per page instead of a Bloom filter)
//   invalidation_time   six classes, by the lifetime of the replaced content and, for relocated pages, by their age (Wang,
//                       Li, Lee, Wang, Lv, "Separating data via block invalidation time inference for write amplification
//                       reduction in log-structured storage", FAST 2022)
//   pools               by logical range; each range has its own superblocks and its own GC
//
// With separate relocation, each class has a second frontier for relocated pages (invalidation_time always has four).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/blocks/frontier.h"
#include "models/nand/array/medium.h"
#include "sim/config/reader.h"
#include "sim/core/column.h"

namespace ftlab {

// A class choice supplied by the calling program. Called for each page. Its state is not saved with the drive.
class PlacementPolicy {
 public:
  virtual ~PlacementPolicy() = default;
  // Class of a host write that replaces content of version `old` (0: none) by `version`; `stream` comes from the host. The
  // caller checks that the class is below the number of classes.
  virtual std::uint32_t of_host(Lpn lpn, std::uint8_t stream, Version old, Version version) = 0;
  // Class of a page that is relocated from a superblock of class `from`. By default each page stays in its class.
  virtual std::uint32_t of_relocated(Lpn lpn, Version version, Version newest, std::uint32_t from) {
    (void)lpn, (void)version, (void)newest;
    return from;
  }
  // True if of_relocated() uses only `from`; it is then called once per superblock.
  virtual bool by_superblock() const { return true; }
};

struct PlacementConfig {
  enum class Scheme : std::uint8_t { none, streams, frequency, invalidation_time, pools };
  // The two handle types of TP4146: relocation keeps handles apart, or mixes them.
  enum class Isolation : std::uint8_t { persistent, initial };
  struct Pool {
    std::uint64_t logical_pages = 0;
    std::uint32_t superblocks = 0;
  };
  Scheme scheme = Scheme::none;
  std::uint32_t streams = 1;         // handles
  std::uint32_t reclaim_groups = 1;  // streams: parts of the flash with dies of their own
  Isolation isolation = Isolation::persistent;
  std::uint32_t reclaim_unit = 1;       // streams: superblocks that are opened together for a handle
  std::uint32_t hot_writes = 2;         // frequency: recent writes from which a page is hot
  std::uint32_t halve_after_pages = 1;  // frequency: host pages after which all counters are halved
  std::vector<Pool> pools;              // pools: consecutive logical ranges that cover the drive
  // streams: chooses the stream instead of the host; null if unused.
  std::shared_ptr<PlacementPolicy> own = nullptr;

  std::uint32_t classes() const;
  // Reclaim unit handles of the drive; 0 with any other scheme than streams.
  std::uint32_t handles() const { return scheme == Scheme::streams ? streams : 0; }
  // Placement identifiers, each a handle in a reclaim group: identifier i is handle i / groups in group i % groups, the
  // order in which QEMU reports them (hw/nvme/ctrl.c, reclaim unit handle status).
  std::uint32_t identifiers() const { return handles() * reclaim_groups; }
  std::uint32_t group_of(std::uint32_t frontier) const { return frontier % reclaim_groups; }
  // True if relocated pages have their own frontiers regardless of ftl.frontiers.
  bool relocates_apart() const { return scheme == Scheme::invalidation_time || relocates_together(); }
  bool relocates_together() const { return scheme == Scheme::streams && isolation == Isolation::initial; }
  // Frontiers of host writes first, then those used only for relocation.
  std::vector<FrontierPlan> frontiers(bool separate_relocation) const;
};

inline constexpr std::uint32_t kMostStreams = 30;  // each takes up to two frontiers, see FlashEngine::kMostFrontiers
inline constexpr std::uint32_t kMostPools = 6;

class Placement {
 public:
  Placement(const PlacementConfig& config, bool separate_relocation, std::uint32_t logical_pages);

  bool needs_replaced_version() const { return needs_old_version_; }
  // Frontier of a host write that replaces content of version `old` (0: none) by `version`.
  std::uint32_t of_host(Lpn lpn, std::uint8_t stream, Version old, Version version) {
    return config_.scheme == Scheme::none ? 0 : class_of_host(lpn, stream, old, version);
  }
  // True if all host writes of this stream go to one frontier, and nothing is counted for each of them.
  bool treats_alike(std::uint8_t stream) const {
    return config_.scheme == Scheme::none || (!config_.own && stream < config_.identifiers());
  }
  // That frontier. REQUIRES: treats_alike(stream).
  std::uint32_t of_stream(std::uint8_t stream) const { return config_.scheme == Scheme::none ? 0 : stream; }
  // Frontier of a page that is relocated from a superblock of frontier `from`.
  std::uint32_t of_relocated(Lpn lpn, Version version, Version newest, std::uint32_t from) const;
  // True if of_relocated() uses only `from`.
  bool by_superblock() const { return by_superblock_; }
  // True if pages for frontier `wanted` may go to frontier `other` when `wanted` has no room.
  bool may_mix(std::uint32_t wanted, std::uint32_t other) const;
  // Pages written with an unknown handle.
  std::uint64_t unknown_handles() const { return unknown_handles_; }
  // From now on all versions are smaller by `passed`.
  void versions_reduced_by(std::uint64_t passed) { passed_ += passed; }
  // A superblock of `frontier` was collected. `opened`, `now`: host pages appended when it was opened, and so far.
  void collected(std::uint32_t frontier, std::uint64_t opened, std::uint64_t now);

  template <class A>
  void archive(A& archive) {
    archive.section("placement");
    archive.column(writes_);
    archive.column(halved_);
    archive.value(passed_);
    archive.value(short_life_);
    archive.value(life_sum_);
    archive.value(life_count_);
    archive.value(unknown_handles_);
  }

 private:
  using Scheme = PlacementConfig::Scheme;
  std::uint32_t class_of_host(Lpn lpn, std::uint8_t stream, Version old, Version version);
  std::uint32_t checked(std::uint32_t answer) const;
  std::uint32_t same_group(std::uint32_t from, std::uint32_t answer) const;
  std::uint32_t of_handle(std::uint8_t handle);
  bool is_hot(Lpn lpn, std::uint64_t now) const;
  std::uint8_t writes_by(Lpn lpn, std::uint64_t now) const;
  std::uint32_t range_of(Lpn lpn) const;

  PlacementConfig config_;
  bool needs_old_version_, by_superblock_;  // cached from the scheme or the user policy; read for each page
  bool separate_;
  Column<std::uint8_t> writes_;   // frequency: recent writes by logical page
  Column<std::uint16_t> halved_;  // frequency: halving at which writes_ was updated, modulo 2^16
  std::uint64_t passed_ = 0;      // writes that the versions no longer count
  // invalidation_time: mean lifetime of the last 16 collected superblocks of the first class, in host pages
  std::uint64_t short_life_ = ~std::uint64_t{0};
  std::uint64_t life_sum_ = 0;
  std::uint32_t life_count_ = 0;
  std::uint64_t unknown_handles_ = 0;
};

// Reads the object `placement` of a drive file. Throws ConfigError.
PlacementConfig read_placement(Reader reader, std::uint64_t logical_pages);

}  // namespace ftlab
