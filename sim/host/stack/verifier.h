// Host side of verify, between the jobs and a device that reports what its reads return. Predicts from the requests alone,
// in order of submission, which version every granule must have, and compares.
//
// A read with a granule that is not as predicted completes with Status::mismatch. What the device held before the run is
// unknown: the first read of such a granule is accepted, later reads must return the same.
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
  // Null if no job verifies. Throws ConfigError if one does and the device cannot report what reads return. REQUIRES: the
  // device outlives the verifier and has nothing outstanding.
  static std::unique_ptr<Verifier> of(Device& device, const std::vector<Job>& jobs);
  ~Verifier() override;
  Verifier(const Verifier&) = delete;  // the device holds a pointer to its log
  Verifier& operator=(const Verifier&) = delete;

  // Submits one request at a time, so that contents reported during a call belong to its request.
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // Not supported: the verifier itself uses the log.
  std::optional<VersionRules> report_contents(ContentLog*) override { return std::nullopt; }

  // Description of a mismatch returned by wait(), until its tag is used again.
  const std::string& mismatch(std::uint64_t tag) const { return mismatches_.at(tag); }
  // Adds a line about a mismatch to the report, which keeps the first ones.
  void report(const std::string& line);
  const VerifyStats& stats() const { return stats_; }

 private:
  // Expected content of a granule. 8 bytes for each granule that the run touches.
  struct Holds {
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << 63) - 1;
    std::uint64_t version : 63 = 0;    // or kUnknown
    std::uint64_t or_nothing : 1 = 0;  // trimmed: the device may return `version` or nothing
  };
  struct ComparedRead {
    std::uint64_t first = 0;  // first granule
    std::vector<Holds> expected;
    std::size_t returned = 0;
    std::string wrong;  // description of the first mismatch
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
  Holds untouched_;  // expected content of all granules that this run has neither written nor read
  std::unordered_map<std::uint64_t, std::unique_ptr<Neighbours>> holds_;  // never iterated
  std::unordered_map<std::uint64_t, ComparedRead> reads_;                 // outstanding, by tag; never iterated
  std::unordered_map<std::uint64_t, std::string> mismatches_;             // by tag; never iterated
  VerifyStats stats_;
};

}  // namespace ftlab
