// Records on another device what a drive has promised: the sectors that were written when it reported a flush as done. After
// a power cut (or an end of this process) the drive is checked against the log: every such sector must hold that version or
// a later one, and none that was never issued.
//
// A flush promises the writes that were complete when it was SUBMITTED; writes that complete during the flush are not
// promised yet. The host learns of a flush only after the promise is on the log's own disk. FUA writes promise themselves.
// The versions that may be on the drive at all are logged in blocks, before the first of a block is issued.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/host/stack/passing_device.h"
#include "validation/measure/target/guard.h"
#include "validation/results/output_file.h"

namespace ftlab {

// Version of each sector of a device, as runs of sectors: memory and time depend on the number of entries, not on the number
// of sectors that an entry names.

class SectorVersions {
 public:
  // Within a run the version rises by `step` from sector to sector.
  explicit SectorVersions(std::uint64_t step) : step_(step) {}
  SectorVersions(SectorVersions&&) = default;
  SectorVersions(const SectorVersions&) = delete;  // last_ points into runs_

  // Gives the sectors [first, end) the versions `version`, `version` + step and so on, unless they have a later one.
  // Logarithmic in the number of runs, and linear in the runs of the range. REQUIRES: first < end.
  void raise(std::uint64_t first, std::uint64_t end, std::uint64_t version);

  // Returns none if the sector has no version. Constant time for ascending sectors, else logarithmic.
  std::optional<std::uint64_t> at(std::uint64_t sector) const;

  std::uint64_t sectors() const;  // with a version; linear in the number of runs

 private:
  struct Run {
    std::uint64_t end = 0;
    std::uint64_t version = 0;  // version of the first sector
  };
  using Runs = std::map<std::uint64_t, Run>;  // by first sector; without overlaps

  std::uint64_t version_at(Runs::const_iterator run, std::uint64_t sector) const {
    return run->second.version + step_ * (sector - run->first);
  }
  void split(std::uint64_t sector);

  std::uint64_t step_;
  Runs runs_;
  mutable Runs::const_iterator last_;  // found by the last at()
  mutable bool has_last_ = false;
};

class DurabilityLog final : public PassingDevice {
 public:
  static constexpr std::uint64_t kBlock = 1 << 16;  // versions announced at once

  // Creates the file, which must not exist. `run`: as in the stamps; `serial`: of the device; `range`: as the host sees it.
  // REQUIRES: the device stamps its writes, has no other user, has accepted no write yet, and outlives this. Throws
  // OutputError.
  DurabilityLog(Device& device, const std::string& file, std::uint64_t run, const std::string& serial,
                const ByteRange& range);

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;

 private:
  struct Write {
    std::uint64_t version = 0;  // version of the last sector before this write
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
  };
  struct Outstanding {
    Request request;
    Write write;
    std::size_t promises = 0;  // flushes only: promises this many completed writes, counted from the first
  };

  static std::string held_line(const Write& write);
  void announce(std::uint64_t versions);
  void completed(const Completion& done);
  void promise(std::size_t count);

  OutputFile file_;
  std::uint64_t versions_ = 0;                                  // version of the last accepted sector
  std::uint64_t announced_ = 0;                                 // no later version may be on the drive
  std::deque<Write> completed_;                                 // not promised yet
  std::uint64_t promised_ = 0;                                  // removed from the front of completed_ so far
  std::unordered_map<std::uint64_t, Outstanding> outstanding_;  // by tag; never iterated
};

// Promises read from a log, whose last line may be incomplete.
struct Promises {
  std::uint64_t run = 0;
  std::string serial;
  ByteRange range;
  std::uint64_t issued = 0;  // no later version exists
  SectorVersions held{1};    // by device sector
  // For trimmed sectors, the versions issued before the trim: unless a later one is held, their contents are undefined.
  SectorVersions trimmed{0};
};
// Throws ConfigError for anything that DurabilityLog does not write.
Promises read_promises(const std::string& file);
// Like read_promises(), from a stream; `file` is its name in messages.
Promises parse_promises(std::istream& text, const std::string& file);

// Contents of the range after the cut, counted by sector.
struct AfterCut {
  std::uint64_t sectors = 0, promised = 0, kept = 0;
  std::uint64_t stale = 0, zero = 0, foreign = 0, torn = 0, misplaced = 0;  // found instead of promised data
  std::uint64_t unpromised_torn = 0;                                        // torn during a write that was not promised
  std::uint64_t never_issued = 0;                                           // versions that do not exist
  std::vector<std::string> lines;                                           // about the first errors
  bool holds() const { return stale + zero + foreign + torn + misplaced + never_issued == 0; }
  std::string text() const;
};
// Judges one sector that was read.
void judge_sector(AfterCut& after, const Promises& promises, std::uint64_t offset_bytes,
                  std::span<const std::byte, kSectorBytes> sector);
// Reads the whole range with direct I/O. Throws TargetError.
AfterCut check_against(const Promises& promises, int descriptor);

}  // namespace ftlab
