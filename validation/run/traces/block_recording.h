// What became of every superblock of a drive during a stretch of a run: pictures on a grid of simulated time, kept as
// blocks.json beside the result. The view "a drive at work" shows them. Looks only, so a run has the same results with it.
//
// blocks.json, version 1; times in the run's own simulated time:
//   superblocks, superblock_pages   how many, and how many pages of data each holds (of `page_bytes`; parity not counted)
//   blocks_per_superblock           NAND blocks that are erased together
//   dies_per_superblock, first_dies how many dies a superblock lies on, and the number of the first one, for superblock 0,
//   1,
//                                   ...; behind the end of the list it begins anew
//   states, frontiers               the words behind the numbers of the columns `state` and `frontier`
//   gc                              free superblocks at which collection begins (the reserve, where it stops the host) and
//                                   ends
//   from_ns to_ns every_ns          as asked
//   pictures                        how many were taken: fewer than asked when the run ended before to_ns
//   phases                          sections of the job file between stonewalls: name, from_s, to_s
//   host                            a list for each name, one number for each picture. Rates, latencies, wa and sums are of
//                                   the time since the picture before, null where nothing happened then and in the first
//                                   picture; free_superblocks and mapped_pages are those of the moment
//   columns                         valid     pages with current data
//                                   written   pages of data written since the last erase, those still in RAM included;
//                                             written - valid are stale, superblock_pages - written free
//                                   state     index into `states`
//                                   erases    since the drive was made
//                                   frontier  0: erased; else 1 + index into `frontiers`: who opened it
//   erases_at_end                   of every superblock, when the run ended
//
// A column is a list of pictures, a picture a list of runs that are the difference to the picture before (to all zeros for
// the first): [unchanged, n, d1, ..., dn, unchanged, n, ...]. So many superblocks are passed over, n follow with the
// difference of each; what the list does not reach is unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

struct RecordingPlan {
  Nanoseconds from{0}, to{0}, every{0};

  std::uint64_t pictures() const { return (to - from) / every + 1; }
};

inline constexpr std::uint64_t kMostPictures = 2000;
inline constexpr std::uint64_t kMostPicturedCells = std::uint64_t{1} << 22;  // superblocks x pictures; some 10 MB of file

// "FROM:TO:EVERY", each as a time in a job file: seconds, or with a unit. Throws ConfigError.
RecordingPlan read_recording_plan(const std::string& text);

class BlockRecording {
 public:
  // Throws ConfigError, with the arithmetic, when the drive has too many superblocks for so many pictures. REQUIRES: the
  // drive outlives it.
  BlockRecording(const Drive& drive, const RecordingPlan& plan);

  const RecordingPlan& plan() const { return plan_; }
  std::uint64_t taken() const { return taken_; }
  // The moment of the next picture; kNever: all are taken.
  Nanoseconds next() const;
  // The drive as it is, at next(). `host`: what the host saw since the last picture; not there for the first one. Costs a
  // pass over the superblocks.
  void take(const Counters& device, const SeriesRow* host);

  // The text of blocks.json. REQUIRES: the run is over, the drive as it was then.
  std::string text(const RunStats& stats) const;

 private:
  enum { kValid, kWritten, kState, kEraseCounts, kFrontier, kColumns };
  static constexpr const char* kColumnNames[kColumns] = {"valid", "written", "state", "erases", "frontier"};
  enum {
    kWriteRate,
    kReadRate,
    kTrimRate,
    kWa,
    kWriteMean,
    kWriteP99,
    kReadMean,
    kReadP99,
    kHostPages,
    kRelocated,
    kCollected,
    kErased,
    kTrimmed,
    kFree,
    kMapped,
    kHostLists
  };
  static constexpr const char* kHostNames[kHostLists] = {
      "write_MB_per_s",        "read_MB_per_s",        "trim_MB_per_s",         "wa",
      "latency_write_us_mean", "latency_write_us_p99", "latency_read_us_mean",  "latency_read_us_p99",
      "host_write_pages",      "relocated_pages",      "collected_superblocks", "erased_blocks",
      "trimmed_pages",         "free_superblocks",     "mapped_pages"};

  void look();
  std::uint32_t written(SuperblockId block) const;
  void add_host(const Counters& device, const SeriesRow* host);
  void add_host(int list, const std::string& value);
  std::string header(const RunStats& stats) const;

  const Drive& drive_;
  RecordingPlan plan_;
  std::uint64_t taken_ = 0;
  Counters before_;                             // of the device, at the last picture
  std::vector<std::uint32_t> shown_[kColumns];  // in the last picture
  std::vector<std::uint32_t> now_[kColumns];
  std::string pictures_[kColumns];  // as they stand in the file
  std::string host_[kHostLists];
};

}  // namespace ftlab
