// A simulated drive for real programs. Serves their requests and bytes in simulated time, one request after the other. Has
// no sockets, threads or wall clock; those are in serving_loop.h and plugin.cpp.
//
// Drives the device exactly as the replay of a trace does (sim/host/replay.h), so a recording replays to the same signature.
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
#include "bindings/nbd/served_drive.h"
#include "sim/host/request_tracker.h"
#include "sim/host/stack/rebased_device.h"
#include "validation/results/result.h"
#include "validation/results/result_folder.h"
#include "validation/run/power_cuts.h"
#include "validation/run/simulated_device.h"
#include "validation/run/state_file.h"

namespace ftlab {

struct ServeOptions {
  std::string drive;
  std::string host;  // the computer that the drive is in; empty: a host that costs no time
  std::string load;
  std::vector<std::string> settings;
  std::uint64_t seed = 1;
  std::string data;  // file that holds the bytes; empty: in memory
  std::string save;  // file for the state at the end
  std::string out;   // result folder
  bool replace = false;
  std::string record;  // file for the trace of requests and power cuts
  std::vector<std::string> inject;
  std::string time = "free";
};

// Converts the options of `ftlab serve` to parameters of the nbdkit plugin, KEY=VALUE, and back.

std::vector<std::string> plugin_words(const ServeOptions& options);
// Returns false for an unknown key or an invalid value.
bool take_plugin_option(ServeOptions& options, const std::string& key, const std::string& value);

// A client's request. REQUIRES: it lives until it is answered.
struct ServedRequest {
  Op op = Op::read;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool fua = false;
  std::span<std::byte> into;        // reads only
  std::span<const std::byte> from;  // writes only
  std::uint64_t power_on = 0;       // the value of power_ons() when its client connected
};

struct Answer {
  ServedRequest* request = nullptr;
  int error = 0;  // errno; 0: success. ESHUTDOWN: the power failed, and the client has to reconnect
  Nanoseconds at{0};
};

// Totals for the live statistics.
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
  // Loads the existing bytes of options.data. Throws ConfigError for invalid options.
  explicit ServedDrive(const ServeOptions& options);
  ServedDrive(const ServedDrive&) = delete;
  ServedDrive& operator=(const ServedDrive&) = delete;

  std::uint64_t capacity_bytes() const { return pages_.capacity_bytes; }
  std::uint64_t trim_bytes() const { return pages_.rules.trim_bytes; }  // 0: no TRIM
  // Notes for the user before clients connect.
  const std::vector<Note>& notes() const { return job_file_.notes; }

  // Number of times that the power was switched on. Identifies the power cycle in which a client connected.
  std::uint64_t power_ons() const { return 1 + (cuts_ ? cuts_->count() : 0); }
  std::size_t outstanding() const { return tracker_->outstanding(); }
  // The latest simulated time that the drive has reached.
  Nanoseconds now() const { return now_; }

  // First answers everything that is due by `at`. A request that fails immediately is answered at once.
  // REQUIRES: `at` does not decrease.
  void submit(ServedRequest& request, Nanoseconds at, std::vector<Answer>& answers);
  // Adds the earliest answers if they are due at or before `until`. Returns false if nothing was due by then.
  bool wait(Nanoseconds until, std::vector<Answer>& answers);

  // The parts of a range that may hold non-zero bytes, in order. Does not involve the drive and takes no time.
  // REQUIRES: the range is inside the capacity.
  std::vector<StoredRange> written(StoredRange range) const { return bytes_->written(range); }

  LiveFigures figures() const;

  struct Finished {
    Result result;
    RunStats stats;
  };
  // Writes the result, the recording and the state. `about`: facts about the serving for the report. Throws OutputError.
  // REQUIRES: nothing is outstanding. Call once.
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

  // The output files.
  struct Outputs {
    std::optional<RequestRecording> recording;
    std::optional<ResultFolder> folder;
    std::optional<StateFile> state;
  };
  struct InFlight {
    ServedRequest* request = nullptr;
    std::uint64_t mark = 0;  // barriers only: the changes before this mark become durable
  };

  ServeOptions options_;
  PowerCutPlan plan_;
  JobFile job_file_;
  std::unique_ptr<SimulatedDevice> device_;
  ServedPages pages_;
  Outputs outputs_;
  std::optional<ServedBytes> bytes_;
  std::optional<RebasedDevice> rebased_;
  std::optional<PowerCuts> cuts_;  // only if cuts are planned
  HostOptions host_;
  std::optional<RequestTracker> tracker_;
  std::vector<InFlight> in_flight_;  // by tag
  Nanoseconds now_{0};
  bool uncounted_ = false;  // a write was refused, so version counting has to restart
  LiveTotals totals_;
};

}  // namespace ftlab
