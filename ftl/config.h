// The design of a translation layer, as a drive file states it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/blocks/frontier.h"
#include "ftl/blocks/placement.h"
#include "ftl/mapping/config.h"
#include "ftl/policies/gc_policy.h"
#include "models/compression/compression.h"
#include "models/compression/deduplication.h"
#include "models/nand/array/layout.h"
#include "models/nand/timing/timing.h"
#include "sim/config/reader.h"

namespace ftlab {

struct GcConfig {
  std::size_t policy = 0;                    // index into gc_policy_kinds()
  std::uint32_t start_free = 1;              // collection begins when this many superblocks or fewer are free ...
  std::uint32_t stop_free = 2;               // ... and ends when this many are
  std::uint32_t pages_per_host_write = 0;    // relocated with each mapping page that the host writes, while collecting;
                                             // 0: nothing until the last reserve is reached, then at once (stop the world)
  std::vector<std::uint64_t> values = {};    // of the policy's own parameters, in its order
  Bins::Keeping ties = Bins::Keeping::lifo;  // of superblocks with equally many current pages; sorted: at random
  bool shuffle = false;                      // relocate a victim's pages in random order, not in the order of pages
  bool copyback = false;                     // pages that stay on their die do not cross the channel
  Nanoseconds idle_after{0};                 // collect when the host has been silent for so long; 0: never
  std::uint32_t idle_stop_free = 0;          // ... until so many superblocks are free
  GcPolicyMaker own = nullptr;               // of the program around, in the place of `policy`; empty: there is none
};

struct WearConfig {
  bool least_worn_first = false;         // dynamic levelling: of the free superblocks the least worn is opened
  std::uint32_t static_spread = 0;       // static levelling: collect the least worn superblock when it lags behind by more
                                         // erases; 0: never
  std::uint32_t check_every_erases = 1;  // static levelling looks after so many erases
};

// Rewriting superblocks whose cells have gathered errors; see ftl/read/refresh.h.
struct RefreshConfig {
  std::uint64_t errors_per_pbit = 0;
  std::uint32_t retry_steps = 0;
  Nanoseconds scan_every{0};            // 0: the drive refreshes nothing
  std::uint32_t pages_per_request = 0;  // relocated with each request of the host while a superblock waits

  bool on() const { return scan_every > Nanoseconds{0}; }
};

struct TrimConfig {
  enum class Mode : std::uint8_t { immediate, deferred, off };
  Mode mode = Mode::immediate;
  std::uint64_t granularity_bytes = 0;     // only whole aligned pieces of this size are trimmed; 0: a mapping page
  std::uint32_t pages_per_host_write = 0;  // deferred: trimmed with each mapping page that the host writes
  std::uint32_t record_bytes = 0;          // that a trim writes to the flash, gathered to whole slots; 0: nothing
  std::uint32_t waiting_ranges = 0;        // deferred: trims that can wait, one more is forgotten; 0: any number
  bool queued = true;                      // false: a trim waits until the queue is empty, and all wait for it
  bool reads_old_data = false;             // deferred: a read before the trim was carried out returns the old content
};

struct BufferConfig {
  std::uint32_t pages = 0;  // host data in RAM until programmed, in mapping pages
  std::uint32_t coalescing_pages =
      0;                  // kept in RAM to be completed or overwritten before they are handed over for programming
  bool coalesce = false;  // whole pages are held too; false: only writes smaller than a mapping page
  bool power_loss_protected = false;  // what is in RAM survives a power cut; a flush has nothing to do
  bool write_back = true;             // false: a write is complete when its data are in the flash, as if it had FUA
};

// Superblocks written with one bit a cell: fast, small; folded into the others later.
struct SlcConfig {
  std::uint32_t superblocks = 0;    // 0: none
  std::uint32_t cells_per_bit = 2;  // of the flash: 2 for MLC
  bool direct_when_full = true;     // the host writes past a full cache; false: it waits for folding
  bool folds_late = false;          // folded only while the host is idle; false: also beside its writes
};

// Host data go to superblocks with one bit a cell, which are fast and hold less, while less than a share of the user space
// is mapped and such superblocks take less than a share of the free space. Other host data go to native superblocks. pSLC
// superblocks are folded at once when the mode ends, or late: as the first victims of collection when free superblocks are
// short, and while the host is idle. Late folding gives sustained writes three speeds: cache, native, folding.
//
// At once is assumed of OCZ's Vertex 4, whose firmware 1.5 has a mode below half of the capacity that writes 481 instead of
// 411 MB/s (ComputerBase, "OCZ Vertex 4 mit Firmware 1.5", 2012-10); how that drive does it is not published.
struct PslcModeConfig {
  std::uint32_t until_mapped_permille = 0;  // 0: no limit
  std::uint32_t cells_per_bit = 2;          // of the flash
  std::uint32_t free_space_permille = 0;    // of the superblocks that mapped pages leave free; 0: no limit
  bool folds_late = false;
  bool on() const { return until_mapped_permille > 0 || free_space_permille > 0; }
};

inline constexpr std::uint32_t kSlcPool = 1;  // of a drive with a pSLC cache

struct FtlConfig {
  std::uint32_t mapping_bytes = 4096;  // the mapping page: smaller host writes cost a read-modify-write
  SuperblockShape superblock;
  MappingConfig mapping;
  CompressionConfig compression;
  DeduplicationConfig deduplication;
  bool separate_relocation = true;  // relocated data get frontiers of their own
  PlacementConfig placement;
  GcConfig gc;
  WearConfig wear;
  RefreshConfig refresh;
  TrimConfig trim;
  BufferConfig buffer;
  SlcConfig slc;
  PslcModeConfig pslc_mode;
  std::uint32_t most_versions = 0xffff'fff0;  // then they are renumbered; only tests lower it
  std::uint32_t failure_reserve = 0;  // superblocks of each reserve that wait for one to fail; 1 where the flash can fail

  // What a physical page number stands for: a mapping page, or a slot of a drive that compresses.
  std::uint32_t slot_bytes() const { return compression.on() ? compression.slot_bytes : mapping_bytes; }
  // Places that a mapping page takes at most.
  std::uint32_t slots_per_page() const { return mapping_bytes / slot_bytes(); }
  // Slots that a mapping page takes of which an ideal compressor would leave so many thousandths.
  std::uint32_t slots_of(std::uint32_t stored) const { return compression.slots(stored, mapping_bytes); }
  // Of a superblock that is full, as many at least hold data: behind them the next page may not have fitted in.
  std::uint32_t guaranteed_slots(const Layout& layout) const { return layout.data_pages() - (slots_per_page() - 1); }

  // All frontiers: placement's, then one each for translation pages, defragmented extents and the pSLC cache, where there
  // are these. The log blocks of a hybrid map come after a first one, which merges write.
  std::vector<FrontierPlan> frontiers() const;
  std::uint32_t translation_frontier() const;  // kNoFrontier: none
  std::uint32_t extent_frontier() const;       // kNoFrontier: none
  std::uint32_t slc_frontier() const;          // kNoFrontier: none
  std::uint32_t pool_count() const;
  bool is_slc_pool(std::uint32_t pool) const { return slc.superblocks > 0 && pool == kSlcPool; }
  // Whether its decisions look at the versions of data, beside recovery.
  bool needs_versions() const;
  std::uint32_t reserve(std::uint32_t pool) const;  // superblocks that must stay free for relocation
  BlocksOptions blocks_options(const Layout& layout) const;
};

inline constexpr std::uint32_t kNoFrontier = 0xffff'ffff;
// Of a hybrid map: the superblock that a merge writes, the one that waits for its erase meanwhile, and one for the merges
// after a power cut in between.
inline constexpr std::uint32_t kMergeReserve = 3;

// Reads the object `ftl` of a drive file and checks it against the geometry and the user space: enough superblocks for
// the data, the frontiers and the reserve, with the arithmetic in the message. Throws ConfigError.
FtlConfig read_ftl(Reader reader, const Geometry& geometry, const NandTiming& timing, std::uint64_t user_bytes,
                   bool flash_fails);

// REQUIRES: a known name.
std::size_t gc_policy_index(std::string_view name);

// The smallest number of superblocks with which a layer of this design always makes progress: all logical pages and the
// scheme's own, one page more so that some superblock has a stale page, the open frontiers, the reserve; pool by pool.
// Of one pool. Also of a pSLC cache, which the drive can do without when the host may write past it.
std::uint64_t superblocks_needed_of(const FtlConfig& config, const Layout& layout, std::uint32_t pool,
                                    std::uint64_t logical_pages);
// Of all pools.
std::uint64_t superblocks_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages);

}  // namespace ftlab
