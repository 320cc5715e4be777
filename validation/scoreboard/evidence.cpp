#include "validation/scoreboard/evidence.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ftl/drive/smart_log.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/stats/fio/fio_report.h"
#include "validation/compare/shape.h"
#include "validation/results/health/smart_table.h"
#include "validation/run/job_input.h"
#include "validation/run/scaled_drive.h"
#include "validation/run/simulated_device.h"

namespace ftlab {
namespace fs = std::filesystem;
namespace {

using WallClock = std::chrono::steady_clock;

constexpr double kGiB = 1073741824.0;

[[noreturn]] void refuse_run(const Measure& measure, const std::string& problem, const std::string& value = {},
                             const std::string& allowed = {}, const std::string& nearest = {}) {
  throw ConfigError({measure.file, measure.line}, measure.text, problem, value, allowed, nearest);
}

double per_second(std::uint64_t count, Nanoseconds time) {
  return time.count() == 0 ? 0 : static_cast<double>(count) * 1e9 / static_cast<double>(time.count());
}

std::uint64_t at(const PerDirection<std::uint64_t>& values, Direction direction) {
  return values[static_cast<std::size_t>(direction)];
}

std::uint64_t sum(const PerDirection<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all += value;
  return all;
}

double us(std::uint64_t ns) { return static_cast<double>(ns) / 1000; }

// A figure of one step. Names are those of the columns of procedure.csv, and a few more.
struct StepFigure {
  const char* name;
  double (*of)(const StepRecord&);
};

const std::array<StepFigure, 17> kStepFigures = {{
    {"iops", [](const StepRecord& s) { return s.figures->value(Track::Figure::iops); }},
    {"MB_per_s", [](const StepRecord& s) { return s.figures->value(Track::Figure::mb_per_s); }},
    {"read_iops",
     [](const StepRecord& s) { return per_second(at(s.figures->requests, Direction::read), s.figures->measured); }},
    {"write_iops",
     [](const StepRecord& s) { return per_second(at(s.figures->requests, Direction::write), s.figures->measured); }},
    {"read_MB_per_s",
     [](const StepRecord& s) { return per_second(at(s.figures->bytes, Direction::read), s.figures->measured) / 1e6; }},
    {"write_MB_per_s",
     [](const StepRecord& s) { return per_second(at(s.figures->bytes, Direction::write), s.figures->measured) / 1e6; }},
    {"requests", [](const StepRecord& s) { return static_cast<double>(sum(s.figures->requests)); }},
    {"GiB_read", [](const StepRecord& s) { return static_cast<double>(at(s.figures->bytes, Direction::read)) / kGiB; }},
    {"GiB_written", [](const StepRecord& s) { return static_cast<double>(at(s.figures->bytes, Direction::write)) / kGiB; }},
    {"latency_us_mean", [](const StepRecord& s) { return s.figures->latency.mean_ns() / 1000; }},
    {"latency_us_min", [](const StepRecord& s) { return us(s.figures->latency.min_ns()); }},
    {"latency_us_max", [](const StepRecord& s) { return us(s.figures->latency.max_ns()); }},
    {"latency_us_stdev", [](const StepRecord& s) { return s.figures->latency.stddev_ns() / 1000; }},
    {"wa",
     [](const StepRecord& s) {
       const double host = static_cast<double>(s.figures->host_write_bytes);
       return host == 0 ? 0 : static_cast<double>(s.figures->media_write_bytes) / host;
     }},
    {"power_w",
     [](const StepRecord& s) { return s.energy_pj ? per_second(*s.energy_pj, s.ended - s.started) / 1e12 : 0.0; }},
    {"time_s", [](const StepRecord& s) { return static_cast<double>((s.ended - s.started).count()) / 1e9; }},
    {"started_s", [](const StepRecord& s) { return static_cast<double>(s.started.count()) / 1e9; }},
}};
constexpr std::string_view kPercentile = "latency_us_p";
constexpr std::array<const char*, 5> kOverTime = {"fall_s", "first_MB_per_s", "steady_MB_per_s", "swing_MB_per_s",
                                                  "swing_share"};

std::string step_figure_names() {
  std::string names;
  for (const StepFigure& figure : kStepFigures) names += std::string(figure.name) + ", ";
  names += "latency_us_pN, percent_us_N, percent_ms_N, sample_KiB_per_s_min, _max, _mean, _stdev";
  for (const char* name : kOverTime) names += std::string(", ") + name;
  return names;
}

std::optional<double> percentile_of(const std::string& figure) {
  if (!figure.starts_with(kPercentile)) return {};
  return percent_in(std::string_view(figure).substr(kPercentile.size()));
}

double over_time(const TimeCurve& bandwidth, const std::string& figure) {
  const TimeShape shape = shape_of(bandwidth);
  constexpr double kMB = 1e6;
  if (figure == "first_MB_per_s") return bandwidth.intervals.front().value / kMB;
  if (figure == "steady_MB_per_s") return shape.steady_level / kMB;
  if (figure == "swing_share") return shape.swing.value_or(0);
  if (figure == "swing_MB_per_s") return shape.swing.value_or(0) * shape.steady_level / kMB;
  return shape.fall ? shape.fall->at_s : bandwidth.intervals.back().end_s;
}

// percent_us_N, percent_ms_N: fio's latency classes. sample_KiB_per_s_min, _max, _mean, _stdev: fio's bandwidth samples in
// the direction with more requests.
std::optional<nlohmann::ordered_json::json_pointer> place_in_fio(const std::string& figure, const Figures& figures) {
  using Place = nlohmann::ordered_json::json_pointer;
  constexpr std::string_view kMicro = "percent_us_", kMilli = "percent_ms_", kSample = "sample_KiB_per_s_";
  if (figure.starts_with(kMicro)) return Place("/latency_us/" + figure.substr(kMicro.size()));
  if (figure.starts_with(kMilli)) return Place("/latency_ms/" + figure.substr(kMilli.size()));
  if (!figure.starts_with(kSample)) return {};
  const bool reads = at(figures.requests, Direction::read) >= at(figures.requests, Direction::write);
  const std::string what = figure.substr(kSample.size());
  return Place(std::string(reads ? "/read/bw_" : "/write/bw_") + (what == "stdev" ? "dev" : what));
}

std::string jobs_folder() { return (fs::path(config_folder()) / "jobs").string(); }

Procedure procedure_of(const BoardRun& run) {
  if (run.procedure.empty()) return read_procedure(run.steps, run.variables);
  const std::string path = (fs::path(jobs_folder()) / run.procedure).string();
  return read_procedure(load_document(path, files_of_document(path)), run.variables);
}

DeviceConfig device_of(const BoardRun& run, Node drive) {
  for (const std::string& setting : run.settings) set_by_path(drive, setting);
  return read_device(is_disk(drive) ? drive : with_smaller_blocks(drive, run.scale));
}

TimeCurve bandwidth_of(const RunStats& stats) {
  TimeCurve curve;
  curve.quantity = Quantity::bytes_per_s;
  for (const SeriesRow& row : stats.series) {
    const double end = static_cast<double>(row.end.count()) / 1e9, length = static_cast<double>(row.length.count()) / 1e9;
    if (length > 0) curve.intervals.push_back({end - length, end, static_cast<double>(sum(row.bytes)) / length});
  }
  return curve;
}

std::map<std::string, double> smart_of(const Drive& drive, Nanoseconds now) {
  std::map<std::string, double> raw;
  const SmartLog log = smart_log(drive, now);
  for (const SmartAttribute& attribute : load_smart_table(drive.config().smart).attributes)
    raw[std::to_string(attribute.id)] = static_cast<double>(attribute.raw(log));
  return raw;
}

std::string value_in(const StepRecord& step, const std::string& variable) {
  const auto found =
      std::find_if(step.values.rbegin(), step.values.rend(), [&variable](const auto& v) { return v.first == variable; });
  return found == step.values.rend() ? "" : found->second;
}

bool is_among(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

Evidence::Evidence(Evidence&&) noexcept = default;
Evidence::~Evidence() = default;

Evidence::Evidence(const BoardRun& run, Node drive, std::uint64_t seed, const std::atomic<bool>* interrupted)
    : procedure_(std::make_unique<Procedure>(procedure_of(run))) {
  const auto began = WallClock::now();
  const std::unique_ptr<SimulatedDevice> device = new_device(device_of(run, std::move(drive)), seed);
  const std::string place = run.procedure.empty() ? jobs_folder() + "/board.json" : jobs_folder() + "/" + run.procedure;
  const JobContext context = context_of(place, device->user_bytes(), {});
  ProcedureOptions how;
  how.seed = seed;
  how.host = [&run, interrupted](const JobFile&) {
    HostOptions host;
    host.series_interval = Nanoseconds{run.series_ms * 1'000'000};
    host.interrupted = interrupted;
    return host;
  };
  how.ran = [this](const StepRecord& step, const JobFile&, const RunStats& stats) {
    kept_.push_back({step.number, bandwidth_of(stats), fio_json(stats)["jobs"][0]});
  };
  record_ = execute(*procedure_, *device, context, how);
  if (const Drive* const ssd = device->ssd()) smart_ = smart_of(*ssd, device->now());
  wall_s_ = std::chrono::duration<double>(WallClock::now() - began).count();
}

std::vector<const StepRecord*> Evidence::steps_of(const Measure& measure) const {
  std::vector<const StepRecord*> found;
  for (const StepRecord& step : record_.steps) {
    const bool fits = step.figures && step.step->kind == StepKind::job && step.step->name == measure.step &&
                      std::all_of(measure.where.begin(), measure.where.end(),
                                  [&step](const auto& wanted) { return value_in(step, wanted.first) == wanted.second; }) &&
                      (measure.among.empty() || is_among(measure.among, value_in(step, measure.over)));
    if (fits) found.push_back(&step);
  }
  return found;
}

Reading Evidence::read(const Measure& measure) const {
  if (measure.kind == Measure::Kind::smart) return {{{"", smart(measure)}}};
  const std::vector<const StepRecord*> steps = steps_of(measure);
  if (steps.empty()) refuse_run(measure, "fits no measured step of the run");
  if (measure.over.empty() && steps.size() > 1)
    refuse_run(measure, "fits " + std::to_string(steps.size()) + " steps of the run", {}, "one; VARIABLE=* for a curve");
  Reading reading;
  for (const StepRecord* step : steps) {
    const std::string x = measure.over.empty() ? "" : value_in(*step, measure.over);
    if (!measure.over.empty() && x.empty())
      refuse_run(measure, "uses something that is not a variable of the step", measure.over);
    for (const auto& [other, value] : reading.points) {
      if (other == x) refuse_run(measure, "fits two steps of one value of " + measure.over, x);
    }
    reading.points.emplace_back(x, value(*step, measure));
  }
  return reading;
}

double Evidence::value(const StepRecord& step, const Measure& measure) const {
  const std::string& name = measure.figure;
  for (const StepFigure& figure : kStepFigures) {
    if (name == figure.name) return figure.of(step);
  }
  if (const auto percent = percentile_of(name)) return us(step.figures->latency.percentile_ns(*percent));
  if (std::find(kOverTime.begin(), kOverTime.end(), name) != kOverTime.end())
    return over_time(kept_data_of(step, measure).bandwidth, name);
  if (const auto place = place_in_fio(name, *step.figures)) {
    const nlohmann::ordered_json& fio = kept_data_of(step, measure).fio;
    if (fio.contains(*place)) return fio[*place].get<double>();
  }
  refuse_run(measure, "asks for an unknown figure", name, step_figure_names());
}

const Evidence::Kept& Evidence::kept_data_of(const StepRecord& step, const Measure& measure) const {
  const auto kept = std::find_if(kept_.begin(), kept_.end(), [&step](const Kept& k) { return k.number == step.number; });
  if (kept == kept_.end() || kept->bandwidth.intervals.empty())
    refuse_run(measure, "asks for a figure that only a step with kept files reports", step.step->name,
               "a step without \"keep\": false");
  return *kept;
}

double Evidence::smart(const Measure& measure) const {
  const auto found = smart_.find(measure.figure);
  if (found != smart_.end()) return found->second;
  std::string ids;
  for (const auto& [id, raw] : smart_) ids += (ids.empty() ? "" : ", ") + id;
  refuse_run(measure, "is not a SMART attribute of this drive", measure.figure, ids);
}

double drive_figure(const Measure& measure) {
  const DeviceConfig config = read_device(load_drive(measure.drive, {}));
  const double user = static_cast<double>(config.user_bytes()) / kGiB;
  if (measure.figure == "user_GiB") return user;
  if (measure.figure == "user_sectors") return static_cast<double>(config.user_bytes() / kSectorBytes);
  if (config.disk && measure.figure == "rpm") return static_cast<double>(config.disk->platters.rpm);
  if (config.ssd) {
    const double raw = static_cast<double>(config.ssd->geometry.bytes()) / kGiB;
    if (measure.figure == "raw_GiB") return raw;
    if (measure.figure == "spare_GiB") return raw - user;
    if (measure.figure == "bits_per_cell") return static_cast<double>(config.ssd->nand.program.size());
  }
  refuse_run(measure, "asks for what this drive file does not tell", measure.figure,
             config.disk ? "user_GiB, user_sectors, rpm" : "user_GiB, user_sectors, raw_GiB, spare_GiB, bits_per_cell");
}

}  // namespace ftlab
