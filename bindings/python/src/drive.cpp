#include "bindings/python/src/drive.h"

#include <pybind11/stl.h>

#include <chrono>
#include <exception>

#include "bindings/python/src/columns.h"
#include "bindings/python/src/module.h"
#include "ftl/drive/config/drive_defaults.h"
#include "ftl/layer/ftl.h"
#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/config/share.h"
#include "sim/core/error.h"
#include "sim/counters.h"
#include "sim/stats/steady_watch.h"
#include "validation/results/intervals.h"
#include "validation/results/result_folder.h"
#include "validation/run/job_input.h"
#include "validation/run/open_device.h"
#include "validation/run/precondition.h"
#include "validation/run/procedure_run.h"
#include "validation/run/scaled_drive.h"
#include "validation/run/state_file.h"
#include "validation/run/workload.h"

namespace py = pybind11;

namespace ftlab {

// Guards the drive during a call. Refuses a second call at the same time. An exception from within the simulation makes the
// drive unusable, except ConfigError and OutputError.
class PythonDrive::Use {
 public:
  explicit Use(PythonDrive& drive) : drive_(drive) {
    if (drive_.closed()) raise("DriveError", "the drive is closed");
    if (drive_.in_use_.exchange(true))
      raise("DriveError", "the drive is in use by another thread, or was when this process forked");
    if (!drive_.broken_.empty()) {
      drive_.in_use_ = false;
      raise("DriveError", "the drive was stopped during a run and cannot continue (" + drive_.broken_ +
                              "); make a new one, or load a saved state");
    }
  }
  ~Use() { drive_.in_use_ = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  SimulatedDevice& tested() { return *drive_.device_; }

  // Runs `work` without the GIL.
  template <class Work>
  auto without_gil(Work&& work) {
    try {
      const py::gil_scoped_release released;
      return work();
    } catch (const ConfigError&) {
      throw;  // thrown before anything started
    } catch (const OutputError&) {
      throw;  // thrown after the work had ended
    } catch (const py::error_already_set&) {
      drive_.broken_ = "an exception of a policy";
      throw;
    } catch (const std::exception& error) {
      drive_.broken_ = error.what();
      throw;
    }
  }

 private:
  PythonDrive& drive_;
};

namespace {

using WallClock = std::chrono::steady_clock;

Clock clock_of(bool timed) { return timed ? Clock::timed : Clock::untimed; }

Node document_of(const std::string& name, const std::optional<std::string>& text, const std::string& host,
                 const std::vector<std::string>& settings) {
  if (!text) return load_drive(name, settings, host);
  Node document =
      load_document(name, [&](const std::string& path) { return path == name ? *text : read_regular_file(path); });
  set_host(document, host);
  set_drive_keys(document, settings);
  return is_disk(document) ? document : with_defaults(std::move(document));
}

std::vector<std::string> shown(const std::vector<Note>& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(note.shown());
  return texts;
}

// Calls into Python during work without the GIL. Keeps an exception (or Ctrl-C) and sets `stop`; the worker polls it, ends,
// and rethrows the exception.
class Calls {
 public:
  const std::atomic<bool>* stop() const { return &stop_; }

  // Does nothing after an exception.
  template <class Call>
  void make(Call&& call) {
    if (happened_) return;
    const py::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      call();
    } catch (...) {
      happened_ = std::current_exception();
      stop_ = true;
    }
  }
  void raise_what_happened() const {
    if (happened_) std::rethrow_exception(happened_);
  }

 private:
  std::atomic<bool> stop_{false};
  std::exception_ptr happened_;
};

// Python's callbacks during a run. An exception in one does not stop the drive in the middle of an operation: no new
// requests are issued, the outstanding ones complete, and then the exception is raised.
class Listener {
 public:
  Listener(py::object progress, py::object each_interval)
      : progress_(std::move(progress)), each_interval_(std::move(each_interval)) {}

  // A trace cannot end early: it is aborted, which makes the drive unusable.
  void listen_to(HostOptions& host, bool is_trace) {
    (is_trace ? host.interrupted : host.leave) = calls_.stop();
    host.progress = [this](Nanoseconds now, std::uint64_t requests) { report(now, requests); };
    const auto before = host.enough;
    if (each_interval_.is_none() && !before) return;
    host.enough = [this, before](const SeriesRow& row) {
      const bool known = before && before(row);
      return report(row) || known;
    };
  }
  void raise_what_happened() const { calls_.raise_what_happened(); }

 private:
  static constexpr std::chrono::milliseconds kBetween{50};

  void report(Nanoseconds now, std::uint64_t requests) {
    if (WallClock::now() - last_ < kBetween) return;
    last_ = WallClock::now();
    calls_.make([&] {
      if (!progress_.is_none()) progress_(static_cast<double>(now.count()) / 1e9, requests);
    });
  }
  bool report(const SeriesRow& row) {
    bool enough = false;
    if (each_interval_.is_none()) return false;
    calls_.make([&] { enough = py::bool_(each_interval_(dictionary_of(row))); });
    return enough;
  }
  static py::dict dictionary_of(const SeriesRow& row) {
    const double length = static_cast<double>(row.length.count()) / 1e9;
    const auto rate = [length](std::uint64_t count) { return length > 0 ? static_cast<double>(count) / length : 0; };
    py::dict reported;
    reported["t_s"] = static_cast<double>(row.end.count()) / 1e9;
    reported["length_s"] = length;
    constexpr const char* kNames[] = {"read", "write", "trim"};
    for (std::size_t d = 0; d < 3; ++d) {
      const std::string name = kNames[d];
      reported[(name + "_MB_per_s").c_str()] = rate(row.bytes[d]) / 1e6;
      reported[(name + "_iops").c_str()] = rate(row.requests[d]);
      reported[("latency_" + name + "_us_mean").c_str()] = static_cast<double>(row.latency_mean_ns[d]) / 1e3;
      reported[("latency_" + name + "_us_p99").c_str()] = static_cast<double>(row.latency_p99_ns[d]) / 1e3;
      reported[("latency_" + name + "_us_max").c_str()] = static_cast<double>(row.latency_max_ns[d]) / 1e3;
    }
    reported["free_superblocks"] = row.device.free_superblocks;
    reported["relocated_pages"] = row.device.relocated_pages;
    reported["block_erases"] = row.device.block_erases;
    reported["host_write_bytes"] = row.device.host_write_bytes;
    reported["media_write_bytes"] = row.device.media_write_bytes();
    return reported;
  }

  py::object progress_, each_interval_;
  Calls calls_;
  WallClock::time_point last_ = WallClock::now();
};

// Throws ConfigError for a policy that the drive would never call.
void check_policies(SimulatedDevice& tested, const UserPolicies& own, const std::string& name) {
  if (tested.ssd() == nullptr) return;
  const MappingConfig& mapping = tested.ssd()->config().ftl.mapping;
  const auto refuse = [&name](const char* policy, const char* why) {
    throw ConfigError({name, 0}, policy, std::string("would never be asked: ") + why);
  };
  if (own.map_cache && mapping.translation_pages == 0) refuse("map_cache", "the whole map is in RAM");
  if (own.collection && mapping.hybrid()) refuse("gc_policy", "a map of blocks or zones does not collect");
}

Drive& ssd(SimulatedDevice& tested, const char* what) {
  if (Drive* const drive = tested.ssd()) return *drive;
  raise("DriveError", std::string("a disk has no ") + what);
}

RunWorkload workload_of(const RunRequest& choice, SimulatedDevice& tested) {
  const DeviceInfo info = tested.device().info();
  JobArguments arguments(choice.job_settings);
  arguments.strict = choice.strict;
  arguments.shrink = choice.shrink_jobs;
  arguments.zone_bytes = tested.device().zones().zone_bytes;
  RunWorkload workload;
  if (choice.text) {
    workload.job_file = parse_jobs(*choice.text, choice.job, info.capacity_bytes, arguments);
    if (!info.timed) refuse_timed_jobs(workload.job_file, choice.job);
  } else {
    workload = load_workload(choice.job, arguments, choice.trace, info.capacity_bytes, !info.timed);
  }
  refuse_impossible_workload(workload, choice.job, tested);
  return workload;
}

std::optional<SteadyWatch> watch_of(const RunRequest& choice, const RunWorkload& workload, SimulatedDevice& tested) {
  if (choice.until_steady.empty()) return std::nullopt;
  const double within = share_of({"run", 0}, "until_steady", choice.until_steady, kUntilSteady);
  const Device& device = tested.device();
  if (workload.trace) throw ConfigError({"run", 0}, "until_steady", "is for job files; a trace ends with its last request");
  refuse_jobs_that_end(workload.job_file, choice.job);
  const DeviceInfo info = device.info();
  return SteadyWatch(within, {info.capacity_bytes, info.mapping_bytes}, device.counters());
}

}  // namespace

PythonDrive::PythonDrive(const std::string& name, const std::optional<std::string>& text, const std::string& host,
                         const std::vector<std::string>& settings, std::uint64_t seed, bool timed, UserPolicies own) {
  Node document = document_of(name, text, host, settings);
  if (ftlab::is_disk(document) && (own.collection || own.placement || own.map_cache))
    throw ConfigError({name, 0}, "", "is a disk; it has no policies");
  const py::gil_scoped_release released;
  device_ = new_device(std::move(document), clock_of(timed), seed, own);
  check_policies(*device_, own, name);
}

std::unique_ptr<PythonDrive> PythonDrive::load(const std::string& path, const std::string& drive, const std::string& host,
                                               const std::vector<std::string>& settings, bool timed, UserPolicies own) {
  const py::gil_scoped_release released;
  std::vector<Note> notes;
  std::unique_ptr<SimulatedDevice> device = loaded_device(path, drive, host, settings, clock_of(timed), notes, own);
  check_policies(*device, own, path);
  return std::unique_ptr<PythonDrive>(new PythonDrive(std::move(device)));
}

std::unique_ptr<PythonDrive> PythonDrive::fork(UserPolicies own) {
  Use use(*this);
  auto forked = use.without_gil([&] { return use.tested().fork(own); });
  return std::unique_ptr<PythonDrive>(new PythonDrive(std::move(forked)));
}

PythonDrive::RunAnswer PythonDrive::run(const RunRequest& choice) {
  Use use(*this);
  SimulatedDevice& tested = use.tested();
  RunWorkload workload = workload_of(choice, tested);
  std::optional<SteadyWatch> watch = watch_of(choice, workload, tested);
  const auto intervals = choice.interval.empty() ? std::nullopt : std::make_optional<Intervals>(choice.interval);
  Listener listener(choice.progress, choice.each_interval);
  HostOptions host;
  host.seed = choice.seed;
  host.series_interval = workload.series_interval();
  if (watch) host.enough = [&watch](const SeriesRow& row) { return watch->add(row); };
  listener.listen_to(host, workload.trace != nullptr);
  RunAnswer answer;
  const auto execute = [&] {
    const auto began = WallClock::now();
    const RunStats stats = tested.run(workload, host);
    const std::chrono::duration<double> wall = WallClock::now() - began;
    WorkloadReport report = workload.report(stats);
    if (intervals) report.intervals = &*intervals;
    Result result = tested.result(workload.jobs(), stats, {choice.seed, wall.count(), peak_rss_bytes()}, report,
                                  watch ? &*watch : nullptr);
    for (ResultFile& file : result.files) answer.files.emplace_back(std::move(file.name), std::move(file.text));
    answer.failed_checks = std::move(result.failed_checks);
    answer.failed_requests = result.failed_requests;
  };
  try {
    use.without_gil(execute);
  } catch (const Interrupted&) {
    listener.raise_what_happened();
  }
  listener.raise_what_happened();
  answer.notes = shown(workload.jobs().notes);
  return answer;
}

std::pair<std::vector<std::string>, std::uint64_t> PythonDrive::run_procedure(
    const std::string& file, const std::string& out, bool replace, std::uint64_t seed,
    const std::vector<std::string>& variables, const std::vector<std::string>& job_settings, bool cache,
    const py::object& progress) {
  Use use(*this);
  use.tested().keep_states_in(cache ? StateCache::of_user() : StateCache());
  Calls calls;
  ProcedureRun run{file, out, replace, seed, variables, job_settings, {}};
  run.interrupted = calls.stop();
  run.progress = [&](Nanoseconds, std::uint64_t) { calls.make([] {}); };
  run.ended = [&](const std::string& folder, double) {
    calls.make([&] {
      if (!progress.is_none()) progress(folder);
    });
  };
  std::unique_ptr<ProcedureOutcome> outcome;
  try {
    outcome = use.without_gil([&] { return ftlab::run_procedure(run, use.tested()); });
  } catch (const Interrupted&) {
    calls.raise_what_happened();
  }
  calls.raise_what_happened();
  return {outcome->failed_checks, outcome->record.failed_requests};
}

void PythonDrive::idle(std::uint64_t ns) {
  Use use(*this);
  if (ns > static_cast<std::uint64_t>(kNever.count()) / 4)
    throw py::value_error("the time does not fit into the simulated clock");
  use.without_gil([&] { use.tested().idle(Nanoseconds{ns}); });
}

std::string PythonDrive::precondition(const std::string& state, std::uint64_t seed, bool cache) {
  Use use(*this);
  const Precondition wanted = precondition_named(state);
  if (wanted == Precondition::none || wanted == Precondition::trace)
    throw ConfigError({"precondition", 0}, "", "is not a state that a drive is brought into", state,
                      "sequential, random, steady");
  Calls calls;
  const StateCache states = cache ? StateCache::of_user() : StateCache();
  Preconditioning preconditioning{wanted, seed, calls.stop(), &states};
  preconditioning.progress = [&](double, double) { calls.make([] {}); };
  std::string done;
  try {
    done = use.without_gil([&] { return ftlab::precondition(use.tested(), preconditioning); });
  } catch (const Interrupted&) {
    calls.raise_what_happened();
  }
  calls.raise_what_happened();
  return done;
}

void PythonDrive::power_cycle() {
  Use use(*this);
  use.without_gil([&] { use.tested().power_cycle(); });
}

void PythonDrive::set_timed(bool timed) {
  Use use(*this);
  use.without_gil([&] { use.tested().set_timed(timed); });
}

void PythonDrive::save(const std::string& path) {
  Use use(*this);
  ssd(use.tested(), "state that is kept");
  use.without_gil([&] {
    StateFile file(path);
    use.tested().save(file);
  });
}

void PythonDrive::close() {
  if (closed()) return;
  if (in_use_.exchange(true)) raise("DriveError", "the drive is in use by another thread, or was when this process forked");
  device_.reset();
  in_use_ = false;
}

bool PythonDrive::is_disk() { return Use(*this).tested().ssd() == nullptr; }
bool PythonDrive::timed() { return Use(*this).tested().device().info().timed; }
std::uint64_t PythonDrive::now_ns() { return static_cast<std::uint64_t>(Use(*this).tested().now().count()); }
std::uint64_t PythonDrive::capacity_bytes() { return Use(*this).tested().device().info().capacity_bytes; }
std::string PythonDrive::document() { return to_json(Use(*this).tested().document()).dump(2); }
std::string PythonDrive::state_signature() { return Use(*this).tested().state_signature(); }

py::dict PythonDrive::counters() {
  Use use(*this);
  const Counters counters = use.tested().device().counters();
  py::dict named;
  for (const CounterField& field : kCounterFields) named[field.name] = counters.*field.member;
  named["media_write_bytes"] = counters.media_write_bytes();
  return named;
}

py::dict PythonDrive::columns() {
  Use use(*this);
  const Drive& drive = ssd(use.tested(), "blocks");
  const Blocks& blocks = drive.ftl().store().blocks();
  py::dict named;
  named["valid"] = array_of<std::uint32_t>(blocks.columns().valid);
  named["state"] = array_of<std::uint8_t>(blocks.columns().state);
  named["pools"] = array_of<std::uint8_t>(blocks.columns().pool);
  named["erases"] = array_of<std::uint32_t>(drive.medium().superblocks().erase_column());
  named["closed_at"] = array_of<std::uint64_t>(blocks.columns().closed_at);
  named["opened_at"] = array_of<std::uint64_t>(blocks.columns().opened_at);
  named["pages_per_superblock"] = blocks.layout().pages_per_superblock();
  return named;
}

std::vector<std::string> PythonDrive::inspect_layer() {
  Use use(*this);
  const Drive& drive = ssd(use.tested(), "translation layer");
  return use.without_gil([&] { return inspect(drive.ftl()); });
}

namespace {

void register_trace_arguments(py::module_& module) {
  py::class_<TraceArguments>(module, "TraceArguments")
      .def(py::init<>())
      .def_readwrite("format", &TraceArguments::format)
      .def_readwrite("volume", &TraceArguments::volume)
      .def_readwrite("columns", &TraceArguments::columns)
      .def_readwrite("action", &TraceArguments::action)
      .def_readwrite("order", &TraceArguments::order)
      .def_readwrite("round", &TraceArguments::round)
      .def_readwrite("skip_bad_lines", &TraceArguments::skip_bad_lines)
      .def_readwrite("address", &TraceArguments::address)
      .def_readwrite("speed", &TraceArguments::speed)
      .def_readwrite("depth", &TraceArguments::depth)
      .def_readwrite("loops", &TraceArguments::loops);
}

void register_run(py::module_& module) {
  py::class_<RunRequest>(module, "RunRequest")
      .def(py::init<>())
      .def_readwrite("job", &RunRequest::job)
      .def_readwrite("text", &RunRequest::text)
      .def_readwrite("job_settings", &RunRequest::job_settings)
      .def_readwrite("strict", &RunRequest::strict)
      .def_readwrite("shrink_jobs", &RunRequest::shrink_jobs)
      .def_readwrite("trace", &RunRequest::trace)
      .def_readwrite("seed", &RunRequest::seed)
      .def_readwrite("until_steady", &RunRequest::until_steady)
      .def_readwrite("interval", &RunRequest::interval)
      .def_readwrite("each_interval", &RunRequest::each_interval)
      .def_readwrite("progress", &RunRequest::progress);
  py::class_<PythonDrive::RunAnswer>(module, "RunAnswer")
      .def_readonly("files", &PythonDrive::RunAnswer::files)
      .def_readonly("failed_checks", &PythonDrive::RunAnswer::failed_checks)
      .def_readonly("notes", &PythonDrive::RunAnswer::notes)
      .def_readonly("failed_requests", &PythonDrive::RunAnswer::failed_requests);
}

}  // namespace

void register_drive(py::module_& module) {
  register_trace_arguments(module);
  register_run(module);
  py::class_<PythonDrive>(module, "Drive")
      .def(py::init([](const std::string& name, const std::optional<std::string>& text, const std::string& host,
                       const std::vector<std::string>& settings, std::uint64_t seed, bool timed,
                       const py::object& collection, const py::object& placement, const py::object& map_cache) {
             return std::make_unique<PythonDrive>(name, text, host, settings, seed, timed,
                                                  policies_of(collection, placement, map_cache));
           }),
           py::arg("name"), py::arg("text"), py::arg("host"), py::arg("settings"), py::arg("seed"), py::arg("timed"),
           py::arg("collection"), py::arg("placement"), py::arg("map_cache"))
      .def_static(
          "load",
          [](const std::string& path, const std::string& drive, const std::string& host,
             const std::vector<std::string>& settings, bool timed, const py::object& collection, const py::object& placement,
             const py::object& map_cache) {
            return PythonDrive::load(path, drive, host, settings, timed, policies_of(collection, placement, map_cache));
          },
          py::arg("path"), py::arg("drive"), py::arg("host"), py::arg("settings"), py::arg("timed"), py::arg("collection"),
          py::arg("placement"), py::arg("map_cache"))
      .def(
          "fork",
          [](PythonDrive& drive, const py::object& collection, const py::object& placement, const py::object& map_cache) {
            return drive.fork(policies_of(collection, placement, map_cache));
          },
          py::arg("collection"), py::arg("placement"), py::arg("map_cache"))
      .def("run", &PythonDrive::run, py::arg("request"))
      .def("run_procedure", &PythonDrive::run_procedure, py::arg("file"), py::arg("out"), py::arg("replace"),
           py::arg("seed"), py::arg("variables"), py::arg("job_settings"), py::arg("cache"),
           py::arg("progress"))
      .def("idle", &PythonDrive::idle, py::arg("ns"))
      .def("precondition", &PythonDrive::precondition, py::arg("state"), py::arg("seed"), py::arg("cache"))
      .def("power_cycle", &PythonDrive::power_cycle)
      .def("set_timed", &PythonDrive::set_timed, py::arg("timed"))
      .def("save", &PythonDrive::save, py::arg("path"))
      .def("close", &PythonDrive::close)
      .def("counters", &PythonDrive::counters)
      .def("columns", &PythonDrive::columns)
      .def("inspect", &PythonDrive::inspect_layer)
      .def("document", &PythonDrive::document)
      .def("state_signature", &PythonDrive::state_signature)
      .def_property_readonly("closed", &PythonDrive::closed)
      .def_property_readonly("is_disk", &PythonDrive::is_disk)
      .def_property_readonly("timed", &PythonDrive::timed)
      .def_property_readonly("now_ns", &PythonDrive::now_ns)
      .def_property_readonly("capacity_bytes", &PythonDrive::capacity_bytes);
}

}  // namespace ftlab
