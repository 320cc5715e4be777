// Where a job stands in one of its files: which blocks are taken, where each direction has come to. Offsets
// count from the beginning of the file's region. How fio ends a pass and begins the next one was found by
// experiment and stands in docs/workloads.md.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/random/distribution.h"
#include "sim/workload/random/lfsr.h"
#include "sim/workload/random/random_map.h"
#include "sim/workload/random/steady_fill.h"
#include "sim/workload/size_source.h"

namespace ftlab {

// What chance decides in a job, a stream for each question.
struct Streams {
  explicit Streams(std::uint64_t seed)
      : offsets(seed, "offset"),
        mix(seed, "mix"),
        sizes(seed, "size"),
        jumps(seed, "jump"),
        files(seed, "file"),
        fill(seed, "fill") {}
  RandomStream offsets, mix, sizes, jumps, files, fill;
};

// The part of a job that all of its files have in common.
struct WalkRules {
  explicit WalkRules(const Job& job);

  enum class Order : std::uint8_t { sequential, uniform, skewed, mapped, lfsr, listed, steady_fill };
  Order order;
  Pattern pattern;
  bool time_based;
  bool repeat_offset;
  bool sizes_by_order;
  StridedZones zones;
  std::vector<std::uint64_t> listed;  // random_distribution=sequence
  bool list_advances;
  PerDirection<std::uint32_t> random_percent;
  PerDirection<std::uint64_t> block_bytes;  // the least size, in which the map counts
  PerDirection<std::uint64_t> step_bytes;   // between random offsets
  PerDirection<SizeSource> sizes;
};

class FileWalk {
 public:
  // `origin` is where the most frequent block of a skewed distribution lies.
  FileWalk(const WalkRules& rules, const Job& job, const FileRegion& file, Streams& streams, std::uint64_t origin);

  struct Place {
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
  };
  // Where the next request of direction `d` goes, and how long it is; false at the end of a pass. `run_left`
  // counts the requests until the next random start of rw=rand...:N, over all files.
  bool place(const WalkRules& rules, Direction d, Streams& streams, std::uint64_t& run_left, Place& place);

  // A request of that direction was issued.
  void issued(Direction d, const Place& place);

  // Begins a pass: the lfsr in a new order, unless it repeats.
  void restart(const WalkRules& rules, Streams& streams, bool repeat_lfsr);

  std::uint64_t first_bytes() const { return first_bytes_; }
  std::uint64_t file_end_bytes() const { return first_bytes_ + room_bytes_; }
  // Places of a random request of that direction.
  std::uint64_t blocks(Direction d) const { return blocks_[static_cast<std::size_t>(d)]; }

  bool write_is_due = false;  // of the block that was trimmed last
  Place trimmed;

 private:
  struct Spot {
    std::uint64_t offset = 0;
    bool random = false;  // at a random offset, not behind the last request
    bool taken = false;   // its blocks are recorded in the map
  };

  void keep_in_zone(const StridedZones& zones, Direction d);
  bool place_sequential(const WalkRules& rules, Direction d, Spot& spot);
  bool place_random(const WalkRules& rules, Direction d, Streams& streams, bool taken, Spot& spot);
  bool place_at_start(const WalkRules& rules, Direction d, Streams& streams, Spot& spot);
  bool place_in_run(const WalkRules& rules, Direction d, Streams& streams, Spot& spot);
  bool follow(const WalkRules& rules, Direction d, Streams& streams, Spot& spot);
  bool spot(const WalkRules& rules, Direction d, Streams& streams, std::uint64_t& run_left, Spot& spot);
  std::uint64_t length(const WalkRules& rules, Direction d, Streams& streams, const Spot& spot);
  std::uint64_t skipped(const Pattern& pattern, std::uint64_t position) const;
  std::uint64_t skipped_back(std::uint64_t position, std::uint64_t length) const;
  std::uint64_t random_block(const WalkRules& rules, Direction d, Streams& streams);
  std::uint64_t mapped_block(const WalkRules& rules, std::uint64_t count, Streams& streams);
  std::uint64_t lfsr_block(const WalkRules& rules);
  std::uint64_t listed_block(const WalkRules& rules);

  std::uint64_t first_bytes_;
  std::uint64_t region_bytes_;
  std::uint64_t room_bytes_;     // from the region's beginning to the end of its file
  std::uint64_t region_offset_;  // of the region in its file
  bool wraps_in_pass_;           // a region that is the whole file: holes go on from its beginning within the pass
  PerDirection<std::uint64_t> blocks_;
  std::vector<Distribution> distributions_;  // of a skewed job, by direction
  RandomMap map_;
  Lfsr lfsr_;
  std::uint64_t lfsr_start_ = 0;
  SteadyFill fill_;
  std::uint64_t listed_count_ = 0;  // of blocks of the list that were accessed
  std::uint64_t zone_first_ = 0;    // where the zone begins, and what was moved in it
  std::uint64_t zone_moved_ = 0;

  PerDirection<std::uint64_t> position_{};  // behind the last request of each direction
  PerDirection<std::uint64_t> last_start_{};
};

}  // namespace ftlab
