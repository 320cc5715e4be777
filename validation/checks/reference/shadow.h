// What a drive should hold, kept outside of it: the version of every logical page, predicted from the requests alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/core/random.h"

namespace ftlab {

// Drives one Drive with requests of its own and checks every read. All requests complete before the next batch, so the
// last completed write is the last submitted one.
class ShadowedDrive {
 public:
  ShadowedDrive(const DriveConfig& config, Clock clock, std::uint64_t seed);

  struct Mix {
    unsigned read = 30, write = 60, trim = 9, flush = 1;  // weights of the kinds of requests
    std::uint64_t longest_sectors = 64;
    std::uint64_t hot_share_percent = 0;  // of requests that go to the first sixteenth of the drive
    unsigned streams = 1;                 // that the host tells apart
    std::uint64_t contents = 0;  // that requests have, for a drive that deduplicates; one more of which nothing is known
  };

  // Issues `requests` in batches of up to 32 and checks them all. Returns the first thing that was wrong, or nothing.
  std::string run(std::uint64_t requests, const Mix& mix);

  // The host is silent for so long.
  void rest(Nanoseconds time) { now_ = now_ + time; }

  // For a drive that may come to its end: one request at a time, until a write, trim or flush is refused. What the refused
  // request was about may be as before or as it wanted.
  std::string run_to_refusal(std::uint64_t requests, const Mix& mix);
  bool refused() const { return refused_; }
  // Whether the drive says that all it acknowledged is in the flash.
  bool flush();
  // As a host does it. Returns what was wrong, or nothing.
  std::string read_everything();

  // After a power cut, everything that a flush covered must be there; what was newer may be.
  void power_cycle();

  // Of a drive that deduplicates, behind its own record: what the flash holds of each page are the bytes that were written
  // to it, be it for another page; and while its table forgets nothing, equal bytes are there once. Returns the first thing
  // that was wrong, or nothing.
  std::string check_contents() const;

  Drive& drive() { return drive_; }
  const std::vector<Version>& expected() const { return expected_; }
  std::uint64_t submitted() const { return submitted_; }
  std::uint64_t completed() const { return completed_; }
  std::uint64_t reads_checked() const { return reads_checked_; }

 private:
  Request draw(const Mix& mix);

  std::string execute(const std::vector<Request>& batch);

  std::string take_refusal(const std::vector<Version>& before);

  // Versions count the logical pages that are written, in order.
  void predict(const Request& request, std::vector<ContentLog::Returned>& wanted);

  void note_written(const Request& request, std::uint64_t from, std::uint64_t bytes);

  // Reads find their pages in any order; those of one request come in order.
  std::string compare(const std::vector<ContentLog::Returned>& wanted);

  Drive drive_;
  RandomStream random_;
  std::vector<Version> expected_;
  std::vector<Fingerprint> written_;  // by version, of a drive that deduplicates
  ContentLog seen_;
  std::uint32_t version_ = 0;
  bool refused_ = false;
  std::uint64_t next_tag_ = 0;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t reads_checked_ = 0;
  Nanoseconds now_{0};
};

}  // namespace ftlab
