// Speed of generating requests.
#include <array>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/generator.h"
#include "sim/workload/random/distribution.h"
#include "validation/benchmarks/bench.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kDriveBytes = std::uint64_t{60} << 30;

// Millions of requests per second from the workload's generator, in batches.
double generated(const std::string& options, bool small) {
  JobContext context;
  context.capacity_bytes = kDriveBytes;
  const JobFile jobs =
      parse_job_file("[j]\nfilename=/dev/drive\nrandrepeat=0\nnorandommap\nrw=randwrite\nbs=4k\nio_size=1000g\n" + options,
                     "benchmark", context);
  Generator generator(jobs.jobs[0], 1);
  std::array<Access, 64> batch;
  const std::uint64_t most = small ? 200'000 : 30'000'000;
  std::uint64_t count = 0, places = 0;
  const CpuWatch watch;
  while (count < most) {
    count += generator.next(batch);
    places ^= batch[count % batch.size()].offset_bytes;
  }
  const double took = watch.seconds();
  FTLAB_CHECK(places < kDriveBytes * 2, "the places were looked at");  // keeps the compiler from removing the loop
  return static_cast<double>(count) / took / 1e6;
}

// Nanoseconds per draw of fio's random_distribution over 16 M blocks.
double draw_ns(Spread::Kind kind, double parameter, bool small) {
  Spread spread;
  spread.kind = kind;
  spread.parameter = parameter;
  spread.zones[1] = {{50, 5}, {30, 15}, {20, 80}};
  const Distribution distribution(spread, Direction::write, std::uint64_t{1} << 24, 4096, 0);
  RandomStream random(1, "draws");
  const std::uint64_t draws = small ? 200'000 : 10'000'000;
  std::uint64_t sum = 0;
  const CpuWatch watch;
  for (std::uint64_t i = 0; i < draws; ++i) sum += distribution.draw(random);
  const double took = watch.seconds();
  FTLAB_CHECK(sum > 0, "the draws were looked at");
  return took * 1e9 / static_cast<double>(draws);
}

}  // namespace

std::vector<BenchRow> workload_rows(bool small) {
  const std::string jesd219 =
      "bssplit=512/4:1024/1:1536/1:2048/1:2560/1:3072/1:3584/1:4k/67:8k/10:16k/7:32k/3:64k/3\nblockalign=4k\n"
      "random_distribution=zoned:50/5:30/15:20/80\n";
  return {{"requests generated, uniform", generated("", small), "M/s", 50},
          {"requests generated, zipf 1.2", generated("random_distribution=zipf:1.2\n", small), "M/s", 20},
          {"requests generated, JESD219", generated(jesd219, small), "M/s"},
          {"a draw of zipf 1.2", draw_ns(Spread::Kind::zipf, 1.2, small), "ns", 30, true},
          {"a draw of pareto 0.2", draw_ns(Spread::Kind::pareto, 0.2, small), "ns", 30, true},
          {"a draw of normal 20", draw_ns(Spread::Kind::normal, 20, small), "ns", 30, true},
          {"a draw of zones", draw_ns(Spread::Kind::zoned, 0, small), "ns", 30, true}};
}

}  // namespace ftlab
