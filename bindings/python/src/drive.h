// A simulated SSD or disk for Python. Only one call at a time may use it. A drive that was stopped in the middle of an
// operation becomes unusable. The GIL is released while it works.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "validation/run/simulated_device.h"
#include "validation/run/trace_input.h"

namespace ftlab {

// Arguments of a run.
struct RunRequest {
  std::string job;                        // a path, or a name for messages if `text` is given
  std::optional<std::string> text;        // contents of the job file
  std::vector<std::string> job_settings;  // like --set-job
  bool strict = false;                    // like --strict
  std::string shrink_jobs;                // like --shrink-jobs; empty: do not shrink
  TraceArguments trace;
  std::uint64_t seed = 1;
  std::string until_steady;  // like --until-steady; empty: the run ends with its jobs
  std::string interval;      // like --interval; empty: no intervals
  pybind11::object each_interval = pybind11::none();
  pybind11::object progress = pybind11::none();
};

class PythonDrive {
 public:
  // `name`: a name in the library, or a path. With `text`, the contents of a drive file, `name` is only used in messages.
  // `host`: a name in the library, or a path; empty: a host that costs no time.
  PythonDrive(const std::string& name, const std::optional<std::string>& text, const std::string& host,
              const std::vector<std::string>& settings, std::uint64_t seed, bool timed, UserPolicies own);
  static std::unique_ptr<PythonDrive> load(const std::string& path, const std::string& drive, const std::string& host,
                                           const std::vector<std::string>& settings, bool timed, UserPolicies own);
  // REQUIRES: the GIL is held, as for all functions below.
  std::unique_ptr<PythonDrive> fork(UserPolicies own);

  // Files of the result (name, text), problems, and the number of failed requests.
  struct RunAnswer {
    std::vector<std::pair<std::string, std::string>> files;
    std::vector<std::string> failed_checks, notes;
    std::uint64_t failed_requests = 0;
  };
  RunAnswer run(const RunRequest& choice);
  std::pair<std::vector<std::string>, std::uint64_t> run_procedure(const std::string& file, const std::string& out,
                                                                   bool replace, std::uint64_t seed,
                                                                   const std::vector<std::string>& variables,
                                                                   const std::vector<std::string>& job_settings,
                                                                   bool cache, const pybind11::object& progress);

  void idle(std::uint64_t ns);
  // Returns a description of what was written.
  std::string precondition(const std::string& state, std::uint64_t seed, bool cache);
  void power_cycle();
  void set_timed(bool timed);
  void save(const std::string& path);
  void close();

  bool closed() const { return device_ == nullptr; }
  bool is_disk();
  bool timed();
  std::uint64_t now_ns();
  std::uint64_t capacity_bytes();
  std::string document();
  std::string state_signature();
  pybind11::dict counters();
  pybind11::dict columns();
  std::vector<std::string> inspect_layer();

 private:
  class Use;
  explicit PythonDrive(std::unique_ptr<SimulatedDevice> device) : device_(std::move(device)) {}

  std::unique_ptr<SimulatedDevice> device_;
  std::atomic<bool> in_use_{false};
  std::string broken_;  // why the drive is unusable; empty: it is usable
};

void register_drive(pybind11::module_& module);

}  // namespace ftlab
