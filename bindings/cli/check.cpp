// ftlab check FILE...: would this input be accepted?
#include <cstdio>
#include <memory>

#include "bindings/cli/commands.h"
#include "bindings/job_input.h"
#include "bindings/open_device.h"
#include "bindings/trace_input.h"
#include "bindings/trace_report.h"
#include "sim/config/error.h"

namespace ftlab {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string drive = "kingston-ssdnow-v-64";
  bool json = false;
  TraceArguments trace;
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

std::string check_file(const std::string& path, const CheckOptions& options) {
  const std::string given = options.trace.any();
  if (path.ends_with(".json")) return check_drive(path);
  if (is_trace(path, options.trace)) return check_trace(path, options.trace);
  if (!given.empty()) throw ConfigError({given, 0}, "", "is for traces; " + path + " is a job file");
  return check_jobs(path, options.drive);
}

// Drive files are JSON by name; traces show by their first lines; everything else is read as a job file.
int check(const CheckOptions& options) {
  int status = kDone;
  for (const std::string& path : options.files) {
    try {
      if (options.json)
        print_trace_json(path, options.trace);
      else
        std::printf("%s: accepted: %s\n", path.c_str(), check_file(path, options).c_str());
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
  command->add_option("file", options->files, "drive files (.json), job files and traces")->required();
  command->add_flag("--json", options->json, "print the summary of a trace as JSON");
  add_reading_options(*command, options->trace);
  command->add_option("--drive", options->drive, "the drive that job files are checked against")->capture_default_str();
  command->callback([options, &session] { session.chosen = [options] { return check(*options); }; });
}

}  // namespace ftlab
