#include "validation/calibrate/plan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <tuple>

#include <spdlog/fmt/fmt.h>

#include "ftl/drive/drive.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/host/stack/host_stack.h"
#include "sim/workload/files/job_file.h"
#include "validation/calibrate/calibration.h"
#include "validation/calibrate/point_targets.h"
#include "validation/calibrate/prediction.h"
#include "validation/results/machine_memory.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kSeeds = 3;           // independent estimates of the derivatives
constexpr std::uint64_t kSeedStep = 1'000'003;
constexpr std::uint64_t kDeepQueue = 128;     // candidates of drives that take as many commands
constexpr std::uint64_t kLeastWrites = 200;   // of a point
constexpr std::uint64_t kWritesPerOutstanding = 4;
constexpr std::uint64_t kLeastSuperblocks = 3;
constexpr double kGuessedLatency_s = 100e-6;  // for the first simulation of a candidate, which finds its rate
// A percentile lies on a step of the distribution, and jumps by chance, if those beside it differ by this factor.
constexpr double kStepFactor = 1.5;
constexpr double kBeside = 2.5;  // per cent of the requests to each side; at most half of those there
constexpr double kTells = 0.9;                // a point tells about a key if it lowers its deviation to this share or less

// A state that is prepared, and the time that it takes after the one before.
struct PlannedState {
  DriveState state;
  double preparation_s = 0;
  std::unique_ptr<Prediction> prediction;
  std::vector<Observation> observations;
};

std::vector<Workload> candidate_workloads(std::uint64_t queue_depth) {
  std::vector<std::uint64_t> depths = {1, 4, 32};
  if (queue_depth == 0 || queue_depth >= kDeepQueue) depths.push_back(kDeepQueue);
  std::vector<Workload> all;
  for (const char* const rw : {"randread", "read", "randwrite", "write"}) {
    for (const std::uint64_t kib : {4, 16, 128}) {
      if (kib == 4 && !std::string_view(rw).starts_with("rand")) continue;
      for (const std::uint64_t depth : depths) all.push_back({rw, 0, kib * 1024, "", depth, 1});
    }
  }
  return all;
}

bool writes(const Workload& workload) { return workload.rw.ends_with("write"); }

// Bytes that must be written in a drive that collects garbage: figures over less depend on where its collection is by chance.
std::uint64_t least_collected_bytes(const Geometry& geometry) {
  return kLeastSuperblocks * geometry.bytes() / geometry.blocks_per_plane;
}

bool covers_collections(const Workload& workload, double most, const DriveConfig& config, const PlanOptions& options) {
  const double bytes = std::min(most, static_cast<double>(options.requests)) * static_cast<double>(workload.block_bytes);
  return bytes >= static_cast<double>(least_collected_bytes(config.geometry));
}

// Points with guessed rates, without those that would write too much of the space, or too little to cover collections.
std::vector<Point> candidates_in(const DriveState& state, const DriveConfig& config, const PlanOptions& options) {
  const std::uint64_t region = planned_region(config.user_bytes, state);
  std::vector<Point> points;
  for (const Workload& workload : candidate_workloads(config.link.queue_depth)) {
    if (region < workload.block_bytes) continue;
    const double most = planned_writes(state, workload, region);
    const std::uint64_t least = std::max(kLeastWrites, kWritesPerOutstanding * workload.depth);
    if (writes(workload) && most < static_cast<double>(least)) continue;
    if (writes(workload) && state.random > 0 && !covers_collections(workload, most, config, options)) continue;
    Point point;
    point.workload = workload;
    point.direction = writes(workload) ? Direction::write : Direction::read;
    point.iops = std::min(static_cast<double>(workload.depth) / kGuessedLatency_s,
                          static_cast<double>(config.link.bytes_per_s) / static_cast<double>(workload.block_bytes));
    points.push_back(point);
  }
  return points;
}

// Simulated seconds of filling the drive in order and of overwriting it twice at random.
std::vector<double> preparation_s(const DriveConfig& config, bool overwritten, const PlanOptions& options) {
  refuse_beyond_memory(config, true, config.name);
  Drive drive(config, Clock::timed, options.seed);
  JobContext context;
  context.capacity_bytes = config.user_bytes;
  const JobFile jobs = parse_job_file(preparing_job_file(100, overwritten), "preparation", context);
  HostStack stack(drive, config.host, options.seed);
  HostOptions host;
  host.seed = options.seed;
  host.interrupted = options.interrupted;
  const RunStats stats = run_jobs(stack.front(), jobs.jobs, host);
  std::vector<double> all;
  for (const JobStats& job : stats.jobs)
    all.push_back(static_cast<double>((job.ended - job.started).count()) / 1e9 * static_cast<double>(options.scale));
  return all;
}

double rounded_up(double minutes) { return std::ceil(10 * minutes) / 10; }

// Which states the time suffices for, and how much of the drive is filled.
class States {
 public:
  States(const DriveConfig& config, const PlanOptions& options) : options_(options) {
    const bool random = wants(0, kPartsOfShare), sequential = wants(0, 0);
    left_s_ = 60 * options.minutes - static_cast<double>(options.points) * kPlannedSeconds;
    if (wants(kPartsOfShare, 0)) states_.push_back({{kPartsOfShare, 0}, 0, nullptr, {}});
    if (random || sequential) {
      const std::vector<double> needed = preparation_s(config, random, options);
      add_written(sequential, random, needed.front(), needed.back());
    }
    if (states_.empty() || left_s_ < 0) refuse();
  }

  std::vector<PlannedState> states() && { return std::move(states_); }
  std::vector<std::string> notes() && { return std::move(notes_); }

 private:
  bool wants(std::uint32_t unwritten, std::uint32_t random) const {
    return std::count(options_.states.begin(), options_.states.end(), DriveState{unwritten, random}) > 0;
  }

  double minutes_for(double seconds) const { return rounded_up((60 * options_.minutes - left_s_ + seconds) / 60); }

  [[noreturn]] void refuse() const {
    throw ConfigError({"--minutes", 0}, "", "do not suffice for the points and their states", fmt::format("{}", options_.minutes),
                      "more minutes, or fewer --points of 10 s each");
  }

  void add_written(bool sequential, bool random, double fill_s, double overwrite_s) {
    const bool whole = fill_s <= left_s_;
    const auto percent = whole ? 100u : static_cast<std::uint32_t>(std::max(0.0, std::floor(100 * left_s_ / fill_s)));
    if (sequential && percent > 0) {
      states_.push_back({{kPartsOfShare - percent * (kPartsOfShare / 100), 0}, fill_s * percent / 100, nullptr, {}});
      if (!whole)
        notes_.push_back(fmt::format("{} % of the drive are filled in order; all of it with --minutes {:.1f}", percent,
                                     minutes_for(fill_s)));
    }
    if (!random) return;
    if (fill_s + overwrite_s <= left_s_) {
      states_.push_back({{0, kPartsOfShare}, sequential ? overwrite_s : fill_s + overwrite_s, nullptr, {}});
    } else {
      notes_.push_back(fmt::format("no point of a drive overwritten at random, which takes {:.1f} minutes: --minutes {:.1f}",
                                   rounded_up((fill_s + overwrite_s) / 60), minutes_for(fill_s + overwrite_s)));
    }
  }

  const PlanOptions& options_;
  double left_s_ = 0;
  std::vector<PlannedState> states_;
  std::vector<std::string> notes_;
};

double beside(double percent) { return std::min({kBeside, percent / 2, (100 - percent) / 2}); }

std::vector<double> percents_of(const std::vector<FigureChoice>& figures) {
  std::vector<double> all;
  for (const FigureChoice& choice : figures) {
    for (const FigureKind& figure : choice.figures) {
      if (figure.kind == FigureKind::Kind::percentile) all.push_back(figure.percent);
    }
  }
  return all;
}

// The percentiles of the figures and those beside them.
std::vector<Percentile> percentiles_of(const std::vector<FigureChoice>& figures) {
  std::set<double> percents;
  for (const double percent : percents_of(figures))
    percents.insert({percent - beside(percent), percent, percent + beside(percent)});
  std::vector<Percentile> all;
  for (const double percent : percents) all.push_back({percent, 0});
  return all;
}

bool on_a_step(const Point& point, const std::vector<FigureChoice>& figures) {
  const std::vector<double> percents = percents_of(figures);
  return std::any_of(percents.begin(), percents.end(), [&](double percent) {
    return *point.percentile_ns(percent + beside(percent)) > kStepFactor * *point.percentile_ns(percent - beside(percent));
  });
}

// The points with the figures that the prediction gives them.
std::vector<Point> predicted_points(const Prediction& prediction, const Node& drive) {
  const std::vector<PredictedFigures> figures = prediction.of({drive}).front();
  std::vector<Point> points = prediction.points();
  for (std::size_t p = 0; p < points.size(); ++p) {
    points[p].iops = figures[p].iops;
    points[p].latency_mean_ns = figures[p].latency_mean_ns;
    for (std::size_t i = 0; i < points[p].percentiles.size(); ++i) points[p].percentiles[i].ns = figures[p].percentiles_ns[i];
  }
  return points;
}

// Predicts the candidates of a state; the first simulation finds the rates, by which the second is long enough. Leaves out
// those with a percentile on a step, unless all have one.
void predict(PlannedState& state, const Node& document, const DriveConfig& config, const PlanOptions& options) {
  std::vector<Point> points = candidates_in(state.state, config, options);
  for (Point& point : points) point.percentiles = percentiles_of(options.figures);
  const PredictionOptions how{options.seed, options.requests, options.threads, options.interrupted, true};
  state.prediction = std::make_unique<Prediction>(document, std::move(points), how);
  state.prediction = std::make_unique<Prediction>(*state.prediction, predicted_points(*state.prediction, document));
  std::vector<Point> steady = predicted_points(*state.prediction, document);
  std::erase_if(steady, [&](const Point& point) { return on_a_step(point, options.figures); });
  if (steady.empty()) steady = predicted_points(*state.prediction, document);
  state.prediction = std::make_unique<Prediction>(*state.prediction, std::move(steady));
  const std::vector<Point>& known = state.prediction->points();
  state.observations = observations_of(known, options.figures, std::vector<bool>(known.size(), false));
}

// A point ends when it has written enough of the real drive.
double seconds_of(const Point& point, const DriveState& state, std::uint64_t whole_bytes) {
  if (!writes(point.workload)) return kPlannedSeconds;
  const double most = planned_writes(state, point.workload, planned_region(whole_bytes, state));
  return std::min(kPlannedSeconds, most / *point.iops);
}

std::string deviation_text(const FitKey& key, double share) {
  if (!key.logarithmic) return key.shown(share * key.deviation);
  return fmt::format("{:.1f} %", 100 * share * key.deviation);
}

// "nand.read_ns +- 2.1 % (70.0 % before)" of the keys that become known better, the most first.
std::string tells(const SelectedPoint& point, const std::vector<FitKey>& keys) {
  std::vector<std::pair<double, std::size_t>> lowered;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    lowered.emplace_back(point.after[i] / point.before[i], k);
  }
  std::sort(lowered.begin(), lowered.end());
  std::string text;
  for (const auto& [share, k] : lowered) {
    if (share > kTells) break;
    const auto i = static_cast<Eigen::Index>(k);
    text += fmt::format("{}{} +- {} ({} before)", text.empty() ? "" : ", ", keys[k].path,
                        deviation_text(keys[k], point.after[i]), deviation_text(keys[k], point.before[i]));
  }
  return text.empty() ? "confirms what the others tell" : text;
}

// Order of the jobs: by state; reads before writes, which change the state, and small random writes before others.
auto order_of(const PlannedPoint& point) {
  const PlannedJob& job = point.job;
  return std::tuple(kPartsOfShare - job.state.unwritten == 0 ? 0 : job.state.random == 0 ? 1 : 2, writes(job.workload),
                    job.workload.rw, job.workload.block_bytes, job.workload.depth);
}

class Planner {
 public:
  Planner(const Node& drive, const std::vector<std::string>& fit, const PlanOptions& options)
      : options_(options),
        whole_bytes_(read_device(drive).user_bytes()),
        simulated_(with_fewer_blocks(drive, options.scale)),
        config_(*read_device(simulated_).ssd) {
    plan_.keys = parse_fit_keys(fit, {drive});
    check_bounds({simulated_}, plan_.keys);
    show("the preparation", 0);
    States states(config_, options);
    plan_.notes = std::move(states).notes();
    states_ = std::move(states).states();
    note_uncovered();
    for (PlannedState& state : states_) {
      show("the candidates", 0.1);
      bases_.push_back(with_state(simulated_, state.state));
      predict(state, bases_.back(), config_, options);
      plan_.candidates += state.prediction->points().size();
    }
  }

  MeasuringPlan run() && {
    const std::vector<Eigen::MatrixXd> known = sensitivities_of_points();
    const std::vector<SelectedPoint> selected = select_points(known, options_.points);
    for (const SelectedPoint& point : selected) add(point);
    std::stable_sort(plan_.points.begin(), plan_.points.end(),
                     [](const PlannedPoint& a, const PlannedPoint& b) { return order_of(a) < order_of(b); });
    plan_.after = selected.back().after;
    plan_.of_all = deviations_after(known);
    add_times();
    return std::move(plan_);
  }

 private:
  void show(const std::string& what, double share) const {
    if (options_.progress) options_.progress(what, share);
  }

  void note_uncovered() {
    const std::uint64_t needed = least_collected_bytes(config_.geometry) / 4096;
    const bool random = std::any_of(states_.begin(), states_.end(), [](const PlannedState& s) { return s.state.random > 0; });
    if (random && options_.requests < needed)
      plan_.notes.push_back(fmt::format("small writes of a drive overwritten at random are left out, since {} requests cover "
                                        "too few collections: --requests {}",
                                        options_.requests, needed));
  }

  // By candidate, state after state. Figures that differ from seed to seed count less, as in a fit.
  std::vector<Eigen::MatrixXd> sensitivities_of_points() const {
    std::vector<MeasuredDrive> measured;
    for (const PlannedState& state : states_) measured.push_back({state.prediction.get(), &state.observations});
    PointTargets prediction(measured);
    const std::vector<Target> targets = targets_of(measured, options_.requests);
    std::vector<Eigen::MatrixXd> estimates;
    std::vector<std::vector<double>> forecasts;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      show("how they change with the keys", 0.2 + 0.8 * static_cast<double>(seed) / kSeeds);
      estimates.push_back(sensitivities(bases_, plan_.keys, prediction, targets, kSeedStep * seed));
      forecasts.push_back(prediction.of({bases_}, kSeedStep * seed).front());
    }
    const std::vector<double> noise = noise_between(forecasts);
    Eigen::MatrixXd all = agreed(estimates);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const double scatter = std::hypot(targets[t].tolerance, targets[t].noise_factor * noise[t]);
      all.row(static_cast<Eigen::Index>(t)) *= targets[t].tolerance / scatter;
    }
    return by_point(all, targets, plan_.candidates);
  }

  static std::vector<Eigen::MatrixXd> by_point(const Eigen::MatrixXd& all, const std::vector<Target>& targets,
                                               std::size_t points) {
    std::vector<std::vector<Eigen::Index>> rows(points);
    for (std::size_t t = 0; t < targets.size(); ++t) rows[targets[t].together].push_back(static_cast<Eigen::Index>(t));
    std::vector<Eigen::MatrixXd> parts;
    for (const std::vector<Eigen::Index>& own : rows) parts.push_back(all(own, Eigen::all));
    return parts;
  }

  void add(const SelectedPoint& selected) {
    std::size_t candidate = selected.candidate, s = 0;
    while (candidate >= states_[s].prediction->points().size()) candidate -= states_[s++].prediction->points().size();
    const Point& point = states_[s].prediction->points()[candidate];
    const DriveState& state = states_[s].state;
    const double seconds = seconds_of(point, state, whole_bytes_);
    plan_.points.push_back({{state, point.workload, seconds, tells(selected, plan_.keys)}, selected, plan_.points.size()});
  }

  void add_times() {
    std::size_t last = 0;  // the states before are prepared on the way
    for (const PlannedPoint& point : plan_.points) {
      plan_.seconds += point.job.seconds;
      for (std::size_t s = 0; s < states_.size(); ++s) {
        if (states_[s].state == point.job.state) last = std::max(last, s);
      }
    }
    for (std::size_t s = 0; s <= last; ++s) plan_.preparation_s += states_[s].preparation_s;
    plan_.seconds += plan_.preparation_s;
  }

  const PlanOptions& options_;
  std::uint64_t whole_bytes_;
  Node simulated_;
  DriveConfig config_;
  std::vector<PlannedState> states_;
  DriveSet bases_;
  MeasuringPlan plan_;
};

std::string minutes_text(double seconds) {
  return seconds < 60 ? fmt::format("{:.2g} s", seconds) : fmt::format("{:.1f} min", seconds / 60);
}

// Keys that keep more than half of their prior's deviation, with these shares.
std::string hardly_known(const MeasuringPlan& plan, const Eigen::VectorXd& shares) {
  std::string names;
  for (std::size_t k = 0; k < plan.keys.size(); ++k) {
    if (shares[static_cast<Eigen::Index>(k)] > kDetermined) names += (names.empty() ? "" : ", ") + plan.keys[k].path;
  }
  return names;
}

}  // namespace

MeasuringPlan plan_measurements(const Node& drive, const std::vector<std::string>& fit, const PlanOptions& options) {
  return Planner(drive, fit, options).run();
}

std::string job_file_of(const MeasuringPlan& plan, const std::vector<std::string>& heading) {
  std::vector<PlannedJob> jobs;
  for (const PlannedPoint& point : plan.points) {
    jobs.push_back(point.job);
    jobs.back().comment = fmt::format("Chosen as number {}: {}", point.rank + 1, point.job.comment);
  }
  return planned_job_file(jobs, heading);
}

std::string plan_table(const MeasuringPlan& plan) {
  std::string text = fmt::format("{:<34} {:>6} {:>9}  tells\n", "job", "chosen", "takes");
  for (const PlannedPoint& point : plan.points)
    text += fmt::format("{:<34} {:>6} {:>9}  {}\n", planned_name(point.job), point.rank + 1, minutes_text(point.job.seconds),
                        point.job.comment);
  text += fmt::format("{} points of {} candidates; in all {}, of which {} prepare the states\n\n", plan.points.size(),
                      plan.candidates, minutes_text(plan.seconds), minutes_text(plan.preparation_s));
  text += fmt::format("{:<32} {:>12} {:>12} {:>12} {:>15}\n", "key", "value", "prior's +-", "expected +-", "all candidates");
  for (std::size_t k = 0; k < plan.keys.size(); ++k) {
    const FitKey& key = plan.keys[k];
    const auto i = static_cast<Eigen::Index>(k);
    text += fmt::format("{:<32} {:>12} {:>12} {:>12} {:>15}\n", key.path, key.shown(static_cast<double>(key.value)),
                        deviation_text(key, 1), deviation_text(key, plan.after[i]), deviation_text(key, plan.of_all[i]));
  }
  const std::string by_none = hardly_known(plan, plan.of_all), after = hardly_known(plan, plan.after);
  if (!by_none.empty()) text += "hardly known by any of the candidates: " + by_none + "\n";
  if (!after.empty() && after != by_none) text += "hardly known after these points: " + after + "\n";
  for (const std::string& note : plan.notes) text += note + "\n";
  return text;
}

}  // namespace ftlab
