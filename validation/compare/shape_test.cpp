#include "validation/compare/shape.h"

#include <cmath>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// One-second intervals; `level` maps their index to the value.
template <class Level>
TimeCurve curve_of(std::size_t seconds, Level level) {
  TimeCurve curve;
  for (std::size_t s = 0; s < seconds; ++s)
    curve.intervals.push_back({static_cast<double>(s), static_cast<double>(s + 1), level(s)});
  return curve;
}

}  // namespace

TEST_CASE("a fall at 600 s to 0.2 is found at 600 s, and the level after it is the steady one") {
  const TimeShape shape = shape_of(curve_of(2000, [](std::size_t s) { return s < 600 ? 500.0 : 100.0; }));
  REQUIRE(shape.fall);
  CHECK(shape.fall->at_s == 600);
  CHECK(shape.fall->to_share == Approx(0.2).epsilon(1e-12));
  CHECK(shape.steady_level == Approx(100).epsilon(1e-12));
  CHECK(*shape.swing == 0);
}

TEST_CASE("a swing of 0.3 around a constant level is not a fall, and is reported as 0.3") {
  // 85 and 115 alternate: the 5th percentile is 85, the 95th 115, the mean 100.
  const TimeShape shape = shape_of(curve_of(1000, [](std::size_t s) { return s % 2 == 0 ? 85.0 : 115.0; }));
  CHECK_FALSE(shape.fall);
  CHECK(shape.steady_level == Approx(100).epsilon(1e-12));
  CHECK(*shape.swing == Approx(0.3).epsilon(1e-12));
}

TEST_CASE("a fall is found despite a swing") {
  const TimeShape shape =
      shape_of(curve_of(3000, [](std::size_t s) { return (s < 600 ? 500.0 : 100.0) * (s / 10 % 2 == 0 ? 0.85 : 1.15); }));
  REQUIRE(shape.fall);
  CHECK(shape.fall->at_s == Approx(600).margin(10));
  CHECK(shape.fall->to_share == Approx(0.2).epsilon(0.01));
  CHECK(*shape.swing == Approx(0.3).epsilon(0.02));
}

TEST_CASE("a fall in the first interval is found; a dip at the end of a run and a rise are not falls") {
  const auto early = shape_of(curve_of(1000, [](std::size_t s) { return s < 1 ? 500.0 : 100.0; }));
  REQUIRE(early.fall);
  CHECK(early.fall->at_s == 1);
  CHECK_FALSE(shape_of(curve_of(1000, [](std::size_t s) { return s < 970 ? 100.0 : 20.0; })).fall);
  CHECK(shape_of(curve_of(1000, [](std::size_t s) { return s < 940 ? 100.0 : 20.0; })).fall);
  CHECK_FALSE(shape_of(curve_of(1000, [](std::size_t s) { return s < 500 ? 100.0 : 500.0; })).fall);
  CHECK_FALSE(shape_of(curve_of(1000, [](std::size_t s) { return s < 500 ? 100.0 : 91.0; })).fall);
}

TEST_CASE("longer intervals weigh more, in levels and in percentiles") {
  TimeCurve curve;
  curve.intervals = {{0, 10, 100}, {10, 11, 100}, {11, 20, 200}, {20, 21, 100}};
  // No fall; the second half begins at 10.5 s: 9 s of 200 and 1 s of 100.
  const TimeShape shape = shape_of(curve);
  CHECK_FALSE(shape.fall);
  CHECK(shape.steady_level == Approx(190).epsilon(1e-12));
  CHECK(*shape.swing == Approx(100.0 / 190).epsilon(1e-12));
}

TEST_CASE("a curve of zeros is steady at 0 and has no swing") {
  const TimeShape shape = shape_of(curve_of(100, [](std::size_t) { return 0.0; }));
  CHECK_FALSE(shape.fall);
  CHECK(shape.steady_level == 0);
  CHECK_FALSE(shape.swing);
}

TEST_CASE("the knee is where 90 % of the plateau is reached, interpolated between depths") {
  // 90 % of 1000 lie between 800 at depth 8 and 960 at depth 16: 8 + 100/160 * 8 = 13.
  const SweepShape shape = shape_of({{1, 100}, {2, 200}, {4, 400}, {8, 800}, {16, 960}, {32, 1000}});
  CHECK(shape.plateau == 1000);
  CHECK(shape.knee == Approx(13).epsilon(1e-12));
  CHECK(*shape.end_ratio == Approx(10).epsilon(1e-12));
}

TEST_CASE("a flat sweep has its knee at its first point, and a sweep that begins with 0 has no end ratio") {
  CHECK(shape_of({{1, 95}, {2, 100}, {4, 100}}).knee == 1);
  const SweepShape idle = shape_of({{1, 0}, {2, 50}, {4, 100}});
  CHECK_FALSE(idle.end_ratio);
  CHECK(idle.knee == Approx(3.6).epsilon(1e-12));
}
