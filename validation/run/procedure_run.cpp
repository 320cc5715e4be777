#include "validation/run/procedure_run.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/procedures/procedure_report.h"
#include "validation/results/result_folder.h"
#include "validation/results/smart_report.h"
#include "validation/run/job_input.h"
#include "validation/run/state_file.h"

namespace ftlab {
namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point begin) { return std::chrono::duration<double>(WallClock::now() - begin).count(); }

// Writes the result of each run of jobs as it ends, and remembers what was wrong with any.
class Bookkeeper {
 public:
  Bookkeeper(ResultFolder& folder, TestedDevice& tested, std::uint64_t seed)
      : folder_(folder), tested_(tested), seed_(seed) {}

  void operator()(const StepRecord& step, const JobFile& jobs, const RunStats& stats) {
    const Result result = tested_.result(jobs, stats, {seed_, seconds_since(began_), peak_rss_bytes()});
    for (const ResultFile& file : result.files) folder_.write(step.folder + "/" + file.name, file.text);
    for (const std::string& problem : result.problems) problems_.push_back(step.folder + ": " + problem);
    began_ = WallClock::now();
  }

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  ResultFolder& folder_;
  TestedDevice& tested_;
  std::uint64_t seed_;
  WallClock::time_point began_ = WallClock::now();
  std::vector<std::string> problems_;
};

nlohmann::ordered_json result_json(const ProcedureOutcome& outcome, TestedDevice& tested, std::uint64_t seed,
                                   double wall_s) {
  nlohmann::ordered_json json = procedure_json(outcome.procedure, outcome.record, tested.device().device().info());
  json["ftlab"] = {{"version", FTLAB_VERSION},
                   {"compiler", FTLAB_COMPILER},
                   {"state_signature", tested.state_signature()},
                   {"seed", seed},
                   {"drive", to_json(tested.document())},
                   {"simulator", {{"wall_s", wall_s}, {"peak_rss_bytes", peak_rss_bytes()}}}};
  if (const Drive* const drive = tested.ssd())
    json["ftlab"]["health"] = health_json(smart_log(*drive, tested.device().now()));
  return json;
}

ProcedureOptions options_for(const ProcedureRun& run, Bookkeeper& bookkeeper) {
  ProcedureOptions how;
  how.seed = run.seed;
  how.host = [&run](const JobFile& jobs) {
    HostOptions host;
    host.series_interval = series_interval_for(jobs);
    host.interrupted = run.interrupted;
    host.progress = run.progress;
    return host;
  };
  how.ran = [&run, &bookkeeper](const StepRecord& step, const JobFile& jobs, const RunStats& stats) {
    bookkeeper(step, jobs, stats);
    if (run.ended) run.ended(step.folder);
  };
  return how;
}

}  // namespace

std::unique_ptr<ProcedureOutcome> run_procedure(const ProcedureRun& run, TestedDevice& tested) {
  const Node text = load_document(run.file, files_of_document(run.file));
  auto outcome = std::make_unique<ProcedureOutcome>();
  outcome->procedure = read_procedure(text, run.variables);
  DeviceUnderTest& device = tested.device();
  const JobContext context = context_of(run.file, device.device().info().capacity_bytes, run.job_settings);
  rehearse(outcome->procedure, device, context);
  ResultFolder folder(run.out, run.replace);
  std::optional<StateFile> state;
  if (!run.save.empty()) state.emplace(run.save);

  const auto began = WallClock::now();
  Bookkeeper bookkeeper(folder, tested, run.seed);
  outcome->record = execute(outcome->procedure, device, context, options_for(run, bookkeeper));
  outcome->summary = result_json(*outcome, tested, run.seed, seconds_since(began)).dump(2) + "\n";
  outcome->problems = bookkeeper.problems();
  folder.write("result.json", outcome->summary);
  folder.write("procedure.csv", procedure_csv(outcome->procedure, outcome->record));
  folder.write("procedure.json", to_json(text).dump(2) + "\n");
  folder.write("drive.json", to_json(tested.document()).dump(2) + "\n");
  if (state) state->save(*tested.ssd(), tested.document());
  folder.commit();
  return outcome;
}

}  // namespace ftlab
