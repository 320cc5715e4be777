#include "bindings/cli/calibrate/command.h"

#include <algorithm>
#include <cstdio>

#include <spdlog/fmt/fmt.h>

#include "sim/config/names.h"
#include "sim/config/split.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/plan.h"
#include "validation/results/progress_line.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

DriveState whole_state(const std::string& text) {
  const std::vector<DriveState> whole = whole_states();
  const auto found =
      std::find_if(whole.begin(), whole.end(), [&](const DriveState& state) { return name_of(state) == text; });
  if (found != whole.end()) return *found;
  refuse_name({"--state", 0}, "", "is not a state that a plan prepares", text, {"unwritten", "sequential", "random"});
}

PlanOptions options_of(const CalibrateOptions& given, const Session& session, ProgressLine& line) {
  PlanOptions options;
  if (!given.state.empty()) options.states.clear();
  for (const std::string& state : given.state) options.states.push_back(whole_state(state));
  for (const std::string& choice : given.figures) options.figures.push_back(parse_figures(choice));
  options.points = given.plan.points;
  options.minutes = given.plan.minutes;
  options.scale = given.scale;
  options.seed = given.seed;
  options.requests = given.requests;
  options.threads = given.threads;
  options.interrupted = session.interrupted;
  options.progress = [&line](const std::string& what, double share) {
    line.draw("simulates " + what, ProgressShare{share});
  };
  return options;
}

std::vector<std::string> heading_of(const CalibrateOptions& given, const MeasuringPlan& plan) {
  std::vector<std::string> lines = {
      fmt::format("{} measurements that tell most about {} of {}.", plan.points.size(), joined(given.fit, " "),
                  given.drives.front()),
      "They overwrite the whole drive. fio: put the device's name in the place of /dev/drive."};
  if (plan.points.front().job.state.unwritten == kPartsOfShare)
    lines.emplace_back("Erase the drive first (blkdiscard, nvme format): the first jobs measure it unwritten.");
  lines.push_back("Then: ftlab calibrate --drive " + given.drives.front() + " --measured RESULT --state plan --fit " +
                  joined(given.fit, " ") + " --out NEW.json");
  return lines;
}

}  // namespace

int write_plan(const CalibrateOptions& given, const Session& session) {
  const Node drive = load_drive(given.drives.front(), given.settings, given.host);
  if (is_disk(drive)) throw ConfigError({"--plan", 0}, "", "is for SSDs, and this is a disk", given.drives.front());
  NewFile file(given.plan.out, "--plan");
  ProgressLine line;
  const MeasuringPlan plan = plan_measurements(drive, given.fit, options_of(given, session, line));
  line.wipe();
  file.commit(job_file_of(plan, heading_of(given, plan)));
  std::fputs(plan_table(plan).c_str(), stdout);
  return kDone;
}

}  // namespace ftlab
