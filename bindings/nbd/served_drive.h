// A simulated drive that programs use: their requests with their bytes, in simulated time, one after the other. Knows
// neither sockets nor threads nor the clock on the wall; those are serving_loop.h and plugin.cpp.
//
// It does with the device exactly what the replay of a trace does (sim/host/replay.h), so that a recording replays to the
// same signature.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/nbd/live_figures.h"
#include "bindings/nbd/power_cut_plan.h"
#include "bindings/nbd/request_recording.h"
#include "bindings/nbd/served_bytes.h"
#include "sim/host/request_tracker.h"
#include "sim/host/stack/rebased_device.h"
#include "validation/results/result.h"
#include "validation/results/result_folder.h"
#include "validation/run/power/power_cuts.h"
#include "validation/run/simulated_device.h"
#include "validation/run/state_file.h"

namespace ftlab {

struct ServeOptions {
  std::string drive;
  std::string host;  // the computer it is in; empty: one that costs nothing
  std::string load;
  std::vector<std::string> settings;
  std::uint64_t seed = 1;
  std::string data;  // file with the bytes; empty: in memory
  std::string save;  // state at the end
  std::string out;   // result folder
  bool replace = false;
  std::string record;  // trace of the requests and power cuts
  std::vector<std::string> inject;
  std::string time = "free";
};

// Of a client. REQUIRES: lives on until it is answered.
struct ServedRequest {
  Op op = Op::read;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool fua = false;
  std::span<std::byte> into;        // of a read
  std::span<const std::byte> from;  // of a write
  std::uint64_t power_on = 0;       // since which its client is connected
};

struct Answer {
  ServedRequest* request = nullptr;
  int error = 0;  // of errno; 0: done. ESHUTDOWN: the power failed, and the client has to connect anew
  Nanoseconds at{0};
};

// For the figures while it is served.
struct LiveTotals {
  std::array<std::uint64_t, kOpCount> requests{}, bytes{};
  SeriesRow last_second;
  Counters before;

  void add(const ServedRequest& request) {
    ++requests[static_cast<std::size_t>(request.op)];
    bytes[static_cast<std::size_t>(request.op)] += request.op == Op::flush ? 0 : request.length;
  }
};

class ServedDrive {
 public:
  // Throws ConfigError for all that is wrong with the options, and takes up what a file of bytes holds already.
  explicit ServedDrive(const ServeOptions& options);
  ServedDrive(const ServedDrive&) = delete;
  ServedDrive& operator=(const ServedDrive&) = delete;

  std::uint64_t capacity_bytes() const { return pages_.capacity_bytes; }
  std::uint64_t trim_bytes() const { return pages_.rules.trim_bytes; }  // 0: no trims
  // What the user should know before programs come.
  const std::vector<Note>& notes() const { return job_file_.notes; }

  // How often the power was switched on; clients are told apart by it.
  std::uint64_t power_ons() const { return 1 + (cuts_ ? cuts_->count() : 0); }
  std::size_t outstanding() const { return tracker_->outstanding(); }
  // The latest moment that it knows of.
  Nanoseconds now() const { return now_; }

  // Everything that is due until `at` is answered before. What cannot be done at all is answered at once.
  // REQUIRES: `at` does not decrease.
  void submit(ServedRequest& request, Nanoseconds at, std::vector<Answer>& answers);
  // The earliest answers, if they are due at or before `until`. Returns whether time has to be waited for no longer.
  bool wait(Nanoseconds until, std::vector<Answer>& answers);

  // What may hold other bytes than zeros in a range, in order. Asks nothing of the drive and takes no time.
  // REQUIRES: inside the capacity.
  std::vector<StoredRange> written(StoredRange range) const { return bytes_->written(range); }

  LiveFigures figures() const;

  struct Finished {
    Result result;
    RunStats stats;
  };
  // Keeps the result, the recording and the state. `about`: of the serving, for the report. Throws OutputError.
  // REQUIRES: nothing is outstanding; called once.
  Finished finish(nlohmann::ordered_json about, double wall_s);

 private:
  std::unique_ptr<SimulatedDevice> made();
  ServedPages pages_of_device() const;
  void refuse_impossible_workload() const;
  void take_up();
  void begin();
  bool begun() const { return !in_flight_.empty(); }  // a request was submitted
  int problem_of(const ServedRequest& request) const;
  void move_bytes(ServedRequest& request);
  void answer(const Completion& done, std::vector<Answer>& answers);
  void watch_flash(Nanoseconds at, std::vector<Answer>& answers);
  void hand_over(ServedRequest& request, Nanoseconds at);
  void cut_power(std::vector<Answer>& answers);
  nlohmann::ordered_json report(nlohmann::ordered_json about) const;

  // What appears at the end, and what the requests are written to.
  struct Outputs {
    std::optional<RequestRecording> recording;
    std::optional<ResultFolder> folder;
    std::optional<StateFile> state;
  };
  struct InFlight {
    ServedRequest* request = nullptr;
    std::uint64_t mark = 0;  // of a barrier: the changes that it makes durable
  };

  ServeOptions options_;
  PowerCutPlan plan_;
  JobFile job_file_;
  std::unique_ptr<SimulatedDevice> device_;
  ServedPages pages_;
  Outputs outputs_;
  std::optional<ServedBytes> bytes_;
  std::optional<RebasedDevice> rebased_;
  std::optional<PowerCuts> cuts_;  // when any are planned
  HostOptions host_;
  std::optional<RequestTracker> tracker_;
  std::vector<InFlight> in_flight_;  // by tag
  Nanoseconds now_{0};
  bool uncounted_ = false;  // a write was refused, so versions are to be counted anew
  LiveTotals totals_;
};

}  // namespace ftlab
