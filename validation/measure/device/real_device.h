// A real block device or file as a Device, by direct I/O. Its clock is real time: nanoseconds since construction. The
// simulator's own host drives it, so the sequence of requests is the simulator's.
//
// For jobs that verify it stamps every sector that it writes (stamps.h) and reports what reads found. Requests to the same
// place are then executed one after another in submission order if one of them changes it: simulated drives do so by
// themselves, real ones promise no order. The stamp takes 56 bytes of each sector.
//
// Requests go to the kernel and back in batches as the jobs say (fio's iodepth_batch and iodepth_batch_complete_max, by
// default one): this decides how full a fast queue is kept.
//
// Offset 0 of the host is the first byte of the permit's range. Requests beyond the engine's depth wait in order. Only one
// part of each latency is filled in, `host`: from issue until the kernel could have the request. The counters cover
// completed requests.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/core/types.h"
#include "sim/device.h"
#include "sim/workload/jobs/job.h"
#include "validation/measure/device/content.h"
#include "validation/measure/device/engine.h"

namespace ftlab {

// Real time: nanoseconds of CLOCK_MONOTONIC since construction.
class RealClock {
 public:
  Nanoseconds now() const { return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now() - start_); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class RealDevice final : public Device {
 public:
  struct Options {
    std::string model;                         // for messages and results
    std::uint64_t seed = 1;                    // for generated contents
    std::uint64_t run = 0;                     // written into stamps, to tell sectors of other runs from ours
    std::size_t depth = 1;                     // maximum requests in flight, as the engine was made for
    const std::atomic<bool>* leave = nullptr;  // ends a timed wait, so that the host can also check it
  };

  // REQUIRES: the permit outlives this.
  RealDevice(const Permit& permit, std::unique_ptr<Engine> engine, const Options& options);
  ~RealDevice() override;
  RealDevice(const RealDevice&) = delete;
  RealDevice& operator=(const RealDevice&) = delete;

  // Prepares a run: memory for the jobs' largest requests, their batch sizes, and the rules of their contents. Throws
  // EngineError if memory is insufficient. REQUIRES: nothing is outstanding.
  void prepare(const std::vector<Job>& jobs);

  DeviceInfo info() const override;
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  Nanoseconds now(Nanoseconds) const override { return clock_.now(); }
  Counters counters() const override { return counters_; }
  std::optional<VersionRules> report_contents(ContentLog* log) override;

  // From now on stamps every sector that is written, even without a log. REQUIRES: nothing is outstanding.
  void stamp_writes() { contents_.stamp_writes(); }
  // Sectors accepted for writing so far, stamped or not.
  std::uint64_t versions() const { return versions_; }
  std::uint64_t run() const { return options_.run; }
  Nanoseconds now() const { return clock_.now(); }
  const Engine& engine() const { return *engine_; }
  // Error of a request whose status was not ok, until its tag is used again.
  std::string problem(std::uint64_t tag) const;

 private:
  struct Accepted {
    Request request;
    std::uint64_t version = 0;  // writes only: of the last sector before it
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
  Nanoseconds started_at_{0};  // start of the latest request since the latest wait(); 0: none
  RealClock clock_;
  DeviceContents contents_;
  std::vector<InFlight> in_flight_;  // by place
  std::vector<std::uint32_t> free_;
  std::deque<Accepted> waiting_;
  std::vector<Completion> refused_;
  std::vector<Outcome> outcomes_;                            // as many as are taken back at once
  std::unordered_map<std::uint64_t, std::string> problems_;  // by tag; never iterated
  std::uint64_t versions_ = 0;
  Counters counters_;
};

}  // namespace ftlab
