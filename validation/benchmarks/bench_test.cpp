// Runs every benchmark at its small size; speed is not checked.
#include "validation/benchmarks/bench.h"
#include "sim/testing/test.h"

TEST_CASE("every benchmark runs at its small size and measures something") {
  for (const ftlab::BenchSection& section : ftlab::bench_sections()) {
    const auto rows = section.run(true);
    INFO(section.name);
    CHECK_FALSE(rows.empty());
    for (const auto& row : rows) {
      INFO(row.name);
      CHECK(row.value > 0);
    }
  }
}
