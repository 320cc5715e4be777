// Keeps, on another device, what a drive has promised: which sectors it had written when it reported a flush as done. After
// a power cut (or an end of this process) the drive is held against it: every such sector must hold that version or a later
// one, and nothing that was never issued.
//
// A flush promises the writes that were complete when it was SUBMITTED; what completed meanwhile is not yet promised. The
// host learns of a flush only when the promise is on the log's own disk. Writes with FUA promise themselves. Which versions
// may be on the drive at all is put on disk in blocks before the first of them is issued.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/host/stack/passing_device.h"
#include "validation/measure/contents/sector_versions.h"
#include "validation/measure/target/guard.h"

namespace ftlab {

class DurabilityLog final : public PassingDevice {
 public:
  static constexpr std::uint64_t kBlock = 1 << 16;  // versions that are announced at once

  // Makes the file, which must not exist. `run`: as in the stamps; `serial`: of the device; `range`: that the host sees.
  // REQUIRES: the device stamps its writes, is used by nobody else, has accepted no write yet, and outlives it.
  // Throws OutputError.
  DurabilityLog(Device& device, const std::string& file, std::uint64_t run, const std::string& serial,
                const ByteRange& range);
  ~DurabilityLog() override;
  DurabilityLog(const DurabilityLog&) = delete;
  DurabilityLog& operator=(const DurabilityLog&) = delete;

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;

 private:
  struct Write {
    std::uint64_t version = 0;  // of the sector before its first
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
  };
  struct Outstanding {
    Request request;
    Write write;
    std::size_t promises = 0;  // of a flush: so many of completed_ from the front
  };

  static std::string held_line(const Write& write);
  void announce(std::uint64_t versions);
  void completed(const Completion& done);
  void promise(std::size_t count);
  void put(const std::string& lines);
  void settle();

  std::string path_;
  int file_ = -1;
  std::uint64_t versions_ = 0;                                  // accepted
  std::uint64_t announced_ = 0;                                 // may be on the drive
  std::deque<Write> completed_;                                 // and not promised
  std::uint64_t promised_ = 0;                                  // taken from the front of completed_ so far
  std::unordered_map<std::uint64_t, Outstanding> outstanding_;  // by tag; never walked
};

// What was promised, as read from a log that may end in the middle of a line.
struct Promises {
  std::uint64_t run = 0;
  std::string serial;
  ByteRange range;
  std::uint64_t issued = 0;  // no later version exists
  SectorVersions held{1};    // by sector of the device
  // Of sectors that were trimmed, the versions issued until then: unless a later one is held, what they hold is open.
  SectorVersions trimmed{0};
};
// Throws ConfigError for what the instrument does not write.
Promises read_promises(const std::string& file);
// The same of a text; `file` is what messages call it.
Promises parse_promises(std::istream& text, const std::string& file);

// What the drive holds after the cut, sector by sector of the range.
struct AfterCut {
  std::uint64_t sectors = 0, promised = 0, kept = 0;
  std::uint64_t stale = 0, zero = 0, foreign = 0, torn = 0, misplaced = 0;  // in the place of what was promised
  std::uint64_t unpromised_torn = 0;                                        // torn where a write was under way
  std::uint64_t never_issued = 0;                                           // versions that do not exist
  std::vector<std::string> lines;                                           // about the first of what is wrong
  bool holds() const { return stale + zero + foreign + torn + misplaced + never_issued == 0; }
  std::string text() const;
};
// Of one sector that was read.
void judge_sector(AfterCut& after, const Promises& promises, std::uint64_t offset_bytes,
                  std::span<const std::byte, kSectorBytes> sector);
// Reads the whole range by direct I/O. Throws TargetError.
AfterCut hold_against(const Promises& promises, int descriptor);

}  // namespace ftlab
