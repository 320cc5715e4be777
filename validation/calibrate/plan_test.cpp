// Planned measurements recover hidden numbers of drives: about as well as a sweep of many depths in one state, or better.
#include "validation/calibrate/plan.h"

#include <cmath>
#include <cstdio>
#include <memory>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/calibrate/calibration.h"
#include "validation/calibrate/point_targets.h"
#include "validation/calibrate/testing/hidden_drives.h"
#include "validation/compare/reading/measurement.h"

using namespace ftlab;

namespace {

const std::vector<std::string> kKeys = {"nand.read_ns",         "nand.program_ns",       "nand.erase_ns",
                                        "link.read_command_ns", "link.write_command_ns", "controller.write_latency_ns"};

std::vector<FigureChoice> default_figures() {
  std::vector<FigureChoice> figures;
  for (const char* const choice : kDefaultFigures) figures.push_back(parse_figures(choice));
  return figures;
}

PlanOptions planning(std::uint64_t requests) {
  PlanOptions options;
  options.figures = default_figures();
  options.requests = requests;
  return options;
}

// A drive whose keys are up to 40 % below or above the base's.
struct HiddenDrive {
  std::vector<std::uint64_t> truth;
  Node document;
};
HiddenDrive hidden_drive(const Node& base, const std::vector<std::string>& keys, std::uint64_t number) {
  RandomStream random(number, "hidden numbers");
  HiddenDrive hidden{{}, base};
  for (const FitKey& key : parse_fit_keys(keys, {base})) {
    hidden.truth.push_back(key.value * (600 + random.below(801)) / 1000);
    set_by_path(hidden.document, key.path + "=" + std::to_string(hidden.truth.back()));
  }
  return hidden;
}

struct Recovered {
  Calibration calibration;
  double seconds = 0;  // of the measurement
};

// How a drive is measured, by a job file whose names say the states, and with how many requests it is then simulated.
struct Measuring {
  std::string jobs;
  std::uint64_t requests = 0;
};

// Measures the drive and fits the base to it.
Recovered recover(const Node& base, const std::vector<std::string>& keys, const HiddenDrive& hidden,
                  const Measuring& measuring, std::uint64_t seed) {
  const CalibrationFolder folder;
  Recovered found;
  found.seconds = measure_simulated(hidden.document, seed, folder / "measured", measuring.jobs);
  std::vector<std::string> notes;
  DriveSet bases;
  std::vector<std::unique_ptr<Prediction>> predictions;
  std::vector<std::vector<Observation>> observations;
  for (auto& [state, points] : planned_points(points_of({read_measurement(folder / "measured")}, {}, notes))) {
    bases.push_back(with_state(base, state));
    observations.push_back(observations_of(points, default_figures(), std::vector<bool>(points.size(), false)));
    const PredictionOptions how{1, measuring.requests, 0, nullptr, true};
    predictions.push_back(std::make_unique<Prediction>(bases.back(), points, how));
  }
  std::vector<MeasuredDrive> measured;
  for (std::size_t s = 0; s < bases.size(); ++s) measured.push_back({predictions[s].get(), &observations[s]});
  PointTargets prediction(measured);
  CalibrationOptions options;
  options.restarts = 0;
  found.calibration = calibrate(bases, parse_fit_keys(keys, bases), prediction,
                                targets_of(measured, measuring.requests), options);
  return found;
}

// 4 KiB reads and writes at depths 1 to `depths`, in a drive that is written in order.
std::string sweep(std::uint64_t depths, double read_seconds, double write_seconds) {
  std::vector<PlannedJob> jobs;
  for (const char* const rw : {"randread", "randwrite"}) {
    for (std::uint64_t depth = 1; depth <= depths; ++depth)
      jobs.push_back({{}, {rw, 0, 4096, "", depth, 1}, rw == std::string("randread") ? read_seconds : write_seconds, "sweep"});
  }
  return planned_job_file(jobs, {});
}

double relative_error(const Recovered& found, const HiddenDrive& hidden, std::size_t k) {
  return std::abs(static_cast<double>(found.calibration.keys[k].value) / static_cast<double>(hidden.truth[k]) - 1);
}

// Errors of a key over many drives, and how many were within one, two and three stated deviations.
struct KeyErrors {
  std::string key;
  std::vector<double> errors;
  double deviation = 0;  // stated, summed
  int within[3] = {0, 0, 0};

  void add(const Recovered& found, const HiddenDrive& hidden, std::size_t k) {
    errors.push_back(relative_error(found, hidden, k));
    const FittedKey& fitted = found.calibration.keys[k];
    key = fitted.key.path;
    deviation += fitted.deviation;
    const double off = std::abs(static_cast<double>(fitted.value) - static_cast<double>(hidden.truth[k])) / fitted.deviation;
    for (int d = 0; d < 3; ++d) within[d] += off <= d + 1;
  }
  double median() const { return spread_of(errors).median; }
};

struct Comparison {
  std::vector<KeyErrors> plan, sweep;  // by key
  double plan_minutes = 0, sweep_minutes = 0;  // of one drive, in the mean
};

void print(const FittedKey& found, const char* by, std::uint64_t truth) {
  std::printf("  %-28s truth %8llu  by the %-5s %8llu +- %7.0f\n", found.key.path.c_str(),
              static_cast<unsigned long long>(truth), by, static_cast<unsigned long long>(found.value), found.deviation);
}

Comparison compare(const Node& base, const std::vector<std::string>& keys, const Measuring& planned, const Measuring& swept,
                   int drives) {
  Comparison all{std::vector<KeyErrors>(keys.size()), std::vector<KeyErrors>(keys.size()), 0, 0};
  for (int number = 1; number <= drives; ++number) {
    const HiddenDrive hidden = hidden_drive(base, keys, static_cast<std::uint64_t>(number));
    const auto seed = static_cast<std::uint64_t>(1000 + number);
    const Recovered by_plan = recover(base, keys, hidden, planned, seed);
    const Recovered by_sweep = recover(base, keys, hidden, swept, seed);
    all.plan_minutes += by_plan.seconds / 60 / drives;
    all.sweep_minutes += by_sweep.seconds / 60 / drives;
    std::printf("drive %d\n", number);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      all.plan[k].add(by_plan, hidden, k);
      all.sweep[k].add(by_sweep, hidden, k);
      print(by_plan.calibration.keys[k], "plan", hidden.truth[k]);
      print(by_sweep.calibration.keys[k], "sweep", hidden.truth[k]);
    }
    std::fflush(stdout);
  }
  return all;
}

void print(const Comparison& all) {
  std::printf("%-28s %10s %14s %10s %14s\n", "median error of", "plan", "within 1 2 3", "sweep", "within 1 2 3");
  for (std::size_t k = 0; k < all.plan.size(); ++k) {
    const KeyErrors &plan = all.plan[k], &sweep = all.sweep[k];
    std::printf("%-28s %8.2f %% %6d %3d %3d %8.2f %% %6d %3d %3d\n", plan.key.c_str(), 100 * plan.median(), plan.within[0],
                plan.within[1], plan.within[2], 100 * sweep.median(), sweep.within[0], sweep.within[1], sweep.within[2]);
  }
  std::printf("simulated minutes of one drive: plan %.2f, sweep %.2f\n", all.plan_minutes, all.sweep_minutes);
}

}  // namespace

TEST_CASE("a key that no prepared state shows is hardly known, and the jobs build the states in order") {
  const Node base = hidden_drive_base();
  PlanOptions options = planning(200);
  options.points = 5;
  options.states = {parse_drive_state("unwritten"), parse_drive_state("sequential")};
  const MeasuringPlan plan = plan_measurements(base, {"nand.read_ns", "nand.erase_ns"}, options);
  REQUIRE(plan.points.size() == 5);
  CHECK(plan.after[0] < 0.1);
  CHECK(plan.of_all[1] > 0.5);
  CHECK(plan_table(plan).find("hardly known by any of the candidates: nand.erase_ns\n") != std::string::npos);
  std::size_t written = 0;
  double seconds = plan.preparation_s;
  for (const PlannedPoint& point : plan.points) {
    const bool is_written = point.job.state == DriveState{};
    CHECK((is_written || written == 0));
    written += is_written;
    seconds += point.job.seconds;
    CHECK(point.job.seconds <= kPlannedSeconds);
  }
  CHECK(written >= 1);
  CHECK(plan.seconds == Approx(seconds));
  const std::string jobs = job_file_of(plan, {"a plan"});
  CHECK(jobs.find("# a plan\n") == 0);
  CHECK(jobs.find("[fill]") != std::string::npos);
  CHECK(jobs.find("[overwrite]") == std::string::npos);
}

TEST_CASE("with little time only a part of the drive is filled, and with too little none") {
  const Node base = hidden_drive_base();
  PlanOptions options = planning(100);
  options.points = 2;
  options.minutes = 21.0 / 60;  // 20 s of points; filling 640 MiB takes about 2.5 s
  options.states = {parse_drive_state("sequential"), parse_drive_state("random")};
  const MeasuringPlan plan = plan_measurements(base, {"nand.read_ns"}, options);
  const DriveState state = plan.points.front().job.state;
  CHECK(state.unwritten > 0);
  CHECK(state.unwritten < kPartsOfShare);
  CHECK(plan.seconds <= 21);
  REQUIRE(plan.notes.size() == 2);
  CHECK(plan.notes[0].find(" % of the drive are filled in order; all of it with --minutes 0.4") != std::string::npos);
  CHECK(plan.notes[1].find("no point of a drive overwritten at random, which takes ") == 0);
  Point read;
  read.label = planned_name(plan.points.front().job);
  CHECK(planned_state(read) == state);
  options.minutes = 0.3;
  CHECK(refusal([&] { plan_measurements(base, {"nand.read_ns"}, options); }) ==
        "--minutes: do not suffice for the points and their states (got 0.3; allowed: more minutes, or fewer --points of 10 s "
        "each)");
}

TEST_CASE("names of planned jobs say the state, and others are refused") {
  Point point;
  point.file = "m.json";
  point.label = "sequential15-randread-4k-qd1";
  CHECK(planned_state(point) == parse_drive_state("sequential:15%"));
  point.label = "random-randread-4k-qd1";
  CHECK(planned_state(point) == parse_drive_state("random"));
  point.label = "unwritten-read-16k-qd4";
  CHECK(planned_state(point) == parse_drive_state("unwritten"));
  point.label = "fill";
  CHECK_FALSE(planned_state(point));
  for (const char* const other : {"r", "sequential0-x", "sequential100-x", "randomly-x", "filled"}) {
    point.label = other;
    CHECK(refusal([&] { planned_state(point); }) ==
          "m.json: --state plan: needs job names that begin with the drive's state (got " + point.label +
              "; allowed: results of the job files that ftlab calibrate --plan writes)");
  }
}

TEST_CASE("planned points recover what a sweep in one state does not show") {
  const Node base = hidden_drive_base();
  PlanOptions options = planning(800);
  options.points = 5;
  options.states = {parse_drive_state("sequential"), parse_drive_state("random")};
  const std::vector<std::string> keys = {"nand.read_ns", "nand.program_ns"};
  const MeasuringPlan plan = plan_measurements(base, keys, options);
  std::fputs(plan_table(plan).c_str(), stdout);
  const Comparison all = compare(base, keys, {job_file_of(plan, {}), 3000}, {sweep(3, 0.1, 0.05), 400}, 1);
  print(all);
  CHECK(all.plan[0].median() < 0.03);
  CHECK(all.plan[1].median() < 0.1);
  CHECK(all.plan[1].deviation < 0.25 * all.sweep[1].deviation);
  for (const std::size_t k : {0, 1}) CHECK(all.plan[k].within[2] == 1);
}

// A sweep in one state determines reads and the link, but leaves program and erase time at their priors. All of its writes
// together are short, so that they keep the state.
TEST_CASE("twelve planned points recover twenty drives as well as a sweep of 98 points", "[.][long]") {
  Node base = hidden_drive_base();
  const MeasuringPlan plan = plan_measurements(base, kKeys, planning(3000));
  std::fputs((job_file_of(plan, {}) + plan_table(plan)).c_str(), stdout);
  const Comparison all = compare(base, kKeys, {job_file_of(plan, {}), 4000}, {sweep(49, 1, 0.01), 600}, 20);
  print(all);
  CHECK(all.plan_minutes < 10);
  for (std::size_t k = 0; k < kKeys.size(); ++k) {
    CHECK(all.plan[k].median() < std::max(1.2 * all.sweep[k].median(), 0.02));
    CHECK(all.plan[k].within[2] >= 18);
  }
}
