#include "validation/benchmarks/bench.h"

namespace ftlab {

const std::vector<BenchSection>& bench_sections() {
  static const std::vector<BenchSection> kSections = {
      {"writes", "a drive of 64 GiB, OP 7 %, one frontier: untimed and timed", write_rows},
      {"spare", "the same with OP 28 %", spare_rows},
      {"everything", "a drive with every model that may be left out", everything_rows},
      {"wa", "write amplification alone, as `ftlab wa` simulates it", steady_rows},
      {"sizes", "cost and memory from 4 GiB to 8 TB", size_rows},
      {"precondition", "preconditioning 1 TB, as `ftlab run --precondition` does without its cache", precondition_rows},
      {"state", "saving and loading a drive, by the clock", state_rows},
      {"pair", "two runs at once, by the clock", pair_rows},
      {"workload", "time to generate requests", workload_rows},
      {"traces", "time to read traces", trace_rows}};
  return kSections;
}

}  // namespace ftlab
