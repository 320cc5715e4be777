// Write amplification alone, as `ftlab wa` computes it.
#include "ftl/counting/steady_run.h"
#include "validation/benchmarks/bench.h"
#include "validation/benchmarks/bench_tools.h"

namespace ftlab {
namespace {

// bench_drive() as one frontier sees it: superblocks of 8,192 pages.
WaQuestion question_of(bool small) {
  WaQuestion question;
  question.op = 0.07;
  question.pages_per_block = small ? 1024 : 8192;
  question.blocks = small ? 128 : 2048;
  return question;
}

struct Pace {
  double writes_per_us;
  double wa;
};

Pace pace_of(const WaQuestion& question, bool small, bool by_slots) {
  SteadyRunOptions options;
  options.precision = 0;
  options.least_batches = options.most_batches = small || by_slots ? 2 : 10;
  options.by_slots = by_slots;
  const CpuWatch watch;
  const SteadyRun run = steady_run(question, options);
  return {static_cast<double>(run.host_writes) / (watch.seconds() * 1e6), run.wa};
}

}  // namespace

std::vector<BenchRow> steady_rows(bool small) {
  const WaQuestion question = question_of(small);
  const Pace counted = pace_of(question, small, false);
  const Pace placed = pace_of(question, small, true);
  const double limit = 1e3 / bare_update_ns(question.logical_pages(), 2);
  return {{"`ftlab wa`, OP 7 %, one frontier", counted.writes_per_us, "M host writes/s", 40, false, limit},
          {"  the same page by page, with every place", placed.writes_per_us, "M host writes/s"},
          {"  their write amplification", counted.wa, "", 0, false, 0, false}};
}

}  // namespace ftlab
