// The benchmarks run, at their small size; how fast is not asked here.
#include "validation/benchmarks/bench.h"
#include "sim/test.h"

TEST_CASE("every benchmark runs at its small size and measures something") {
  const auto rows = ftlab::run_benchmarks(true);
  CHECK(rows.size() >= 7);
  for (const auto& row : rows) {
    INFO(row.name);
    CHECK(row.value > 0);
  }
}
