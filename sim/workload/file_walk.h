// Position of a job in one of its files: which blocks are taken, and where each direction stands. Offsets count from the
// beginning of the file's region. How fio ends a pass and begins the next was found by experiment and is described in
// docs/workloads.md.
#pragma once

#include <cstdint>

#include "sim/workload/random_blocks.h"

namespace ftlab {

class FileWalk {
 public:
  // `origin` is the position of the most frequent block of a skewed distribution.
  FileWalk(const WalkRules& rules, const Job& job, const FileRegion& file, Streams& streams, std::uint64_t origin);

  struct Place {
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
  };
  // Sets the place of the next request of direction `d`; returns false at the end of a pass. `run_left` is the number of
  // requests until the next random start of rw=randread:N and the like, over all files.
  bool place(const WalkRules& rules, Direction d, Streams& streams, std::uint64_t& run_left, Place& place);

  // Records that a request of direction `d` was issued.
  void issued(Direction d, const Place& place);

  // Begins a pass. The lfsr takes a new order unless `repeat_lfsr` is set.
  void restart(const WalkRules& rules, Streams& streams, bool repeat_lfsr);

  std::uint64_t first_bytes() const { return first_bytes_; }
  std::uint64_t file_end_bytes() const { return first_bytes_ + room_bytes_; }
  // Number of possible places of a random request of direction `d`.
  std::uint64_t blocks(Direction d) const { return blocks_.count(d); }

  bool write_is_due = false;  // the block that was trimmed last must be written next
  Place trimmed;

 private:
  struct Spot {
    std::uint64_t offset = 0;
    bool random = false;  // at a random offset, not after the last request
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

  std::uint64_t first_bytes_;
  std::uint64_t region_bytes_;
  std::uint64_t room_bytes_;     // from the beginning of the region to the end of its file
  std::uint64_t region_offset_;  // offset of the region in its file
  bool wraps_in_pass_;           // the region is the whole file: skips wrap to its beginning within the pass
  RandomBlocks blocks_;
  std::uint64_t zone_first_ = 0;  // beginning of the current zone, and bytes moved in it
  std::uint64_t zone_moved_ = 0;

  PerDirection<std::uint64_t> position_{};  // end of the last request of each direction
  PerDirection<std::uint64_t> last_start_{};
};

}  // namespace ftlab
