#include "validation/calibrate/observation.h"

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

Point point(std::string rw, std::uint64_t depth, std::uint64_t jobs) {
  Point p;
  p.workload = {std::move(rw), 0, 4096, "", depth, jobs};
  p.direction = p.workload.rw == "randread" ? Direction::read : Direction::write;
  p.iops = 1000;
  p.latency_mean_ns = 5000;
  p.percentiles = {{50, 4000}, {99.9, 9000}};
  return p;
}

Measurement measurement(std::vector<Point> points) {
  Measurement m;
  m.name = "m.json";
  m.points = std::move(points);
  return m;
}

std::vector<Point> all_points(const std::vector<Point>& points) {
  std::vector<std::string> notes;
  return points_of({measurement(points)}, {}, notes);
}

}  // namespace

TEST_CASE("the second and every third depth after it are held back, for all numbers of jobs") {
  std::vector<Point> points;
  for (const std::uint64_t depth : {1, 2, 4, 8, 16, 32, 64}) {
    for (const std::uint64_t jobs : {1, 4}) points.push_back(point("randread", depth, jobs));
  }
  const std::vector<bool> held = held_back_by_depth(all_points(points));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint64_t depth = points[i].workload.depth;
    CHECK(held[i] == (depth == 2 || depth == 16));
  }
}

TEST_CASE("a workload with one depth holds back numbers of jobs, and a single point holds back nothing") {
  const std::vector<bool> held = held_back_by_depth(
      all_points({point("randread", 1, 1), point("randread", 1, 2), point("randread", 1, 8), point("randwrite", 4, 1)}));
  CHECK(held == std::vector<bool>{false, true, false, false});
}

TEST_CASE("figures that a point lacks give no observations") {
  Point without = point("randread", 1, 1);
  without.latency_mean_ns.reset();
  const std::vector<Point> points = all_points({without, point("randread", 2, 1)});
  const auto observations = observations_of(points, {parse_figures("iops,mean,p99.9,p42")}, {false, true});
  REQUIRE(observations.size() == 5);
  CHECK(observations[0].figure.name() == "iops");
  CHECK(observations[1].figure.name() == "p99.9");
  CHECK(observations[1].measured == 9000);
  CHECK(observations[4].held_back);
  CHECK(simulated(observations[1], points[0], {1, 2, {3, 4}}) == 4);
}

TEST_CASE("figures may be chosen for some points only, and count once") {
  const std::vector<Point> points = all_points({point("randread", 1, 1), point("randread", 2, 1)});
  const auto observations =
      observations_of(points, {parse_figures("iops"), parse_figures("iops,p50@depth=2")}, {false, false});
  REQUIRE(observations.size() == 3);
  CHECK(observations[2].figure.name() == "p50");
  CHECK(observations[2].point == 1);
}

TEST_CASE("figures may be chosen for points below saturation only") {
  std::vector<Point> points = {point("randread", 1, 1), point("randread", 2, 1), point("randread", 4, 1)};
  points[0].iops = 500;  // depths 2 and 4 have the same rate
  const auto observations =
      observations_of(points, {parse_figures("p50"), parse_figures("p99.9@unsaturated")}, {false, false, false});
  REQUIRE(observations.size() == 4);
  CHECK(observations[1].figure.name() == "p99.9");
  CHECK(observations[1].point == 0);
}

TEST_CASE("points are filtered by their properties") {
  const PointFilter filter("rw=randread,depth=1+4,jobs=2", "--only");
  CHECK(filter.holds(point("randread", 4, 2)));
  CHECK_FALSE(filter.holds(point("randread", 2, 2)));
  CHECK_FALSE(filter.holds(point("randwrite", 4, 2)));
  CHECK_FALSE(filter.holds(point("randread", 4, 1)));
  CHECK(PointFilter().holds(point("randwrite", 4, 2)));
  CHECK(PointFilter("bs=4096,direction=write", "--only").holds(point("randwrite", 1, 1)));
}

TEST_CASE("points left out are reported with the reason, and leaving out all is refused") {
  std::vector<std::string> notes;
  Point trim = point("randtrim", 1, 1);
  trim.direction = Direction::trim;
  Point without_rate = point("randread", 1, 1);
  without_rate.iops.reset();
  Point varying = point("randread", 1, 1);
  varying.workload.block_bytes = 0;
  CHECK(points_of({measurement({trim, without_rate, varying, point("randread", 1, 1)})}, {}, notes).size() == 1);
  CHECK(notes == std::vector<std::string>{"left out 1 point: block sizes that vary", "left out 1 point: no rate (iops)",
                                          "left out 1 point: trims"});
  CHECK(refusal([&] { points_of({measurement({point("randread", 1, 1)})}, PointFilter("depth=3", "--only"), notes); }) ==
        "--measured: m.json: has no point to hold a simulation against; left out 1 point: not selected");
}

TEST_CASE("misspelt figures and filters are refused") {
  CHECK(refusal([] { parse_figures("iops,p0"); }) ==
        "--figures: names no figure (got p0; allowed: iops, mean, and percentiles as p50 or p99.9)");
  CHECK(refusal([] { parse_figures("mean,mean"); }) == "--figures: names a figure twice (got mean)");
  CHECK(refusal([] { parse_figures("p95@unsaturatd"); }) ==
        "--figures: selects no points (got unsaturatd; allowed: unsaturated, or as in rw=randread,depth=1+2+4; did you mean "
        "unsaturated?)");
  CHECK(refusal([] { PointFilter("dept=3", "--only"); }) ==
        "--only: names no property of a point (got dept; allowed: rw, bs (bytes), depth, jobs, direction, as in "
        "rw=randread,depth=1+2+4; did you mean depth?)");
  CHECK(refusal([] { PointFilter("depth", "--hold-back"); }) ==
        "--hold-back: is not a selection of points (got depth; allowed: rw, bs (bytes), depth, jobs, direction, as in "
        "rw=randread,depth=1+2+4)");
}
