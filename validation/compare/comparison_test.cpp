#include "validation/compare/comparison.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

const std::string kResults = std::string(FTLAB_SOURCE_DIR) + "/validation/checks/data/fio-results";
const std::string kMeasured = std::string(FTLAB_SOURCE_DIR) + "/validation/measured/";

Point point(std::uint64_t depth, double iops, const std::string& label = "") {
  Point one;
  one.workload = {"randread", 0, 4096, "", depth, 1};
  one.label = label;
  one.iops = iops;
  one.bytes_per_s = iops * 4096;
  one.latency_mean_ns = 1e9 * static_cast<double>(depth) / iops;
  return one;
}

Measurement measured(std::vector<Point> points, std::vector<TimeCurve> curves = {}) {
  Measurement one;
  one.name = "m";
  one.points = std::move(points);
  one.curves = std::move(curves);
  return one;
}

TimeCurve curve(std::vector<TimeCurve::Interval> intervals, const std::string& label = "") {
  return {Quantity::iops, Direction::read, label, std::move(intervals), "f"};
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("errors are a / b - 1, and infinite where only the reference is 0") {
  CHECK(relative_error(107, 100) == Approx(0.07));
  CHECK(relative_error(50, 100) == -0.5);
  CHECK(relative_error(0, 0) == 0);
  CHECK(relative_error(1, 0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("quantiles interpolate linearly between neighbouring values") {
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile({1, 2, 3, 4, 5}, 0.95) == Approx(4.8));
  CHECK(quantile({7}, 0.95) == 7);
  CHECK(quantile({1, 2, std::numeric_limits<double>::infinity()}, 0.5) == 2);
  CHECK(std::isinf(quantile({1, 2, std::numeric_limits<double>::infinity()}, 0.95)));
}

TEST_CASE("a summary uses absolute errors, a signed mean, and the position of the worst") {
  const ErrorSummary summary = summarize({0.02, -0.10, 0.04, 0.06, -0.02});
  CHECK(summary.count == 5);
  CHECK(summary.median == Approx(0.04));
  CHECK(summary.p95 == Approx(0.092));  // 0.06 + 0.8 * 0.04
  CHECK(summary.mean == Approx(0));
  CHECK(summary.worst == 1);
}

TEST_CASE("a measurement has no error against itself, in any quantity, curve or shape") {
  for (const std::string& path :
       {kResults, kMeasured + "samsung_pm883_sata3g.json", kMeasured + "series_samsung_pm883_sata3g.json"}) {
    const Measurement same = read_measurement(path);
    CompareOptions options;
    options.tolerances =
        Tolerances({"median=0%,p95=0%,fall_time=0%,fall_depth=0%,steady_level=0%,swing=0%,knee=0%,end_ratio=0%"});
    const Comparison comparison = compare(same, same, options);
    CHECK(comparison.matching.unmatched.empty());
    CHECK(comparison.matching.pairs.size() == same.points.size());
    CHECK(comparison.curves.size() == same.curves.size());
    for (const MetricErrors& errors : comparison.metrics) CHECK(errors.summary.p95 == 0);
    CHECK_FALSE(comparison.judgements.empty());
    CHECK(comparison.within());
  }
}

TEST_CASE("an error of seven percent is reported as seven percent") {
  const Measurement b = read_measurement(kMeasured + "samsung_pm883_sata3g.json");
  Measurement a = b;
  for (Point& one : a.points) one.iops = *one.iops * 1.07;
  const Comparison comparison = compare(a, b, {});
  const MetricErrors& iops = comparison.metrics.at(0);
  CHECK(iops.metric == Metric{Quantity::iops, 0});
  CHECK(iops.summary.count == 98);
  CHECK(iops.summary.median == Approx(0.07).epsilon(1e-9));
  CHECK(iops.summary.p95 == Approx(0.07).epsilon(1e-9));
  CHECK(iops.summary.mean == Approx(0.07).epsilon(1e-9));
  CHECK_FALSE(comparison.within());
  CompareOptions wide;
  wide.tolerances = Tolerances({"iops:median=8%"});
  CHECK(compare(a, b, wide).within());
}

TEST_CASE("points are paired by workload, and unpaired points are listed with the reason") {
  const Measurement a = measured({point(1, 100, "x"), point(2, 200), point(8, 1)});
  const Measurement b = measured({point(2, 190, "other"), point(1, 100), point(4, 1)});
  const Matching matching = match_points(a.points, b.points);
  REQUIRE(matching.pairs.size() == 2);
  CHECK(matching.pairs[0].b == &b.points[1]);
  CHECK(matching.pairs[1].b == &b.points[0]);
  REQUIRE(matching.unmatched.size() == 2);
  CHECK(matching.unmatched[0].point == &a.points[2]);
  CHECK(matching.unmatched[0].why == "B has no such workload");
  CHECK(matching.unmatched[1].point == &b.points[2]);
  CHECK_FALSE(matching.unmatched[1].of_a);
}

TEST_CASE("labels distinguish points of one workload, and ambiguous points stay unpaired") {
  const std::vector<Point> a = {point(1, 100, "first"), point(1, 200, "second")};
  const std::vector<Point> b = {point(1, 210, "second"), point(1, 110, "first")};
  const Matching by_label = match_points(a, b);
  REQUIRE(by_label.pairs.size() == 2);
  CHECK(by_label.pairs[0].b->iops == 110);
  const Matching ambiguous = match_points(a, {point(1, 1, "p"), point(1, 2, "q")});
  CHECK(ambiguous.pairs.empty());
  REQUIRE(ambiguous.unmatched.size() == 4);
  CHECK(ambiguous.unmatched[0].why == "several have this workload, and no label tells them apart");
  CHECK(match_points(a, {point(1, 210, "second"), point(1, 3, "other")}).pairs.size() == 2);  // the rest is unambiguous
}

TEST_CASE("workloads that differ in one property are not paired") {
  const Point base = point(1, 100);
  for (int change = 0; change < 7; ++change) {
    Point other = base;
    if (change == 0) other.workload.rw = "read";
    if (change == 1) other.workload.read_percent = 70;
    if (change == 2) other.workload.block_bytes = 8192;
    if (change == 3) other.workload.block_sizes = "bssplit=4k/100";
    if (change == 4) other.workload.depth = 2;
    if (change == 5) other.workload.jobs = 2;
    if (change == 6) other.direction = Direction::write;
    CHECK(match_points({base}, {other}).pairs.empty());
  }
}

TEST_CASE("curves are paired by label, and a whole-run curve has priority over those of its jobs") {
  const std::vector<TimeCurve> run = {curve({{0, 1, 6}}), curve({{0, 1, 1}}, "a"), curve({{0, 1, 5}}, "b")};
  const std::vector<TimeCurve> jobs = {curve({{0, 1, 5}}, "b"), curve({{0, 1, 1}}, "a")};
  const auto by_label = match_curves(run, jobs);
  REQUIRE(by_label.pairs.size() == 2);
  CHECK(by_label.pairs[0].b->label == "a");
  CHECK(by_label.unmatched.size() == 1);
  const std::vector<TimeCurve> other = {curve({{0, 1, 6}}, "other")};
  const auto whole = match_curves(run, other);
  REQUIRE(whole.pairs.size() == 1);
  CHECK(whole.pairs[0].a->label.empty());
  CHECK(whole.unmatched.size() == 2);
  CHECK(match_curves({curve({{0, 1, 1}}, "a"), curve({{0, 1, 1}}, "b")}, {curve({{0, 1, 1}}, "c")}).pairs.empty());
}

TEST_CASE("curves are resampled on one grid by their means over time") {
  const TimeCurve a = curve({{0, 1, 10}, {1, 2, 20}, {2, 4, 40}});
  const TimeCurve b = curve({{0, 2, 30}, {2, 3.5, 50}});
  CHECK(natural_step_s(a, b) == Approx(1.75));
  const auto cells = on_one_grid(a, b, 1.5);  // two full cells fit before 3.5 s
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].a == Approx((10 + 0.5 * 20) / 1.5));
  CHECK(cells[0].b == 30);
  CHECK(cells[1].a == Approx((0.5 * 20 + 40) / 1.5));
  CHECK(cells[1].b == Approx((0.5 * 30 + 50) / 1.5));
}

TEST_CASE("cells that a curve covers by less than half are left out") {
  const TimeCurve gap = curve({{0, 1, 10}, {2.6, 4, 10}});
  CHECK(mean_over(gap, 1, 2) == std::nullopt);
  CHECK(mean_over(gap, 2, 3) == std::nullopt);  // only 0.4 of the cell is covered
  CHECK(mean_over(gap, 0.5, 1.5) == 10);
  CHECK(on_one_grid(gap, gap, 1).size() == 2);
}

TEST_CASE("curves are compared up to the end of the shorter one, with a note") {
  const Measurement a = measured({}, {curve({{0, 1, 10}, {1, 2, 10}, {2, 3, 99}, {3, 4, 99}})});
  const Measurement b = measured({}, {curve({{0, 1, 10}, {1, 2, 20}})});
  const Comparison comparison = compare(a, b, {});
  REQUIRE(comparison.curves.size() == 1);
  CHECK(comparison.curves[0].errors == std::vector<double>{0, -0.5});
  REQUIRE(comparison.notes.size() == 1);
  CHECK(says(comparison.notes[0], "A is 4 s long and B 2 s"));
}

TEST_CASE("cells in which both are idle do not count as correct") {
  const Measurement a = measured({}, {curve({{0, 1, 0}, {1, 2, 0}, {2, 3, 11}})});
  const Measurement b = measured({}, {curve({{0, 1, 0}, {1, 2, 0}, {2, 3, 10}})});
  const Comparison comparison = compare(a, b, {});
  CHECK(comparison.curves.at(0).summary->count == 1);
  CHECK(comparison.curves.at(0).summary->median == Approx(0.1));
}

TEST_CASE("a grid with too many cells is refused") {
  const Measurement a = measured({}, {curve({{0, 1e6, 1}})});
  CompareOptions options;
  options.step_s = 0.001;
  CHECK(says(refusal([&] { compare(a, a, options); }), "--grid: makes too many cells (got 0.001; allowed: 10 or more)"));
}

TEST_CASE("sweeps over depth are built from pairs, and their knees are compared") {
  const Measurement a = measured({point(1, 100), point(2, 200), point(4, 400), point(8, 400)});
  const Measurement b = measured({point(8, 380), point(4, 380), point(2, 200), point(1, 100), point(16, 1)});
  CompareOptions options;
  options.tolerances = Tolerances({"knee=10%"});
  const Comparison comparison = compare(a, b, options);
  REQUIRE(comparison.sweeps.size() == 2);  // IOPS and mean latency
  const SweepComparison& iops = comparison.sweeps[0];
  CHECK(iops.sweep.steps.size() == 4);
  CHECK(iops.shape_a->knee == Approx(3.6));
  CHECK(iops.shape_b->knee == Approx(2 + 2 * (342.0 - 200) / 180));
  CHECK(comparison.judgements.back().statistic == "knee");
  CHECK(*comparison.judgements.back().value == Approx(3.6 / (2 + 2 * 142.0 / 180) - 1));
}

TEST_CASE("bytes per second are compared if block sizes differ or on request") {
  const auto names = [](const Comparison& comparison) {
    std::string all;
    for (const MetricErrors& errors : comparison.metrics) all += name_of(errors.metric) + " ";
    return all;
  };
  const Measurement one_size = measured({point(1, 100), point(2, 200)});
  CHECK(names(compare(one_size, one_size, {})) == "iops latency_mean_ns ");
  Measurement sizes = one_size;
  sizes.points[1].workload.block_bytes = 8192;
  CHECK(names(compare(sizes, sizes, {})) == "iops bytes_per_s latency_mean_ns ");
  CompareOptions options;
  options.metrics = {{Quantity::bytes_per_s, 0}};
  CHECK(names(compare(one_size, one_size, options)) == "bytes_per_s ");
}

TEST_CASE("a fall in only one of two curves exceeds every tolerance of its time") {
  const auto falling = curve({{0, 1, 100}, {1, 2, 20}, {2, 3, 20}, {3, 4, 20}});
  const auto level = curve({{0, 1, 20}, {1, 2, 20}, {2, 3, 20}, {3, 4, 20}});
  CompareOptions options;
  options.tolerances = Tolerances({"median=any,p95=any,fall_time=1000%"});
  CHECK_FALSE(compare(measured({}, {falling}), measured({}, {level}), options).within());
  CHECK(compare(measured({}, {falling}), measured({}, {falling}), options).within());
}

TEST_CASE("measurements with nothing in common are refused with an example of each") {
  const Measurement a = measured({point(1, 100)}), b = measured({point(2, 100)});
  const std::string message = refusal([&] { compare(a, b, {}); });
  CHECK(says(message, "has no workload and no curve in common"));
  CHECK(says(message, "got randread 4k, depth 1, 1 job, read"));
  CHECK(says(message, "as in B: randread 4k, depth 2, 1 job, read"));
  CompareOptions options;
  options.metrics = {{Quantity::latency_mean_ns, 99}};
  CHECK(says(refusal([&] { compare(a, a, options); }), "shares no value of the quantities asked for"));
}

TEST_CASE("a selection keeps the named points and notes how many it dropped") {
  Measurement all = measured({point(1, 1), point(2, 1), point(32, 1)}, {curve({{0, 1, 1}})});
  Selection selection;
  selection.depth = parse_number_range("2-32", "--depth");
  select(selection, all);
  CHECK(all.points.size() == 2);
  REQUIRE(all.notes.size() == 1);
  CHECK(says(all.notes[0], "1 points and 1 curves were not selected"));
  selection.direction = Direction::trim;
  CHECK(says(refusal([&] { select(selection, all); }), "has nothing of what was selected"));
  CHECK(parse_number_range("4k-64k", "--bs").high == 65536);
  CHECK(parse_number_range("32", "--depth").low == 32);
  CHECK(says(refusal([] { parse_number_range("32-1", "--depth"); }), "--depth: "));
  CHECK(parse_access("readwrite", "--rw") == "rw");
  CHECK(says(refusal([] { parse_access("randrea", "--rw"); }), "did you mean randread?"));
  CHECK(says(refusal([] { parse_number_range("many", "--depth"); }), "not a number"));
}

TEST_CASE("tables quote special characters and have a line for each pair and each unmatched point") {
  Measurement a = measured({point(1, 107, "x,\"y\""), point(2, 1)}), b = measured({point(1, 100)});
  const std::string csv = comparison_csv(compare(a, b, {}));
  CHECK(says(csv, "randread,0,4096,,1,1,read,\"x,\"\"y\"\"\",,iops,107,100,0.07"));
  CHECK(says(csv, "randread,0,4096,,2,1,read,,,iops,1,,,B has no such workload\n"));
  a.points[0].iops = 5;
  b.points[0].iops = 0;
  const auto json = comparison_json(compare(a, b, {}));
  CHECK(json["points"][0]["quantities"]["iops"]["error"].is_null());
  CHECK(json["within"] == false);
  CHECK(says(comparison_text(compare(a, b, {})), "verdict: NOT within the tolerances"));
  CHECK(comparison_text(compare(a, b, {})).starts_with("FAR OFF: "));
  CHECK_FALSE(says(comparison_text(compare(a, a, {})), "FAR OFF"));
}

TEST_CASE("the reference's figures are held against the intervals of a simulated result") {
  Measurement a = measured({point(1, 100, "probe"), point(2, 100, "other")}), b = measured({point(1, 120), point(2, 300)});
  a.facts.emplace();
  a.facts->intervals = {"sheet", 0.8, {{"probe", "read", "iops", 80, 125}, {"other", "read", "iops", 80, 125},
                                       {"probe", "write", "iops", 1, 2}, {"probe", "read", "clat_p99_ns", 1, 2}}};
  const Comparison comparison = compare(a, b, {});
  CHECK(comparison.coverage.figures.size() == 2);  // B has no percentiles and no writes
  CHECK(comparison.coverage.inside() == 1);
  CHECK(says(comparison_text(comparison), "80 % intervals of A (sheet): 1 of 2 figures of B lie in them"));
  CHECK(says(comparison_text(comparison), "outside: iops of randread 4k, depth 2, 1 job read: 300, interval 80 to 125"));
  CHECK(comparison_json(comparison)["intervals"]["inside"] == 1);
  CHECK(comparison_json(compare(b, a, {}))["intervals"].is_null());
}
