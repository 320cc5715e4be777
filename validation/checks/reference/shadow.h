// A host for tests that draws its own requests, and a shadow of its drive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/core/random.h"
#include "validation/checks/reference/expected_contents.h"

namespace ftlab {

// Sends requests to a drive and checks every read. Each batch completes before the next one, so the last completed write is
// the last submitted one.
class ShadowedDrive {
 public:
  ShadowedDrive(const DriveConfig& config, Clock clock, std::uint64_t seed);

  struct Mix {
    unsigned read = 30, write = 60, trim = 9, flush = 1;  // weights of the request kinds
    std::uint64_t longest_sectors = 64;
    std::uint64_t hot_share_percent = 0;  // share of requests to the first sixteenth of the drive
    unsigned streams = 1;                 // number used by the host
    std::uint64_t contents = 0;           // number used by requests, for deduplication; an unknown content is added
  };

  // Issues `requests` in batches of up to 32 and checks them all. Returns the first error, or nothing.
  std::string run(std::uint64_t requests, const Mix& mix);

  // Lets the host be idle.
  void rest(Nanoseconds time) { now_ = now_ + time; }

  // For a drive that may reach its end of life: one request at a time, until a write, trim or flush is refused. Pages of the
  // refused request may have their old or new content.
  std::string run_to_refusal(std::uint64_t requests, const Mix& mix);
  bool refused() const { return refused_; }
  // Sends a flush. Returns true if the drive acknowledges it.
  bool flush();
  // Reads all pages through the host interface. Returns the first error, or nothing.
  std::string read_everything();

  // After a power cut all flushed data must be present; newer data may be.
  void power_cycle();

  // Checks a drive with deduplication against an independent record: the flash must hold the bytes written to each page,
  // even if stored for another page, and while the fingerprint table is complete, equal bytes are stored once. Returns the
  // first error, or nothing.
  std::string check_contents() const;

  Drive& drive() { return drive_; }
  // The version of every logical page.
  std::vector<Version> expected() const;

 private:
  Request draw(const Mix& mix);

  std::string execute(const std::vector<Request>& batch);

  void predict(const Request& request);

  // Compares what reads returned.
  std::string compare();

  Drive drive_;
  RandomStream random_;
  ExpectedContents expected_;
  std::vector<Fingerprint> written_;  // by version; deduplication only
  ContentLog seen_;
  bool refused_ = false;
  std::uint64_t next_tag_ = 0;
  Nanoseconds now_{0};
};

}  // namespace ftlab
