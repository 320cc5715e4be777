#include "validation/benchmarks/bench.h"

#include <fstream>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/testing/files.h"
#include "sim/traces/trace_summary.h"
#include "validation/benchmarks/bench.h"

namespace ftlab {
namespace {

// A trace file of random requests over 60 GiB, deleted at the end.
class MsrFile {
 public:
  explicit MsrFile(std::uint64_t lines) : path_(folder_ / "msr.csv") {
    std::ofstream file(path_);
    RandomStream random(1, "trace benchmark");
    std::uint64_t ticks = 128'166'372'003'061'629;
    for (std::uint64_t i = 0; i < lines; ++i) {
      ticks += 1 + random.below(200'000);
      file << ticks << ",prxy,0," << (random.below(2) == 0 ? "Read" : "Write") << ','
           << random.below(125'829'120) * kSectorBytes << ',' << (std::uint64_t{512} << random.below(8)) << ','
           << random.below(100'000) << '\n';
    }
  }

  TraceOptions options() const {
    TraceOptions options;
    options.path = path_;
    return options;
  }

 private:
  TestFolder folder_;
  std::string path_;
};

}  // namespace

std::vector<BenchRow> trace_rows(bool small) {
  const std::uint64_t lines = small ? 20'000 : 3'000'000;
  const MsrFile file(lines);
  const auto rate = [lines](double seconds) { return static_cast<double>(lines) / seconds / 1e6; };
  const CpuWatch watch;
  Trace trace(file.options());
  std::uint64_t records = 0;
  for (TraceRecord record; trace.next(record);) ++records;
  const double parsed = watch.seconds();
  FTLAB_CHECK(records == lines, "the trace lost a record");
  const TraceSummary summary = summarise_trace(file.options());
  FTLAB_CHECK(summary.counts.requests == lines, "the summary lost a record");
  return {{"reading a trace, MSR format", rate(parsed), "M lines/s", 5},
          {"  and summing it up", rate(watch.seconds() - parsed), "M lines/s"}};
}

}  // namespace ftlab
