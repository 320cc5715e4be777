// ftlab check FILE...: would this input be accepted?
#include <cstdio>
#include <memory>

#include <spdlog/fmt/fmt.h>

#include "bindings/cli/commands.h"
#include "bindings/cli/run_procedure.h"
#include "bindings/job_input.h"
#include "bindings/open_device.h"
#include "bindings/simulated_drive.h"
#include "bindings/state_file.h"
#include "sim/config/error.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"

namespace ftlab {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string drive = "kingston-ssdnow-v-64";
  std::vector<std::string> variables;
};

std::string check_drive(const std::string& path) {
  const DriveConfig drive = read_drive(load_drive(path, {}));
  return "drive \"" + drive.name + "\", " + std::to_string(drive.user_bytes) + " bytes";
}

std::string check_jobs(const std::string& path, const std::string& drive) {
  const JobFile jobs = load_jobs(path, read_drive(load_drive(drive, {})).user_bytes, {});
  std::string text = std::to_string(jobs.jobs.size()) + (jobs.jobs.size() == 1 ? " job" : " jobs") + " for " + drive;
  for (const Note& note : jobs.notes) text += "\n  line " + std::to_string(note.line) + ": note: " + note.text;
  return text;
}

std::string check_saved(const std::string& path) {
  const StateLabel label = check_state(path);
  return fmt::format("state of \"{}\", {} bytes, seed {}; lived {:.3f} s, {} bytes written by the host, {} bytes hold data",
                     label.document.find("name")->text, read_drive(label.document).user_bytes, label.seed,
                     static_cast<double>(label.lived.count()) / 1e9, label.counters.host_write_bytes,
                     label.counters.mapped_bytes);
}

std::string check_procedure(const std::string& path, const Node& document, const CheckOptions& options) {
  const DriveConfig config = read_drive(load_drive(options.drive, {}));
  const Procedure procedure = read_procedure(document, options.variables);
  const SimulatedDrive drive(config, 1);
  const std::size_t steps = rehearse(procedure, drive, procedure_context(path, config.user_bytes, {}));
  return "procedure \"" + procedure.name + "\" for " + options.drive + ", at most " + std::to_string(steps) + " steps";
}

std::string check_json(const std::string& path, const CheckOptions& options) {
  const Node document = load_document(path, [](const std::string& name) { return read_text_file(name); });
  return is_procedure(document) ? check_procedure(path, document, options) : check_drive(path);
}

std::string check_file(const std::string& path, const CheckOptions& options) {
  if (is_state_file(path)) return check_saved(path);
  return path.ends_with(".json") ? check_json(path, options) : check_jobs(path, options.drive);
}

// States are known by their beginning, drive files and procedures are JSON by name; everything else is read as a job file.
int check(const CheckOptions& options) {
  int status = kDone;
  for (const std::string& path : options.files) {
    try {
      const std::string what = check_file(path, options);
      std::printf("%s: accepted: %s\n", path.c_str(), what.c_str());
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
  CLI::App* command = app.add_subcommand("check", "read inputs and say whether they would be accepted, without running");
  command->add_option("file", options->files, "drive files and procedures (.json), job files, states")->required();
  command->add_option("--drive", options->drive, "the drive that job files and procedures are checked against")
      ->capture_default_str();
  command->add_option("--variable", options->variables, "NAME=VALUE: a variable of the procedures; repeatable")
      ->allow_extra_args(false);
  command->callback([options, &session] { session.chosen = [options] { return check(*options); }; });
}

}  // namespace ftlab
