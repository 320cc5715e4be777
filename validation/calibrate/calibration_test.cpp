// Calibration recovers hidden numbers: a drive is simulated with them and measured through result files; a fit that starts
// from other numbers finds them within its stated uncertainty.
#include "validation/calibrate/calibration.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/config/echo.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/calibrate/calibration_report.h"
#include "validation/calibrate/drive_file.h"
#include "validation/calibrate/point_targets.h"
#include "validation/calibrate/testing/hidden_drives.h"
#include "validation/compare/reading/measurement.h"
#include "validation/run/scaled_drive.h"

using namespace ftlab;
namespace fs = std::filesystem;

namespace {

constexpr char kFill[] = "[fill]\nrw=write\nbs=64k\n";

// Points by pattern and depth.
using Points = std::vector<std::pair<std::string, std::vector<int>>>;
const Points kAllPoints = {{"randread", {1, 2, 3, 4, 8, 16, 32}}, {"randwrite", {1, 2, 3, 4, 8, 16, 32}}};

// The points in sequence, each on the drive as the last one left it.
std::string measuring_jobs(const Points& points, const std::string& fill = kFill) {
  std::string text =
      "[global]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nbs=4k\nnorandommap\nrandrepeat=0\nstonewall\n"
      "group_reporting\n" +
      fill;
  int number = 0;
  for (const auto& [rw, depths] : points) {
    for (const int depth : depths) {
      text += "[p" + std::to_string(++number) + "]\nrw=" + rw + "\niodepth=" + std::to_string(depth) + "\n" +
              "time_based\nramp_time=2ms\nruntime=" + std::to_string(rw == "randread" ? 400 : 60) + "ms\n";
    }
  }
  return text;
}

// Simulated for each point: a third of the default.
constexpr std::uint64_t kFewRequests = 2000;
PredictionOptions with_requests(std::uint64_t requests) {
  PredictionOptions options;
  options.requests = requests;
  return options;
}

// A third of the time.
const CalibrationOptions kNoRestarts = [] {
  CalibrationOptions options;
  options.restarts = 0;
  return options;
}();

Calibration fit(const Node& start, const std::vector<FitKey>& keys, const Prediction& prediction,
                const std::vector<Observation>& observations, const CalibrationOptions& options = {},
                std::uint64_t requests = kFewRequests) {
  PointTargets targets(prediction, observations);
  return calibrate({start}, keys, targets, targets_of(observations, prediction.points(), requests), options);
}

// The drive's points that match `only`, read back from its result folder.
std::vector<Point> points_measured(const Node& drive, std::uint64_t seed, const std::string& jobs,
                                   const char* only = "bs=4096") {
  const CalibrationFolder folder;
  measure_simulated(drive, seed, folder / "measured", jobs);
  std::vector<std::string> notes;
  return points_of({read_measurement(folder / "measured")}, PointFilter(only, "--only"), notes);
}

struct Trial {
  std::vector<std::uint64_t> truth;
  Calibration calibration;
};

const std::vector<std::string> kKeys = {"nand.read_ns", "link.read_command_ns", "link.write_command_ns",
                                        "controller.write_latency_ns"};

// In thousandths of the base value: up to 40 % below or above it.
std::uint64_t near(RandomStream& random) { return 600 + random.below(801); }
// In thousandths of the base value: two to four times as much, or as little.
std::uint64_t far(RandomStream& random) {
  const std::uint64_t factor = 2000 + random.below(2001);
  return random.below(2) == 0 ? factor : 1'000'000 / factor;
}

// Hides each key at a share of its base value.
template <class Share>
Trial recover(std::uint64_t number, Share&& share, const CalibrationOptions& options = {},
              std::uint64_t requests = PredictionOptions().requests) {
  const Node start = hidden_drive_base();
  const std::vector<FitKey> keys = parse_fit_keys(kKeys, {start});
  RandomStream random(number, "hidden numbers");
  Trial trial;
  Node hidden = start;
  for (const FitKey& key : keys) {
    trial.truth.push_back(key.value * share(random) / 1000);
    set_by_path(hidden, key.path + "=" + std::to_string(trial.truth.back()));
  }
  const auto points = points_measured(hidden, 1000 + number, measuring_jobs(kAllPoints));
  const Prediction prediction(start, points, with_requests(requests));
  trial.calibration = fit(start, keys, prediction,
                          observations_of(points, {parse_figures("iops,mean,p50")}, held_back_by_depth(points)), options, requests);
  return trial;
}

double deviations_off(const Trial& trial, std::size_t k) {
  const FittedKey& key = trial.calibration.keys[k];
  return std::abs(static_cast<double>(key.value) - static_cast<double>(trial.truth[k])) / std::max(key.deviation, 1.0);
}

double worst_held_back(const Calibration& calibration) {
  double worst = 0;
  for (const ErrorGroup& group : error_groups(calibration)) {
    if (group.held_back && group.figure == "all" && !group.saturated) worst = group.after.largest;
  }
  return worst;
}

std::vector<Point> some_points() {
  Point read, write;
  read.workload = {"randread", 0, 4096, "", 4, 1};
  read.iops = 30000;
  read.percentiles = {{50, 100'000}, {99, 200'000}};
  write.workload = {"randwrite", 0, 4096, "", 4, 2};
  write.direction = Direction::write;
  write.iops = 40000;
  return {{read}, {write}};
}

}  // namespace

TEST_CASE("a fit finds the hidden numbers of a drive within three of its stated deviations") {
  const Trial trial = recover(1, near, kNoRestarts, kFewRequests);  // the twenty drives below are fitted with restarts
  for (std::size_t k = 0; k < kKeys.size(); ++k) {
    const FittedKey& key = trial.calibration.keys[k];
    INFO(kKeys[k] << " is " << trial.truth[k] << ", found " << key.value << " +- " << key.deviation);
    REQUIRE(key.determined);
    CHECK(deviations_off(trial, k) < 3);
    CHECK(key.deviation < 0.1 * static_cast<double>(key.value));
  }
  CHECK(worst_held_back(trial.calibration) < 0.05);
  CHECK(trial.calibration.noise < 0.01);
  CHECK(trial.calibration.noise > 0);
}

namespace {

template <class Share>
void recover_twenty(std::uint64_t first, Share&& share, int percent_within_three, double most_off) {
  int within[3] = {0, 0, 0}, all = 0;
  double largest = 0;
  for (std::uint64_t number = first; number < first + 20; ++number) {
    const Trial trial = recover(number, share);
    for (std::size_t k = 0; k < kKeys.size(); ++k) {
      const FittedKey& key = trial.calibration.keys[k];
      const double off = deviations_off(trial, k);
      std::printf("trial %2d  %-28s truth %6llu  base %6llu  found %6llu +- %5.0f  off by %4.1f\n", static_cast<int>(number),
                  kKeys[k].c_str(), static_cast<unsigned long long>(trial.truth[k]),
                  static_cast<unsigned long long>(key.key.value), static_cast<unsigned long long>(key.value), key.deviation,
                  off);
      ++all;
      for (int d = 0; d < 3; ++d) within[d] += key.determined && off <= d + 1;
    }
    largest = std::max(largest, worst_held_back(trial.calibration));
    std::printf("trial %2d  largest error of held-back points %.2f %%; scatter %.2f %.2f\n", static_cast<int>(number),
                100 * worst_held_back(trial.calibration), trial.calibration.scatter[0], trial.calibration.scatter[1]);
  }
  std::printf("of %d numbers within 1, 2, 3 deviations: %d, %d, %d\n", all, within[0], within[1], within[2]);
  CHECK(within[0] >= all * 50 / 100);
  CHECK(within[2] >= all * percent_within_three / 100);
  CHECK(largest < most_off);
}

}  // namespace

TEST_CASE("twenty drives with hidden numbers are recovered", "[.][long]") { recover_twenty(1, near, 95, 0.04); }

// A read time and the cost of a read command are known best by their sum. In five of the twenty fits the link ends up
// limiting saturated reads, not the dies: the time is 2 to 5 % off, the cost several-fold. More requests do not help.
TEST_CASE("twenty drives are recovered from a start that is two to four times off", "[.][long]") {
  recover_twenty(101, far, 85, 0.08);
}

TEST_CASE("a key that the data cannot determine is reported and left unchanged") {
  const Node start = hidden_drive_base();
  // Reads alone do not determine the cost of writes.
  const auto points = points_measured(start, 7, measuring_jobs({{"randread", {1, 4, 32}}}));
  const Prediction prediction(start, points, with_requests(kFewRequests));
  const auto keys = parse_fit_keys({"nand.read_ns", "link.write_command_ns"}, {start});
  const Calibration calibration = fit(
      start, keys, prediction, observations_of(points, {parse_figures("iops")}, std::vector<bool>(points.size(), false)),
      kNoRestarts);
  CHECK(calibration.keys[0].determined);
  CHECK_FALSE(calibration.keys[1].determined);
  CHECK(calibration.keys[1].value == 6000);
  CHECK(calibration_table(calibration).find("the data say nothing of it, kept") != std::string::npos);
  CHECK(calibration.correlation.rows() == 2);
  CHECK(calibration.singular_values.size() == 2);
}

TEST_CASE("keys of which only the sum is known move together") {
  Node start = hidden_drive_base();
  set_by_path(start, "controller.read_command_ns=60000");
  Node hidden = start;
  set_by_path(hidden, "nand.read_ns=120000");
  const auto points = points_measured(hidden, 7, measuring_jobs({{"randread", {1}}}));
  const Prediction prediction(start, points, with_requests(kFewRequests));
  const auto keys = parse_fit_keys({"nand.read_ns", "controller.read_command_ns"}, {start});
  const Calibration found = fit(start, keys, prediction, observations_of(points, {parse_figures("iops,mean")}, {false}));
  CHECK(static_cast<double>(found.keys[0].value + found.keys[1].value) == Approx(180000).epsilon(0.005));
  for (const FittedKey& key : found.keys) {
    CHECK_FALSE(key.determined);
    CHECK_FALSE(key.kept);
  }
  REQUIRE(found.together.size() == 1);
  CHECK(found.together[0].deviation < 0.05);
  CHECK(calibration_headline(found) == "all 2 figures are within their limits\n");
}

namespace {

// A law in place of a simulation: one figure whose forecast is the same at two read times, and one that hardly tells them
// apart.
class TwoValleys final : public TargetPrediction {
 public:
  explicit TwoValleys(double tilt) : tilt_(tilt) {}
  std::vector<std::vector<double>> of(const std::vector<DriveSet>& drives, std::uint64_t) override {
    std::vector<std::vector<double>> all;
    for (const DriveSet& set : drives) {
      const auto read_ns = static_cast<double>(node_at(set.front(), "nand.read_ns.value")->magnitude);
      const double x = std::log(read_ns / 60000);
      all.push_back({std::exp(2 * (x * x - 1)), std::exp(tilt_ * x)});  // right at x = 1 and x = -1
    }
    return all;
  }

 private:
  double tilt_;
};

Calibration fit_to_valleys(double tilt) {
  TwoValleys prediction(tilt);
  std::vector<Target> targets(2);
  for (std::size_t t = 0; t < 2; ++t) {
    targets[t].measured = t == 0 ? 1 : std::exp(tilt);  // x = 1
    targets[t].together = t;
  }
  Node start = hidden_drive_base();
  set_by_path(start, "nand.read_ns=65000");  // between the two, where the figure tells the direction
  return calibrate({start}, parse_fit_keys({"nand.read_ns"}, {start}), prediction, targets);
}

}  // namespace

TEST_CASE("a deviation that another optimum contradicts contains both, and the report says so") {
  const Calibration found = fit_to_valleys(0.0005);
  const FittedKey& key = found.keys[0];
  REQUIRE(key.other_optimum);
  const double apart = std::abs(static_cast<double>(key.value) - static_cast<double>(*key.other_optimum));
  CHECK(apart == Approx(60000 * (std::exp(1.0) - std::exp(-1.0))).epsilon(0.1));
  CHECK_FALSE(key.determined);
  CHECK(key.reported > 1);
  CHECK(calibration_headline(found).find("CONTRADICTED: nand.read_ns is ") != std::string::npos);
}

TEST_CASE("another optimum that agrees worse contradicts nothing, and a better one is taken") {
  const Calibration found = fit_to_valleys(0.5);
  CHECK_FALSE(found.keys[0].other_optimum);
  CHECK(found.keys[0].determined);
  CHECK(static_cast<double>(found.keys[0].value) == Approx(60000 * std::exp(1.0)).epsilon(0.01));
}

TEST_CASE("a key at a bound is named first") {
  const Node start = hidden_drive_base();
  Node hidden = start;
  set_by_path(hidden, "nand.read_ns=90000");
  const auto points = points_measured(hidden, 7, measuring_jobs({{"randread", {1}}}));
  const Prediction prediction(start, points, with_requests(kFewRequests));
  const auto keys = parse_fit_keys({"nand.read_ns:50000:70000"}, {start});
  const Calibration found = fit(start, keys, prediction, observations_of(points, {parse_figures("iops")}, {false}));
  CHECK(found.keys[0].at_bound);
  CHECK(calibration_headline(found).find("AT A BOUND: nand.read_ns is 70000, a bound of its search from 50000 to 70000\n") !=
        std::string::npos);
}

TEST_CASE("errors of saturated points are told apart") {
  Calibration found;
  found.targets.resize(3);
  for (std::size_t t = 0; t < 3; ++t) {
    found.targets[t].kind = "iops";
    found.targets[t].measured = 100;
    found.targets[t].saturated = t > 0;
  }
  found.before = found.after = {103, 100, 101};
  CHECK(calibration_headline(found).find(
            "median error: 3.00 % of 1 figures of points below saturation, 0.50 % of 2 of saturated points\n") !=
        std::string::npos);
  const std::vector<ErrorGroup> groups = error_groups(found);
  REQUIRE(groups.size() == 3);
  CHECK(groups[1].saturated == false);
  CHECK(groups[2].after.count == 2);
}

TEST_CASE("a figure that no drive can show is reported as a misfit and does not affect other figures") {
  const Node start = hidden_drive_base();
  const auto points = points_measured(start, 7, measuring_jobs({{"randread", {1, 2, 3, 4}}}));
  const Prediction prediction(start, points, with_requests(kFewRequests));
  const auto keys = parse_fit_keys({"nand.read_ns"}, {start});
  auto observations = observations_of(points, {parse_figures("iops,mean")}, std::vector<bool>(points.size(), false));
  CHECK_FALSE(has_misfits(fit(start, keys, prediction, observations, kNoRestarts)));
  observations[0].measured *= 3;  // at depth 1: no drive has that rate with that latency
  const Calibration torn = fit(start, keys, prediction, observations, kNoRestarts);
  CHECK(has_misfits(torn));
  CHECK(calibration_headline(torn).find(
            "MISFIT: 1 of 8 figures are off by more than their limits, 0 of them held back; the worst is randread 4k, "
            "depth 1, 1 job: iops -6") == 0);
  CHECK(torn.keys[0].value == Approx(60000).epsilon(0.02));
}

TEST_CASE("a forecast depends on the seed, not on the number of threads") {
  const Node start = hidden_drive_base();
  PredictionOptions one, three;
  one.threads = 1;
  three.threads = 3;
  one.requests = three.requests = 500;
  const Prediction a(start, some_points(), one), b(start, some_points(), three);
  const auto of_a = a.of({start, start}), of_b = b.of({start, start});
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t p = 0; p < 2; ++p) {
      CHECK(of_a[d][p].iops == of_b[d][p].iops);
      CHECK(of_a[d][p].latency_mean_ns == of_b[d][p].latency_mean_ns);
    }
  }
  CHECK(of_a[0][0].iops != a.of({start}, 99)[0][0].iops);
}

TEST_CASE("forecast latency excludes the host's submission") {
  const Node start = hidden_drive_base();
  std::vector<Point> points = {some_points().front()};
  points.front().workload.depth = 1;
  const auto figures = Prediction(start, points, {}).of({start})[0];
  CHECK(1e9 / figures[0].iops - figures[0].latency_mean_ns == Approx(5000).epsilon(0.02));
}

TEST_CASE("percentiles in one step of a histogram share the error of rounding") {
  std::vector<Point> points = some_points();
  points[0].percentiles[1].ns = 101'000;
  const auto targets = targets_of(observations_of(points, {parse_figures("iops,p50,p99")}, {false, false}), points, 1000);
  REQUIRE(targets.size() == 4);
  CHECK(targets[0].rounding == 0);
  CHECK(targets[1].rounding == Approx(0.0064 * std::sqrt(2.0)));
  CHECK(targets[2].rounding == targets[1].rounding);
  points[0].percentiles[1].ns = 102'000;
  const auto apart = targets_of(observations_of(points, {parse_figures("p50,p99")}, {false, false}), points, 1000);
  CHECK(apart[0].rounding == Approx(0.0064));
}

TEST_CASE("reads of an unwritten drive do not wait for the flash") {
  const Node start = hidden_drive_base();
  const auto iops_of = [](const Node& drive) { return Prediction(drive, some_points(), {}).of({drive})[0][0].iops; };
  const double full = iops_of(start);
  const double empty = iops_of(with_state(start, parse_drive_state("unwritten")));
  const double half = iops_of(with_state(start, parse_drive_state("sequential:50%")));
  CHECK(empty > 1.2 * full);
  CHECK(half > full);
  CHECK(half < empty);
}

namespace {

// A drive that reads in 70 us and of which a fifth is written, anywhere: by random writes of 64 KiB that cover no place
// twice. Fits its read time and its share without data.
Calibration fit_mostly_unwritten(std::uint64_t seed) {
  Node hidden = hidden_drive_base();
  set_by_path(hidden, "nand.read_ns=70000");
  const std::string fill = "[fill]\nrw=randwrite\nbs=64k\nnorandommap=0\nsize=100%\nio_size=20%\n";
  const auto points = points_measured(hidden, seed, measuring_jobs({kAllPoints[0]}, fill));
  const Node start = with_state(hidden_drive_base(), {});
  constexpr std::uint64_t kRequests = 2 * kFewRequests;
  const Prediction prediction(start, points, with_requests(kRequests));
  const auto keys = parse_fit_keys({"nand.read_ns", "state.unwritten"}, {start});
  const std::vector<bool> none_held_back(points.size(), false);
  return fit(start, keys, prediction, observations_of(points, {parse_figures("iops,mean,p50,p95,p99")}, none_held_back),
             kNoRestarts, kRequests);
}

double deviations_from(double truth, const FittedKey& key) {
  return std::abs(static_cast<double>(key.value) - truth) / key.deviation;
}

// Returns how many of the two numbers of each drive are within one of their deviations.
std::size_t check_mostly_unwritten(const std::vector<std::uint64_t>& seeds) {
  std::size_t within_one = 0;
  for (const std::uint64_t seed : seeds) {
    const Calibration found = fit_mostly_unwritten(seed);
    const FittedKey &read = found.keys[0], &unwritten = found.keys[1];
    INFO("seed " << seed << ": read " << read.value << " +- " << read.deviation << ", unwritten " << unwritten.value
                 << " +- " << unwritten.deviation);
    REQUIRE(read.determined);
    REQUIRE(unwritten.determined);
    CHECK(deviations_from(70'000, read) < 2);
    CHECK(read.deviation < 2000);
    CHECK(deviations_from(800'000, unwritten) < 2);
    CHECK(unwritten.deviation < 20'000);
    within_one += std::size_t{deviations_from(70'000, read) < 1} + std::size_t{deviations_from(800'000, unwritten) < 1};
  }
  return within_one;
}

}  // namespace

TEST_CASE("reads that mostly find unwritten space yield the share of it and the read time") {
  check_mostly_unwritten({11});
}

TEST_CASE("three drives that are mostly unwritten yield the share and the read time", "[.][long]") {
  CHECK(check_mostly_unwritten({11, 12, 13}) >= 3);
}

TEST_CASE("random writes yield the share of the drive that was overwritten at random") {
  Node start = with_state(hidden_drive_base(), {});
  set_by_path(start, "user_sectors=1638400");  // a fifth is spare, so relocation takes much of the flash's time
  set_by_path(start, "nand.program_ns=400000");  // and the flash, not the link, limits writes
  const std::string fill = std::string(kFill) + "[again]\nrw=randwrite\nsize=50%\nloops=2\n";
  const auto points = points_measured(without_state(start), 11, measuring_jobs({{"randwrite", {8, 32}}}, fill), "depth=8+32");
  const Prediction prediction(start, points, with_requests(kFewRequests));
  const auto keys = parse_fit_keys({"state.random"}, {start});
  const FittedKey random =
      fit(start, keys, prediction, observations_of(points, {parse_figures("iops,mean")}, {false, false}), kNoRestarts).keys[0];
  INFO("random " << random.value << " +- " << random.deviation);
  REQUIRE(random.determined);
  CHECK(deviations_from(500'000, random) < 2);
  CHECK(random.deviation < 100'000);
}

TEST_CASE("a drive with fewer blocks performs like the whole one") {
  Node start = hidden_drive_base();
  set_by_path(start, "geometry.blocks_per_plane=1920");
  set_by_path(start, "user_sectors=5242880");
  const Node smaller = with_fewer_blocks(start, 4);
  CHECK(read_drive(smaller).geometry.blocks_per_plane == 480);
  CHECK(read_drive(smaller).user_bytes == 1310720ull * 512);
  const auto whole = Prediction(start, some_points(), {}).of({start})[0];
  const auto part = Prediction(smaller, some_points(), {}).of({smaller})[0];
  CHECK(part[0].iops == Approx(whole[0].iops).epsilon(0.01));
  CHECK(part[1].iops == Approx(whole[1].iops).epsilon(0.01));
}

TEST_CASE("a calibrated drive file extends its base if possible, contains the results, and can be read again") {
  const CalibrationFolder folder;
  Node start = hidden_drive_base();
  std::ofstream(folder / "base.json") << to_json(start).dump();
  const std::vector<std::string> settings = {"link.kind=\"sata-6\"", "controller.read_command_ns=2500"};
  for (const std::string& setting : settings) set_by_path(start, setting);
  FittedKey found{parse_fit_key("nand.read_ns", start), 71000, 350, 0.01, true, false, false, {}};
  FittedKey kept{parse_fit_key("nand.erase_ns", start), 2000000, 1e6, 0.99, false, true, false, {}};
  Calibration calibration;
  calibration.keys = {found, kept};
  calibration.targets.resize(3);
  calibration.targets[0].held_back = true;
  const CalibrationOrigin origin{folder / "base.json", start, settings, {"a real drive"}, "sequential"};
  const std::string text = drive_file_text(calibration, origin, folder / "new.json");
  CHECK(text.find("\"extends\": \"base.json\"") != std::string::npos);
  CHECK(text.find("erase_ns") == std::string::npos);
  NewFile(folder / "new.json", "--out").commit(text);
  const Node read = load_document(folder / "new.json", [](const std::string& path) { return read_text_file(path); });
  CHECK(read_drive(read).nand.read.count() == 71000);
  CHECK(read_drive(read).link.bytes_per_s == 600'000'000);
  CHECK(read_drive(read).controller.read_command.count() == 2500);
  const Node& number = *read.find("nand")->find("read_ns");
  CHECK(number.find("from")->text == "fitted");
  CHECK(number.find("source")->text ==
        "ftlab calibrate: 71000 +- 350 (one standard deviation) from 2 figures of: a real drive; 60000 before (assumed)");

  fs::create_directories(folder / "elsewhere");
  const std::string whole = drive_file_text(calibration, origin, folder / "elsewhere/new.json");
  CHECK(whole.find("extends") == std::string::npos);
  CHECK(read_drive(parse_document(whole, "whole.json")).nand.read.count() == 71000);
}

TEST_CASE("a new file replaces nothing and is never half-written") {
  const CalibrationFolder folder;
  std::ofstream(folder / "there.json") << "mine";
  CHECK(refusal([&] { NewFile(folder / "there.json", "--out"); }) ==
        (folder / "there.json") + ": --out: exists, and is not replaced (allowed: the name of a new file)");
  CHECK(refusal([&] { NewFile(folder / "no/such/place.json", "--out"); }) ==
        (folder / "no/such/place.json") + ": --out: cannot be written: No such file or directory");
  { NewFile abandoned(folder / "abandoned.json", "--out"); }
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "")) files += entry.is_regular_file();
  CHECK(files == 1);
}

TEST_CASE("workloads and settings that the drive does not support are refused before the simulation") {
  const Node start = hidden_drive_base();
  std::vector<Point> points = some_points();
  points[0].file = "m.json";
  points[0].workload.block_bytes = 1000;
  CHECK(refusal([&] { Prediction(start, points, {}); }) ==
        "m.json: randread 1000 bytes, depth 4, 1 job: has a block size that the drive does not support (got 1000; allowed: "
        "multiples of 512 bytes)");
  points[0].workload.block_bytes = 1 << 30;
  CHECK(
      refusal([&] { Prediction(start, points, {}); }) ==
      "m.json: randread 1048576k, depth 4, 1 job: has a block size beyond the drive's capacity (got 1073741824; allowed: at "
      "most 671088640 bytes)");
  CHECK(refusal([&] { with_fewer_blocks(start, 1000); }) ==
        "--scale: geometry.blocks_per_plane: is less than the scale (got 480; allowed: a smaller scale)");
  const auto keys = parse_fit_keys({"host.submit_ns:1:9000000000000"}, {start});
  const auto good = some_points();
  const Prediction prediction(start, good, with_requests(kFewRequests));
  const std::string message = refusal([&] {
    fit(start, keys, prediction, observations_of(good, {parse_figures("iops")}, {false, false}));
  });
  CHECK(message.find("--fit: host.submit_ns: cannot go to its bound 9000000000000: ") == 0);
}

TEST_CASE("the 95th percentile of errors is not exceeded by 95 in 100") {
  std::vector<double> errors;
  for (int i = 100; i >= 1; --i) errors.push_back(i);
  const ErrorSpread spread = spread_of(errors);
  CHECK(spread.median == 50.5);
  CHECK(spread.at_95 == 95);
  CHECK(spread.largest == 100);
  CHECK(spread_of({3}).at_95 == 3);
}
