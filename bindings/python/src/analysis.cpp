#include "bindings/python/src/module.h"

#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <future>

#include "ftl/policies/gc_policy.h"
#include "sim/config/echo.h"
#include "sim/config/share.h"
#include "sim/config/split.h"
#include "validation/results/wa_answer.h"
#include "validation/run/job_input.h"
#include "validation/run/open_device.h"
#include "validation/run/workload.h"

namespace py = pybind11;

namespace ftlab {
namespace {

// Arguments from values in the command line's format, by option name.
WaArguments arguments_of(const std::map<std::string, std::string>& words) {
  WaArguments arguments;
  const std::map<std::string, std::string WaArguments::*> known = {
      {"policy", &WaArguments::policy},     {"d", &WaArguments::d},
      {"window", &WaArguments::window},     {"op", &WaArguments::op},
      {"blocks", &WaArguments::blocks},     {"pages_per_block", &WaArguments::pages_per_block},
      {"workload", &WaArguments::workload}, {"frontiers", &WaArguments::frontiers},
      {"trim", &WaArguments::trim},         {"compression", &WaArguments::compression}};
  for (const auto& [name, word] : words) {
    if (name != "parameters") {
      arguments.*known.at(name) = word;
    } else if (!word.empty()) {
      for (const std::string_view parameter : split(word, ',')) arguments.parameters.emplace_back(parameter);
    }
  }
  return arguments;
}

// Waits without the GIL and checks for Ctrl-C every 50 ms.
std::string awaited(std::future<std::string>& answer, std::atomic<bool>& interrupted) {
  for (;;) {
    {
      const py::gil_scoped_release released;
      if (answer.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready) break;
    }
    if (PyErr_CheckSignals() == 0) continue;
    const py::error_already_set pressed;
    interrupted = true;
    answer.wait();
    throw pressed;
  }
  return answer.get();
}

std::string wa(const std::map<std::string, std::string>& words, std::uint64_t seed, double precision,
               std::uint32_t most_batches) {
  SteadyRunOptions options;
  options.seed = seed;
  options.precision = precision;
  options.most_batches = most_batches;
  const WaArguments arguments = arguments_of(words);
  std::atomic<bool> interrupted{false};
  options.interrupted = &interrupted;
  auto answer = std::async(std::launch::async, [&] { return wa_answer(arguments, options).dump(); });
  return awaited(answer, interrupted);
}

// Checks a job file as for a run on the drive, without making the drive.
void check_job(const std::string& text, const std::string& name, const std::vector<std::string>& job_settings,
               const std::string& drive, const std::string& host, const std::vector<std::string>& settings, bool timed,
               bool until_steady) {
  const DeviceConfig device = read_device(load_drive(drive, settings, host));
  const JobFile jobs = parse_jobs(text, name, device.user_bytes(), job_settings);
  if (!timed) refuse_timed_jobs(jobs, name);
  if (until_steady) refuse_jobs_that_end(jobs, name);
  if (device.disk) refuse_trims(jobs, name);
}

// Names that the key ftl.gc.policy takes, in the order of the program's table.
std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const GcPolicyKind& kind : gc_policy_kinds()) names.push_back(kind.name);
  return names;
}

}  // namespace

void register_analysis(py::module_& module) {
  module.def("wa", &wa, py::arg("words"), py::arg("seed"), py::arg("precision"), py::arg("most_batches"));
  module.def("gc_policy_names", &policy_names);
  module.def(
      "theory", [](const std::map<std::string, std::string>& words) { return theory_answer(arguments_of(words)).dump(); },
      py::arg("words"));
  module.def("drive_names", &drive_names);
  module.def("host_names", &host_names);
  module.def("config_folder", &config_folder);
  module.def(
      "drive_document",
      [](const std::string& name, const std::vector<std::string>& settings, const std::string& host) {
        return to_json(load_drive(name, settings, host)).dump(2);
      },
      py::arg("name"), py::arg("settings"), py::arg("host"));
  module.def(
      "check_drive",
      [](const std::string& name, const std::vector<std::string>& settings, const std::string& host) {
        read_device(load_drive(name, settings, host));
      },
      py::arg("name"), py::arg("settings"), py::arg("host"));
  module.def(
      "share",
      [](const std::string& text, bool until_steady, const std::string& file, std::size_t line, const std::string& key) {
        return share_of({file, line}, key, text, until_steady ? kUntilSteady : kPrecision);
      },
      py::arg("text"), py::arg("until_steady"), py::arg("file"), py::arg("line"), py::arg("key"));
  module.def("check_job", &check_job, py::arg("text"), py::arg("name"), py::arg("job_settings"), py::arg("drive"),
             py::arg("host"), py::arg("settings"), py::arg("timed"), py::arg("until_steady"));
}

}  // namespace ftlab
