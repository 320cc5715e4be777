// Design of a translation layer, as given in a drive file.
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
  std::uint32_t start_free = 1;              // GC low watermark: collection starts at this many free superblocks
  std::uint32_t stop_free = 2;               // GC high watermark: collection ends at this many
  std::uint32_t pages_per_host_write = 0;    // relocated per mapping page of host writes, while collecting; 0: none until
                                             // the last reserve is reached, then all at once (stop the world)
  std::vector<std::uint64_t> values = {};    // the policy's own parameters, in its order
  Bins::Keeping ties = Bins::Keeping::lifo;  // choice among superblocks with equally many valid pages; sorted: random
  bool even_pace = false;                    // as many as free the space that the host takes, at most pages_per_host_write
  bool shuffle = false;                      // relocate a victim's pages in random order
  bool copyback = false;                     // pages that stay on their die do not cross the channel
  Nanoseconds idle_after{0};                 // idle time after which collection starts; 0: never
  std::uint32_t idle_stop_free = 0;          // free superblocks at which idle collection ends
  GcPolicyMaker own = nullptr;               // supplied by the embedding program, used instead of `policy`; empty if none
};

struct WearConfig {
  bool least_worn_first = false;         // dynamic wear levelling: open the least worn free superblock
  std::uint32_t static_spread = 0;       // static wear levelling: collect the least worn superblock when it lags the most
                                         // worn one by more erases than this; 0: never
  std::uint32_t check_every_erases = 1;  // interval of the check for static levelling
};

// Rewriting superblocks whose cells have gathered errors; see ftl/read/refresh.h.
struct RefreshConfig {
  std::uint64_t errors_per_pbit = 0;
  std::uint32_t retry_steps = 0;
  Nanoseconds scan_every{0};            // 0: no refresh
  std::uint32_t pages_per_request = 0;  // relocated with each host request while a superblock waits

  bool on() const { return scan_every > Nanoseconds{0}; }
};

struct TrimConfig {
  enum class Mode : std::uint8_t { immediate, deferred, off };
  Mode mode = Mode::immediate;
  std::uint64_t granularity_bytes = 0;     // only whole aligned pieces of this size are trimmed; 0: a mapping page
  std::uint32_t pages_per_host_write = 0;  // deferred: pages trimmed per mapping page of host writes
  std::uint32_t record_bytes = 0;          // bytes that a trim writes to the flash, collected into whole slots; 0: none
  std::uint32_t waiting_ranges = 0;        // deferred: maximum number of waiting trims, further ones are dropped; 0: any
  bool queued = true;                      // false: a trim waits until the queue is empty, and later commands wait for it
  bool reads_old_data = false;             // deferred: a read before the trim is executed returns the old data
};

struct BufferConfig {
  std::uint32_t pages = 0;  // room for host data until they are programmed, in mapping pages
  std::uint32_t coalescing_pages =
      0;                  // kept in RAM to be completed or overwritten before they are handed over for programming
  bool coalesce = false;  // also hold whole pages; false: only writes smaller than a mapping page
  bool power_loss_protected = false;  // data in RAM survive a power cut; a flush does nothing
  bool write_back = true;             // false: a write completes when its data are in the flash, as with FUA
};

// pSLC cache: superblocks written with one bit a cell, fast and small, folded into the others later.
struct SlcConfig {
  std::uint32_t superblocks = 0;    // 0: none
  std::uint32_t cells_per_bit = 2;  // native bits per cell: 2 for MLC
  bool direct_when_full = true;     // host writes bypass a full cache; false: they wait for folding
  bool folds_late = false;          // fold only while the host is idle; false: also during its writes
};

// Host data go to pSLC superblocks (one bit a cell), which are fast and hold less, while the mapped share of the user space
// and the pSLC share of the free space are below their limits. Other host data go to native superblocks. pSLC superblocks
// are folded at once when the mode ends, or late: as the first victims of collection when free superblocks are short, and
// while the host is idle. Late folding gives sustained writes three speeds: cache, native, folding. A cache that may take
// all flash leaves no room for native superblocks: host data go to the room that folding makes in it, until the user space
// is full. Sustained writes then have two speeds.
//
// Folding at once is assumed for OCZ's Vertex 4, whose firmware 1.5 writes 481 instead of 411 MB/s below half of the
// capacity (ComputerBase, "OCZ Vertex 4 mit Firmware 1.5", 2012-10). How that drive does it is not published.
struct PslcModeConfig {
  std::uint32_t until_mapped_permille = 0;  // limit of the mapped share of the user space; 0: no limit
  std::uint32_t cells_per_bit = 2;          // native bits per cell
  std::uint32_t free_space_permille = 0;    // limit, as a share of the superblocks that mapped pages leave free; 0: no limit
  bool folds_late = false;
  Nanoseconds fold{0};  // time for which folding occupies a die for each stripe, in addition to its read and program
  bool on() const { return until_mapped_permille > 0 || free_space_permille > 0; }
  // The limit at which the cache may take all flash: with b bits a cell, the N superblocks of an empty drive hold N / b
  // superblocks of data, which leave N (b - 1) / b free.
  std::uint32_t all_flash_permille() const { return 1000 * cells_per_bit / (cells_per_bit - 1); }
  bool takes_all_flash() const { return cells_per_bit > 1 && free_space_permille >= all_flash_permille(); }
};

inline constexpr std::uint32_t kSlcPool = 1;  // only in drives with a pSLC cache

struct FtlConfig {
  std::uint32_t mapping_bytes = 4096;  // the mapping page: smaller host writes cost a read-modify-write
  SuperblockShape superblock;
  MappingConfig mapping;
  CompressionConfig compression;
  DeduplicationConfig deduplication;
  bool separate_relocation = true;  // relocated data have their own frontiers
  PlacementConfig placement;
  GcConfig gc;
  WearConfig wear;
  RefreshConfig refresh;
  TrimConfig trim;
  BufferConfig buffer;
  SlcConfig slc;
  PslcModeConfig pslc_mode;
  std::uint32_t most_versions = 0xffff'fff0;  // versions are renumbered after this many; only tests lower it
  std::uint32_t failure_reserve = 0;          // superblocks of each reserve kept for block failures; 1 if the flash can fail

  // Bytes that a PPN addresses: a mapping page, or a slot with compression.
  std::uint32_t slot_bytes() const { return compression.on() ? compression.slot_bytes : mapping_bytes; }
  // Maximum number of slots of a mapping page.
  std::uint32_t slots_per_page() const { return mapping_bytes / slot_bytes(); }
  // Slots of a mapping page that an ideal compressor shrinks to `stored` thousandths.
  std::uint32_t slots_of(std::uint32_t stored) const { return compression.slots(stored, mapping_bytes); }
  // Minimum number of slots with data in a full superblock: the next page may not have fitted in the rest.
  std::uint32_t guaranteed_slots(const Layout& layout) const { return layout.data_pages() - (slots_per_page() - 1); }

  // All frontiers: those of placement, then one each for translation pages, defragmented extents and the pSLC cache, if
  // present. In a hybrid map, merges write the first frontier and the log blocks follow.
  std::vector<FrontierPlan> frontiers() const;
  std::uint32_t translation_frontier() const;  // kNoFrontier: none
  std::uint32_t extent_frontier() const;       // kNoFrontier: none
  std::uint32_t slc_frontier() const;          // kNoFrontier: none
  std::uint32_t pool_count() const;
  bool is_slc_pool(std::uint32_t pool) const { return slc.superblocks > 0 && pool == kSlcPool; }
  // True if its decisions depend on the versions of data, apart from recovery.
  bool needs_versions() const;
  std::uint32_t reserve(std::uint32_t pool) const;  // superblocks that must stay free for relocation
  // Slots of current data that a reclaim group may hold while the host writes to it, with the room that it has at the open
  // frontiers of the host. Negative if the group is too small for any data.
  std::int64_t most_slots_in_group(const Layout& layout, std::uint32_t group) const;
  BlocksOptions blocks_options(const Layout& layout) const;
};

inline constexpr std::uint32_t kNoFrontier = 0xffff'ffff;
// Reserve of a hybrid map: the superblock that a merge writes, one that waits for its erase meanwhile, and one for the
// merges after a power cut in between.
inline constexpr std::uint32_t kMergeReserve = 3;

// Reads the object `ftl` of a drive file and checks it against the geometry and the user space: enough superblocks for
// the data, the frontiers and the reserve, with the arithmetic in the message. Throws ConfigError.
FtlConfig read_ftl(Reader reader, const Geometry& geometry, const NandTiming& timing, std::uint64_t user_bytes,
                   bool flash_fails);

// REQUIRES: a known name.
std::size_t gc_policy_index(std::string_view name);

// Minimum number of superblocks with which one pool of this design always makes progress: its logical pages and the scheme's
// own pages, one more page so that some superblock has a stale page, the open frontiers, and the reserve. Also computed for
// a pSLC cache, which the drive can do without if the host may bypass it.
std::uint64_t superblocks_needed_of(const FtlConfig& config, const Layout& layout, std::uint32_t pool,
                                    std::uint64_t logical_pages);
// Sum over all pools.
std::uint64_t superblocks_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages);

}  // namespace ftlab
