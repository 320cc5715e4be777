#include "validation/run/procedure_run.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/procedures/procedure_report.h"
#include "validation/results/health/endurance.h"
#include "validation/results/health/smart_report.h"
#include "validation/results/result_folder.h"
#include "validation/results/run_problems.h"
#include "validation/run/job_input.h"
#include "validation/run/state_file.h"

namespace ftlab {
namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point begin) { return std::chrono::duration<double>(WallClock::now() - begin).count(); }

// Writes the result of each run of jobs when it ends, and collects failed checks and problems.
class Bookkeeper {
 public:
  Bookkeeper(ResultFolder& folder, SimulatedDevice& device, std::uint64_t seed)
      : folder_(folder), device_(device), seed_(seed) {}

  void operator()(const StepRecord& step, const JobFile& jobs, const RunStats& stats) {
    const Result result = device_.result(jobs, stats, {seed_, seconds_since(began_), peak_rss_bytes()});
    for (const ResultFile& file : result.files) folder_.write(step.folder + "/" + file.name, file.text);
    for (const std::string& failed : result.failed_checks) failed_checks_.push_back(step.folder + ": " + failed);
    // Steps that fill or wear a drive are not steady by design; rounds have their own steady-state test.
    for (const Problem& problem : result.problems)
      if (problem.code != ProblemCode::not_steady) problems_.push_back({step.folder, problem});
    began_ = WallClock::now();
  }

  const std::vector<std::string>& failed_checks() const { return failed_checks_; }
  const std::vector<StepProblem>& problems() const { return problems_; }

 private:
  ResultFolder& folder_;
  SimulatedDevice& device_;
  std::uint64_t seed_;
  WallClock::time_point began_ = WallClock::now();
  std::vector<std::string> failed_checks_;
  std::vector<StepProblem> problems_;
};

nlohmann::ordered_json problems_json(const std::vector<StepProblem>& problems) {
  std::vector<Problem> all;
  for (const StepProblem& of_step : problems) {
    all.push_back(of_step.problem);
    all.back().text = of_step.folder + ": " + all.back().text;
  }
  return problems_json(all);
}

nlohmann::ordered_json result_json(const ProcedureOutcome& outcome, SimulatedDevice& device, std::uint64_t seed,
                                   double wall_s) {
  nlohmann::ordered_json json = procedure_json(outcome.procedure, outcome.record, device.device().info());
  json["ftlab"] = {{"version", FTLAB_VERSION},
                   {"compiler", FTLAB_COMPILER},
                   {"state_signature", device.state_signature()},
                   {"seed", seed},
                   {"problems", problems_json(outcome.problems)},
                   {"failed_checks", outcome.failed_checks},
                   {"drive", to_json(device.document())},
                   {"simulator", {{"wall_s", wall_s}, {"peak_rss_bytes", peak_rss_bytes()}}}};
  if (const Drive* const drive = device.ssd()) {
    json["ftlab"]["health"] = health_json(smart_log(*drive, device.now()));
    json["ftlab"]["endurance"] = endurance(*drive);
  }
  return json;
}

JobContext context_for(const ProcedureRun& run, SimulatedDevice& device) {
  JobContext context = context_of(run.file, device.device().info().capacity_bytes, run.job_settings);
  context.zone_bytes = device.zones().zone_bytes;
  return context;
}

ProcedureOptions options_for(const ProcedureRun& run, Bookkeeper& bookkeeper, std::size_t most_steps) {
  ProcedureOptions how;
  how.seed = run.seed;
  how.host = [&run](const JobFile& jobs) {
    HostOptions host;
    host.series_interval = series_interval_for(jobs);
    host.interrupted = run.interrupted;
    host.progress = run.progress;
    return host;
  };
  how.ran = [&run, &bookkeeper, most_steps](const StepRecord& step, const JobFile& jobs, const RunStats& stats) {
    bookkeeper(step, jobs, stats);
    if (run.ended) run.ended(step.folder, static_cast<double>(step.number) / static_cast<double>(most_steps));
  };
  return how;
}

}  // namespace

void rehearse_procedure(const ProcedureRun& run, SimulatedDevice& device) {
  const Procedure procedure = read_procedure(load_document(run.file, files_of_document(run.file)), run.variables);
  rehearse(procedure, device, context_for(run, device));
  refuse_unless_writable(run.out, run.replace, {run.save});
}

std::unique_ptr<ProcedureOutcome> run_procedure(const ProcedureRun& run, SimulatedDevice& device) {
  const Node text = load_document(run.file, files_of_document(run.file));
  auto outcome = std::make_unique<ProcedureOutcome>();
  outcome->procedure = read_procedure(text, run.variables);
  const JobContext context = context_for(run, device);
  const std::size_t most_steps = rehearse(outcome->procedure, device, context);
  ResultFolder folder(run.out, run.replace, {run.save});
  std::optional<StateFile> state;
  if (!run.save.empty()) state.emplace(run.save, folder.place_of(run.save));

  const auto began = WallClock::now();
  Bookkeeper bookkeeper(folder, device, run.seed);
  outcome->record = execute(outcome->procedure, device, context, options_for(run, bookkeeper, most_steps));
  outcome->failed_checks = bookkeeper.failed_checks();
  outcome->problems = bookkeeper.problems();
  outcome->summary = result_json(*outcome, device, run.seed, seconds_since(began)).dump(2) + "\n";
  folder.write("result.json", outcome->summary);
  folder.write("procedure.csv", procedure_csv(outcome->procedure, outcome->record));
  folder.write("procedure.json", to_json(text).dump(2) + "\n");
  folder.write("drive.json", to_json(device.document()).dump(2) + "\n");
  if (state) device.save(*state);
  folder.commit();
  return outcome;
}

}  // namespace ftlab
