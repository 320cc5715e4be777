#include "validation/compare/metric.h"

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

const Metric kIops{Quantity::iops, 0};
const Metric kP99{Quantity::latency_mean_ns, 99};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("rates and means have default limits of 5 % and 15 %; percentiles and shapes are judged only if named") {
  const Tolerances usual;
  CHECK(usual.of(kIops, false).median == 0.05);
  CHECK(usual.of(kIops, false).p95 == 0.15);
  CHECK(usual.of_series().median == 0.05);
  CHECK_FALSE(usual.of(kP99, false).median);
  CHECK(usual.of(kP99, true).median == 0.05);
  CHECK_FALSE(usual.of(ShapeMeasure::knee));
}

TEST_CASE("a tolerance applies to all, to one quantity, to series or to a measure of shape, and later ones override") {
  const Tolerances reported(
      {"median=1%,p95=2%,iops:p95=30%", "iops:p95=3%,latency_ns_p99:median=40%,series:median=any,knee=20%"});
  CHECK(reported.of(kIops, false).median == 0.01);
  CHECK(reported.of(kIops, false).p95 == 0.03);
  CHECK(reported.of(kP99, false).median == 0.4);
  CHECK_FALSE(reported.of(kP99, false).p95);
  CHECK_FALSE(reported.of_series().median);
  CHECK(reported.of_series().p95 == 0.02);
  CHECK(reported.of(ShapeMeasure::knee) == 0.2);
  CHECK_FALSE(Tolerances({"knee=20%,knee=any"}).of(ShapeMeasure::knee));
}

TEST_CASE("malformed tolerances are refused with the allowed forms") {
  const auto problem = [](const std::string& text) { return refusal([&text] { Tolerances({text}); }); };
  CHECK(says(problem("median"), "--tolerance: says no limit (got median; allowed: as in median=5%"));
  CHECK(says(problem("median=5"), "--tolerance: median=5: is not a percentage (got 5; allowed: as in 5%"));
  CHECK(says(problem("median=-5%"), "is not a percentage"));
  CHECK(says(problem("median=nan%"), "is not a percentage"));
  CHECK(says(problem("median=inf%"), "is not a percentage"));
  CHECK(says(problem("mean=5%"), "is neither a statistic nor a measure of shape (got mean"));
  CHECK(says(problem("kne=5%"), "did you mean knee?"));
  CHECK(says(problem("iop:median=5%"), "is not a quantity (got iop"));
  CHECK(says(problem("iop:median=5%"), "did you mean iops?"));
  CHECK(says(problem("series:knee=5%"), "is neither a statistic"));
  CHECK(says(problem("latency_ns_p101:median=5%"), "is not a quantity"));
  CHECK(says(problem(""), "says no limit"));
}
