#include "bindings/cli/run_procedure.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "bindings/disk_result.h"
#include "bindings/job_input.h"
#include "bindings/progress_line.h"
#include "bindings/result.h"
#include "bindings/result_folder.h"
#include "bindings/simulated_disk.h"
#include "bindings/simulated_drive.h"
#include "bindings/smart_report.h"
#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/methodology/procedure_report.h"

namespace ftlab {
namespace {

using WallClock = std::chrono::steady_clock;

constexpr std::size_t kMostRows = 60;  // of the printed table

double seconds_since(WallClock::time_point begin) { return std::chrono::duration<double>(WallClock::now() - begin).count(); }

// What the procedure is carried out on, and how its results are made.
class TestedDevice {
 public:
  explicit TestedDevice(Subject subject) : document_(std::move(subject.document)) {
    if (subject.drive) drive_.emplace(std::move(subject.drive));
    if (subject.disk) disk_.emplace(std::move(subject.disk));
  }

  DeviceUnderTest& device() { return drive_ ? static_cast<DeviceUnderTest&>(*drive_) : *disk_; }
  Drive* ssd() { return drive_ ? &drive_->drive() : nullptr; }
  const Node& document() const { return document_; }
  Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort) {
    return drive_ ? make_result(drive_->drive(), document_, jobs, stats, effort)
                  : make_result(disk_->disk(), document_, jobs, stats, effort);
  }
  std::string state_signature() {
    Signature signature;
    if (drive_) drive_->drive().add_to(signature);
    if (disk_) disk_->disk().add_to(signature);
    return signature.text();
  }

 private:
  Node document_;
  std::optional<SimulatedDrive> drive_;
  std::optional<SimulatedDisk> disk_;
};

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

bool counts_energy(const ProcedureRecord& record) {
  return std::any_of(record.steps.begin(), record.steps.end(), [](const StepRecord& step) { return step.energy_pj; });
}

// The last cell of a row: watts, on a drive that counts its energy.
std::string watts_cell(const StepRecord& step) {
  const double ns = static_cast<double>((step.ended - step.started).count());
  return step.energy_pj && ns > 0 ? fmt::format("{:>9.3f}", static_cast<double>(*step.energy_pj) / ns / 1000) : "";
}

std::string table(const ProcedureRecord& record) {
  std::string text = fmt::format("  {:<28}{:>6}{:>12}{:>11}{:>13}{:>13}{:>9}{}\n", "step", "round", "IOPS", "MB/s",
                                 "mean us", "p99.9 us", "WA", counts_energy(record) ? "        W" : "");
  std::size_t rows = 0;
  for (const StepRecord& step : record.steps) {
    if (rows >= kMostRows || !step.figures || !step.step->measured || step.step->kind != StepKind::job) continue;
    ++rows;
    const Figures& f = *step.figures;
    const double wa =
        f.host_write_bytes == 0 ? 0 : static_cast<double>(f.media_write_bytes) / static_cast<double>(f.host_write_bytes);
    text += fmt::format("  {:<28}{:>6}{:>12.1f}{:>11.2f}{:>13.1f}{:>13.1f}{:>9}{}\n",
                        fmt::format("{} {}", step.number, step.step->name).substr(0, 27),
                        step.round > 0 ? std::to_string(step.round) : "", f.value(Track::Figure::iops),
                        f.value(Track::Figure::mb_per_s), f.latency.mean_ns() / 1e3,
                        static_cast<double>(f.latency.percentile_ns(99.9)) / 1e3,
                        f.host_write_bytes == 0 ? "" : fmt::format("{:.3f}", wa), watts_cell(step));
  }
  if (rows >= kMostRows) text += "  ... all rows are in procedure.csv\n";
  for (const RoundsRecord& rounds : record.rounds) {
    const SteadyRounds& j = rounds.judged;
    text += fmt::format("  {}: steady state {} after {} rounds; average {:.1f}, range {:.1f} %, slope excursion {:.1f} %\n",
                        rounds.step->name, j.reached ? "reached" : "not reached", j.rounds, j.average,
                        j.average > 0 ? 100 * j.range / j.average : 0.0,
                        j.average > 0 ? 100 * j.slope_excursion / j.average : 0.0);
  }
  return text;
}

nlohmann::ordered_json result_json(const Procedure& procedure, const ProcedureRecord& record, TestedDevice& tested,
                                   const ProcedureRun& options, double wall_s) {
  nlohmann::ordered_json json = procedure_json(procedure, record, tested.device().device().info());
  json["ftlab"] = {{"version", FTLAB_VERSION},
                   {"compiler", FTLAB_COMPILER},
                   {"state_signature", tested.state_signature()},
                   {"seed", options.seed},
                   {"drive", to_json(tested.document())},
                   {"simulator", {{"wall_s", wall_s}, {"peak_rss_bytes", peak_rss_bytes()}}}};
  if (const Drive* const drive = tested.ssd())
    json["ftlab"]["health"] = health_json(health_log(*drive, tested.device().now()));
  return json;
}

}  // namespace

int run_procedure(const ProcedureRun& options, Subject subject, const Session& session) {
  const Node text = load_document(options.file, [](const std::string& path) { return read_text_file(path); });
  const Procedure procedure = read_procedure(text, options.variables);
  TestedDevice tested(std::move(subject));
  DeviceUnderTest& device = tested.device();
  const JobContext context = procedure_context(options.file, device.device().info().capacity_bytes, options.job_settings);
  rehearse(procedure, device, context);
  ResultFolder folder(options.out, options.replace);
  std::optional<StateFile> state;
  if (!options.save.empty()) state.emplace(options.save);

  const auto began = WallClock::now();
  Bookkeeper bookkeeper(folder, tested, options.seed);
  ProcedureOptions how;
  how.seed = options.seed;
  how.host = [&session](const JobFile& jobs) {
    HostOptions host;
    host.series_interval = series_interval_for(jobs);
    host.interrupted = session.interrupted;
    return host;
  };
  ProgressLine line;
  how.ran = [&](const StepRecord& step, const JobFile& jobs, const RunStats& stats) {
    bookkeeper(step, jobs, stats);
    line.draw(step.folder + " done");
  };
  const ProcedureRecord record = carry_out(procedure, device, context, how);
  line.wipe();
  for (const std::string& note : record.notes) spdlog::warn("{}", note);
  const std::string summary = result_json(procedure, record, tested, options, seconds_since(began)).dump(2) + "\n";
  folder.write("result.json", summary);
  folder.write("procedure.csv", procedure_csv(procedure, record));
  folder.write("procedure.json", to_json(text).dump(2) + "\n");
  folder.write("drive.json", to_json(tested.document()).dump(2) + "\n");
  if (state) state->save(*tested.ssd(), tested.document());
  folder.commit();
  std::fputs(options.json ? summary.c_str() : (table(record) + "  result: " + options.out + "\n").c_str(), stdout);
  for (const std::string& problem : bookkeeper.problems()) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!bookkeeper.problems().empty()) return kResultFailed;
  return record.failed_requests > 0 ? kDriveFailed : kDone;
}

}  // namespace ftlab
