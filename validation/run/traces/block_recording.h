// Records the state of every superblock during part of a run, as pictures on a grid of simulated time, in blocks.json next
// to the result. The report's animated view shows them. Recording does not change the results of a run.
//
// blocks.json, version 1. Times are simulated time of the run:
//   superblocks, superblock_pages   number of superblocks, and data pages per superblock (of `page_bytes`, without parity)
//   blocks_per_superblock           NAND blocks that are erased together
//   dies_per_superblock, first_dies dies per superblock, and the first die of superblock 0, 1, and so on; repeats after the
//                                   end of the list
//   states, frontiers               names for the numbers in the columns `state` and `frontier`
//   gc                              free superblocks at which GC starts (the reserve, where it stops the host) and ends
//   from_ns to_ns every_ns          as requested
//   pictures                        number of pictures: fewer than requested if the run ended before to_ns
//   phases                          sections of the job file between stonewalls: name, from_s, to_s
//   host                            a list for each name, one number for each picture. Rates, latencies, wa and sums cover
//                                   the time since the previous picture, null without activity and in the first picture;
//                                   free_superblocks and mapped_pages are momentary
//   columns                         valid     valid pages
//                                   written   data pages written since the last erase, including those still in RAM;
//                                             written - valid are stale, superblock_pages - written free
//                                   state     index into `states`
//                                   erases    since the drive was new
//                                   frontier  0: erased; else 1 + index into `frontiers`: the frontier that opened it
//   erases_at_end                   of every superblock, when the run ended
//
// A column is a list of pictures. A picture is a list of runs with differences to the previous picture (to zeros for the
// first): [skip, n, d1, .., dn, skip, n, ..]. Each run skips `skip` unchanged superblocks and has the differences of the
// next n. Superblocks after the last run are unchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/host/stack/passing_device.h"
#include "sim/stats/run_stats.h"
#include "sim/stats/series.h"

namespace ftlab {

struct RecordingPlan {
  Nanoseconds from{0}, to{0}, every{0};

  std::uint64_t pictures() const { return (to - from) / every + 1; }
};

inline constexpr std::uint64_t kMostPictures = 2000;
inline constexpr std::uint64_t kMostPicturedCells = std::uint64_t{1} << 22;  // superblocks x pictures; about 10 MB of file

// "FROM:TO:EVERY", each as a time in a job file: seconds, or with a unit. Throws ConfigError.
RecordingPlan read_recording_plan(const std::string& text);

class BlockRecording {
 public:
  // Throws ConfigError, with the calculation, if superblocks x pictures exceeds the limit. REQUIRES: the drive outlives it.
  BlockRecording(const Drive& drive, const RecordingPlan& plan);

  const RecordingPlan& plan() const { return plan_; }
  std::uint64_t taken() const { return taken_; }
  // Time of the next picture, or kNever after the last.
  Nanoseconds next() const;
  // Takes the picture of next(). `host`: host activity since the last picture; null for the first one. O(superblocks).
  void take(const Counters& device, const SeriesRow* host);

  // Content of blocks.json. REQUIRES: the run is over and the drive unchanged since.
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
  Counters before_;                             // device counters at the last picture
  std::vector<std::uint32_t> shown_[kColumns];  // columns of the last picture
  std::vector<std::uint32_t> now_[kColumns];
  std::string pictures_[kColumns];  // as in the file
  std::string host_[kHostLists];
};

// A device between host and simulated drive that takes the pictures of a recording. Requests and completions are unchanged.
//
// A picture shows the effect of all requests submitted before its time. The FTL runs ahead of the flash: pages count as
// written once they have a physical address. Idle-time GC appears with the next request, when the FTL catches up.
class RecordedDevice final : public PassingDevice {
 public:
  // REQUIRES: both outlive it; `device` is timed, its clock starts with the run, and it is the recorded drive or in front of
  // it.
  RecordedDevice(Device& device, BlockRecording& recording) : PassingDevice(device), recording_(recording) {}

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // After the run: takes the pictures until `ended`. REQUIRES: no request is outstanding.
  void finish(Nanoseconds ended);

 private:
  void take_picture();
  void count(const Completion& done);

  BlockRecording& recording_;
  std::optional<SeriesCollector> host_;                   // set by the first picture
  std::unordered_map<std::uint64_t, Request> in_flight_;  // by tag; never iterated
};

}  // namespace ftlab
