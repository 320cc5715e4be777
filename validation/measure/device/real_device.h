// A real block device or file behind the seam that simulated drives stand behind, by direct I/O. Its clock is the wall's:
// nanoseconds since it was made. The host that drives it is the simulator's own, so the sequence of requests is the
// simulator's.
//
// For jobs that verify it stamps every sector that it writes (stamps.h) and tells what reads found. Then requests to one
// place are carried out in the order in which they came, one after the other, if one of them changes it; simulated drives do
// so by themselves, real ones promise no order. Of each sector 56 bytes are then the stamp.
//
// The kernel gets requests, and gives them back, as many at a time as the jobs say (iodepth_batch and
// iodepth_batch_complete_max of fio, whose default is one): it decides how full a fast queue is kept.
//
// Offset 0 of the host is the first byte of the permit's range. Requests beyond the engine's depth wait in order. Of the
// parts of a latency it fills in `host`: from issue until the kernel could have the request. Its counters hold what has
// completed.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/device.h"
#include "sim/workload/jobs/job.h"
#include "validation/measure/device/device_contents.h"
#include "validation/measure/device/engine.h"
#include "validation/measure/device/real_clock.h"

namespace ftlab {

class RealDevice final : public Device {
 public:
  struct Options {
    std::string model;                         // for messages and results
    std::uint64_t seed = 1;                    // of contents
    std::uint64_t run = 0;                     // told in stamps, so that other runs' sectors are not taken for ours
    std::size_t depth = 1;                     // requests in flight at most; what the engine was made for
    const std::atomic<bool>* leave = nullptr;  // ends a wait for a time, so that the host can look at it too
  };

  // REQUIRES: the permit outlives it.
  RealDevice(const Permit& permit, std::unique_ptr<Engine> engine, const Options& options);
  ~RealDevice() override;
  RealDevice(const RealDevice&) = delete;
  RealDevice& operator=(const RealDevice&) = delete;

  // Makes ready for a run: memory for the largest requests of the jobs, their batches, and the rules of their contents.
  // Throws EngineError when there is too little memory. REQUIRES: nothing is outstanding.
  void prepare(const std::vector<Job>& jobs);

  DeviceInfo info() const override;
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  Nanoseconds now(Nanoseconds) const override { return clock_.now(); }
  Counters counters() const override { return counters_; }
  std::optional<VersionRules> report_contents(ContentLog* log) override;

  // From now on every sector that is written is stamped, also without a log. REQUIRES: nothing is outstanding.
  void stamp_writes() { contents_.stamp_writes(); }
  // Sectors that have been accepted for writing, each counted, whether stamped or not.
  std::uint64_t versions() const { return versions_; }
  std::uint64_t run() const { return options_.run; }
  Nanoseconds now() const { return clock_.now(); }
  const Engine& engine() const { return *engine_; }
  // What went wrong with a request that came back with another status than ok, until its tag is used again.
  std::string problem(std::uint64_t tag) const;

 private:
  struct Accepted {
    Request request;
    std::uint64_t version = 0;  // of a write: of the sector before its first
  };
  struct InFlight {
    Accepted accepted;
    Nanoseconds handed_over{0};
    bool out = false;
  };

  void start(const Accepted& accepted);
  void start_waiting();
  bool must_wait(const Request& request, std::size_t behind) const;
  void refuse(const Request& request, const std::string& reason);
  std::size_t return_refused(std::span<Completion> out);
  std::size_t finish(std::size_t count, std::span<Completion> out);
  Completion completion_of(const Outcome& outcome, Nanoseconds at);
  void count(const Request& request);
  Status status_of(const Request& request, std::int64_t result);
  void rest(Nanoseconds until);
  bool wants_to_leave() const { return options_.leave != nullptr && options_.leave->load(std::memory_order_relaxed); }

  const Permit& permit_;
  std::unique_ptr<Engine> engine_;
  Options options_;
  std::size_t submit_batch_ = 1;
  Nanoseconds started_at_{0};  // the latest request since the latest wait(); 0: none was
  RealClock clock_;
  DeviceContents contents_;
  std::vector<InFlight> in_flight_;  // by place
  std::vector<std::uint32_t> free_;
  std::deque<Accepted> waiting_;
  std::vector<Completion> refused_;
  std::vector<Outcome> outcomes_;                            // as many as are taken back at a time
  std::unordered_map<std::uint64_t, std::string> problems_;  // by tag; never walked
  std::uint64_t versions_ = 0;
  Counters counters_;
};

}  // namespace ftlab
