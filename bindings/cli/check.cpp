// ftlab check: tests whether files would be accepted as input.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "bindings/cli/commands.h"
#include "bindings/cli/numbers.h"
#include "ftl/drive/config/table_bytes.h"
#include "ftl/mapping/zone_table.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/core/error.h"
#include "sim/host/jobs/host_zones.h"
#include "sim/procedures/execute.h"
#include "validation/results/health/smart_table.h"
#include "validation/results/machine_memory.h"
#include "validation/results/spare_note.h"
#include "validation/run/drives_of_devices.h"
#include "validation/run/job_input.h"
#include "validation/run/options.h"
#include "validation/run/own_files.h"
#include "validation/run/simulated_device.h"
#include "validation/run/state_file.h"
#include "validation/run/trace_input.h"
#include "validation/run/unusual_values.h"

namespace ftlab {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> drives = {"kingston-ssdnow-v-64"};
  bool json = false;
  TraceArguments trace;
  std::vector<std::string> variables;
  JobArguments jobs;
};

// Memory of runs that must know the content of each page.
std::string needs_of_versions(const DriveConfig& drive) {
  const std::uint64_t more = table_bytes(drive, true) - table_bytes(drive, false);
  return more == 0 ? ""
                   : fmt::format("; {:.0f} MB more if it verifies, cuts the power or saves the drive",
                                 std::ceil(static_cast<double>(more) / 1e6));
}

std::string check_drive(const std::string& path) {
  const Node document = load_drive(path, {});
  const DeviceConfig drive = read_device(document);
  const std::string note = drive.ssd ? spare_note(*drive.ssd) : "";
  std::string unusual;
  for (const Note& one : unusual_values(document)) unusual += "\n  note: " + one.text + "; " + one.remedy;
  return "drive \"" + drive.name() + "\", " + std::to_string(drive.user_bytes()) + " bytes" +
         (drive.ssd ? "\n  a run " + memory_needs(*drive.ssd, false) + needs_of_versions(*drive.ssd) : "") +
         (note.empty() ? "" : "\n  note: " + note) + unusual + unstated(document);
}

std::string check_host(const std::string& path) {
  const Node document = load_host(path);
  return "host \"" + document.find("name")->text + "\"" + unstated(document);
}

std::string check_jobs(const std::string& path, const std::string& drive, JobArguments arguments) {
  const auto device = read_device(load_drive(drive, {}));
  ZoneReport zones;
  if (device.ssd) zones = ZoneTable(device.ssd->ftl.mapping.zones, device.ssd->ftl.mapping_bytes).report();
  arguments.zone_bytes = zones.zone_bytes;
  const JobFile jobs = load_jobs(path, device.user_bytes(), arguments);
  fitting_zones(zones, device.name(), device.user_bytes(), jobs.jobs, path);
  std::string text = std::to_string(jobs.jobs.size()) + (jobs.jobs.size() == 1 ? " job" : " jobs") + " for " + drive;
  for (const Note& note : jobs.notes)
    text += (note.line == 0 ? "\n  " : "\n  line " + std::to_string(note.line) + ": ") + "note: " + note.text +
            (note.remedy.empty() ? "" : "; remedy: " + note.remedy);
  return text;
}

std::string check_jobs(const std::string& path, const CheckOptions& options) {
  if (options.drives.size() == 1) return check_jobs(path, options.drives.front(), options.jobs);
  std::string text;
  for (const DriveOfDevice& one : drives_of_devices(options.drives, devices_in_jobs(path, options.jobs), path)) {
    JobArguments of_device = options.jobs;
    of_device.device = one.device;
    text += (text.empty() ? "" : "\n  ") + one.device + ": " + check_jobs(path, one.drive, of_device);
  }
  return text;
}

std::string check_trace(const std::string& path, const TraceArguments& arguments) {
  const TraceOptions options = trace_options(path, arguments);
  const TraceSummary summary = summarise_trace(options);
  std::string text = std::string("trace in the format ") + summary.format + ", " + std::to_string(summary.counts.requests) +
                     " requests\n" + trace_text(summary);
  for (const std::string& note : trace_notes(summary, options)) text += "  note: " + note + "\n";
  text.pop_back();
  return text;
}

void print_trace_json(const std::string& path, const TraceArguments& arguments) {
  if (path.ends_with(".json") || !is_trace(path, arguments))
    throw ConfigError({path, 0}, "--json", "only traces have a summary");
  std::printf("%s\n", trace_json(summarise_trace(trace_options(path, arguments))).dump(2).c_str());
}

std::string check_saved(const std::string& path) {
  const StateLabel label = check_state(path);
  return fmt::format("state of \"{}\", {} bytes, seed {}; lived {:.3f} s, {} bytes written by the host, {} bytes hold data",
                     label.document.find("name")->text, read_drive(label.document).user_bytes, label.seed,
                     static_cast<double>(label.lived.count()) / 1e9, label.counters.host_write_bytes,
                     label.counters.mapped_bytes);
}

std::string check_procedure(const std::string& path, const Node& document, const CheckOptions& options) {
  if (options.drives.size() > 1)
    throw ConfigError({"--drive", 0}, "", "a procedure runs on one drive, and several --drive are given");
  const std::string& drive_name = options.drives.front();
  const DeviceConfig config = read_device(load_drive(drive_name, {}));
  const Procedure procedure = read_procedure(document, options.variables);
  const std::unique_ptr<SimulatedDevice> drive = new_device(config, 1);
  JobArguments arguments;
  arguments.zone_bytes = drive->zones().zone_bytes;
  const std::size_t steps = rehearse(procedure, *drive, context_of(path, config.user_bytes(), arguments));
  return "procedure \"" + procedure.name + "\" for " + drive_name + ", at most " + std::to_string(steps) + " steps";
}

std::string check_json(const std::string& path, const CheckOptions& options) {
  refuse_foreign_to_check(path);
  const Node document = load_document(path, files_of_document(path));
  if (is_smart_table(document)) {
    const SmartTable table = read_smart_table(document);
    return "table \"" + table.name + "\" of " + std::to_string(table.attributes.size()) + " SMART attributes";
  }
  if (is_host(document)) return check_host(path);
  return is_procedure(document) ? check_procedure(path, document, options) : check_drive(path);
}

std::string check_file(const std::string& path, const CheckOptions& options) {
  if (is_state_file(path)) return check_saved(path);
  if (is_procedure_file(path)) return check_json(path, options);
  if (!is_fio_command(path) && is_trace(path, options.trace)) return check_trace(path, options.trace);
  const std::string given = options.trace.any();
  if (!given.empty()) throw ConfigError({given, 0}, "", "is for traces; " + path + " is a job file");
  return check_jobs(path, options);
}

// The file of a drive or host of the library, if the name means one; else the name itself.
std::string file_named(const std::string& name) {
  std::error_code none;
  if (is_fio_command(name) || std::filesystem::exists(name, none)) return name;
  if (std::ranges::count(drive_names(), name) > 0) return drive_path(name);
  return std::ranges::count(host_names(), name) > 0 ? host_path(name) : name;
}

// States are recognised by their header; drive files, procedures and tables by the name *.json; traces by their first lines.
// Everything else is read as a job file.
int check(const CheckOptions& options) {
  int status = kDone;
  for (const std::string& path : options.files) {
    try {
      if (options.json)
        print_trace_json(path, options.trace);
      else
        std::printf("%s: accepted: %s\n", is_fio_command(path) ? "fio command" : path.c_str(),
                    check_file(file_named(path), options).c_str());
    } catch (const ConfigError& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = kRefused;
    }
  }
  return status;
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "check inputs without running them");
  command
      ->add_option(
          "file", options->files,
          "drives and hosts (files, or names of the library), procedures, SMART tables (.json), job files, traces, saved "
          "states; or behind --, a fio command line")
      ->required();
  command->add_flag("--json", options->json, "print a trace's summary as JSON");
  add_reading_options(*command, options->trace);
  add_job_options(*command, options->jobs);
  add_repeated(*command, "--drive", options->drives,
               "drive that job files and procedures are checked against; repeated, one for each "
               "device of the jobs")->capture_default_str();
  add_repeated(*command, "--variable", options->variables, "NAME=VALUE: set a variable of the procedures; repeatable");
  when_chosen(*command, session, [options] { return check(*options); });
}

}  // namespace ftlab
