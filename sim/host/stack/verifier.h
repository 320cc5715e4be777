// The host's side of verify: between the jobs and a device that tells what its reads return, it predicts from the requests
// alone, in order of submission, which version every granule must have, and compares.
//
// A read whose granules are not all as predicted comes back as Status::mismatch. What lay on the device before the run is
// not known: the first read of such a granule is believed, each further one must return the same.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/host/stack/passing_device.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

class Verifier final : public PassingDevice {
 public:
  // Null when no job verifies. Throws ConfigError when one does and the device cannot tell what reads return.
  // REQUIRES: the device outlives the verifier and has nothing outstanding.
  static std::unique_ptr<Verifier> of(Device& device, const std::vector<Job>& jobs);
  ~Verifier() override;
  Verifier(const Verifier&) = delete;  // the device knows where its log is
  Verifier& operator=(const Verifier&) = delete;

  // One by one, so that what the device tells at once is about the request at hand.
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // Nothing: what the device tells is for the verifier.
  std::optional<VersionRules> report_contents(ContentLog*) override { return std::nullopt; }

  // What was wrong with a read that wait() returned as a mismatch, until its tag is used again.
  const std::string& mismatch(std::uint64_t tag) const { return mismatches_.at(tag); }
  // For the report: a line about one of the first mismatches.
  void report(const std::string& line);
  const VerifyStats& stats() const { return stats_; }

 private:
  // What a granule should hold. 8 bytes for each that the run touches.
  struct Holds {
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << 63) - 1;
    std::uint64_t version : 63 = 0;    // kUnknown: nobody has told
    std::uint64_t or_nothing : 1 = 0;  // trimmed, and the device may still return the old data
  };
  struct ComparedRead {
    std::uint64_t first = 0;  // granule
    std::vector<Holds> expected;
    std::size_t returned = 0;
    std::string wrong;  // the first thing that was
  };
  static constexpr std::uint64_t kUnknown = (std::uint64_t{1} << 63) - 1;
  static constexpr std::size_t kTogether = 256;
  using Neighbours = std::array<Holds, kTogether>;

  Verifier(Device& device, std::unique_ptr<ContentLog> log, const VersionRules& rules);
  void predict(const Request& request);
  void write(std::uint64_t first, std::uint64_t end);
  void trim(const Request& request);
  void expect_of(const Request& request);
  void take_log();
  void compare(const ContentLog::Returned& returned);
  void learn(std::uint64_t granule, const Holds& expected, std::uint64_t found);
  void judge(Completion& done);
  void forget(const ContentLog::Refused& refused);
  void begin_from(const VersionRules& rules);
  std::uint64_t end_granule(std::uint64_t end_bytes) const {
    return (end_bytes + rules_.granule_bytes - 1) / rules_.granule_bytes;
  }
  Holds& at(std::uint64_t granule);

  std::unique_ptr<ContentLog> log_;
  VersionRules rules_;
  Holds untouched_;  // what every granule holds that this run has neither written nor read
  std::unordered_map<std::uint64_t, std::unique_ptr<Neighbours>> holds_;  // never walked
  std::unordered_map<std::uint64_t, ComparedRead> reads_;                 // outstanding, by tag; never walked
  std::unordered_map<std::uint64_t, std::string> mismatches_;             // by tag; never walked
  VerifyStats stats_;
};

}  // namespace ftlab
