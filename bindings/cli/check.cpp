// ftlab check FILE...: would this input be accepted?
#include <cstdio>
#include <memory>

#include "bindings/cli/commands.h"
#include "bindings/job_input.h"
#include "bindings/open_device.h"
#include "sim/config/error.h"

namespace ftlab {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string drive = "kingston-ssdnow-v-64";
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

// Drive files are JSON by name; everything else is read as a job file.
int check(const CheckOptions& options) {
  int status = kDone;
  for (const std::string& path : options.files) {
    try {
      const bool json = path.ends_with(".json");
      const std::string what = json ? check_drive(path) : check_jobs(path, options.drive);
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
  command->add_option("file", options->files, "drive files (.json) and job files")->required();
  command->add_option("--drive", options->drive, "the drive that job files are checked against")->capture_default_str();
  command->callback([options, &session] { session.chosen = [options] { return check(*options); }; });
}

}  // namespace ftlab
