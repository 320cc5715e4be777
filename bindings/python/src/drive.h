// A simulated drive or disk in the hands of Python: one at a time uses it, and what was stopped in the midst of something is
// not used any more. The GIL is released while it works.
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

// What Python asks of a run.
struct RunRequest {
  std::string job;                        // a path, or a name for messages when there is a text
  std::optional<std::string> text;        // of the job file itself
  std::vector<std::string> job_settings;  // as --set-job
  bool strict = false;                    // as --strict
  std::string shrink_jobs;                // as --shrink-jobs; empty: not
  TraceArguments trace;
  std::uint64_t seed = 1;
  std::string until_steady;  // as --until-steady; empty: the jobs end by themselves
  pybind11::object each_interval = pybind11::none();
  pybind11::object progress = pybind11::none();
};

class PythonDrive {
 public:
  // `name`: of the library, or a path; with `text`, the drive file itself, and `name` is what messages call it. `host`: of
  // the library, or a path; empty: it costs nothing.
  PythonDrive(const std::string& name, const std::optional<std::string>& text, const std::string& host,
              const std::vector<std::string>& settings, std::uint64_t seed, bool timed, UserPolicies own);
  static std::unique_ptr<PythonDrive> load(const std::string& path, const std::string& drive, const std::string& host,
                                           const std::vector<std::string>& settings, bool timed, UserPolicies own);
  // The GIL must be held, as for all that follows.
  std::unique_ptr<PythonDrive> fork(UserPolicies own);

  // The files of the result (name, text), the problems found, and how many requests failed.
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
                                                                   const pybind11::object& progress);

  void idle(std::uint64_t ns);
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
  std::string broken_;  // why it is not used any more; empty: all is well
};

void register_drive(pybind11::module_& module);

}  // namespace ftlab
