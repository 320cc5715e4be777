// Simulation speed of drives in steady state.

#include <thread>

#include "validation/benchmarks/bench.h"
#include "validation/benchmarks/bench_tools.h"

namespace ftlab {
namespace {

double written_ratio(const Counters& before, const Counters& after) {
  return static_cast<double>(after.media_write_bytes() - before.media_write_bytes()) /
         static_cast<double>(after.host_write_bytes - before.host_write_bytes);
}

}  // namespace

// Speed and write amplification of a job.
struct Measured {
  double requests_per_us;  // 4 KiB each
  double wa;
  double operations_per_us;  // media operations, in pages
};

enum class Work { untimed_writes, timed_writes, reads, sequential_writes, other };

// Not inlined and with external linkage: counters.py finds each kind of work by its function name.
template <Work work>
[[gnu::noinline]] Measured measure_job(Drive& drive, const std::string& job, std::uint64_t bytes) {
  const Counters before = drive.counters();
  const double took = run_job(drive, job) * 1e6;
  const Counters after = drive.counters();
  const double pages = static_cast<double>(after.array_pages_read + after.array_pages_programmed - before.array_pages_read -
                                           before.array_pages_programmed);
  const double wa = after.host_write_bytes > before.host_write_bytes ? written_ratio(before, after) : 0;
  return {static_cast<double>(bytes) / 4096 / took, wa, pages / took};
}

namespace {

std::uint64_t amount_of(const DriveConfig& config, bool small) { return small ? config.user_bytes : config.user_bytes / 4; }

}  // namespace

std::vector<BenchRow> write_rows(bool small) {
  const DriveConfig config = bench_drive(small);
  const std::uint64_t pages = config.user_bytes / 4096, amount = amount_of(config, small);
  std::vector<BenchRow> rows;
  const CpuWatch start;
  Drive drive(config, Clock::untimed);
  drive.discard_versions();  // as `ftlab run` does; also below
  age(drive, 1);
  rows.push_back({"made, filled in order, overwritten at random once", start.seconds(), "s", 3, true});
  run_job(drive, random_writes(3 * config.user_bytes));

  const double access = bare_update_ns(pages, 4);
  rows.push_back({"an access to the map at random, asked for ahead", access, "ns", 0, true, 0, false});
  const Measured untimed = measure_job<Work::untimed_writes>(drive, random_writes(amount), amount);
  const double limit = 1e3 / (access * (1 + untimed.wa));
  rows.push_back({"untimed random writes, OP 7 %", untimed.requests_per_us, "M host writes/s", 0.8 * limit, false, limit});
  rows.push_back({"  their write amplification", untimed.wa, "", 0, false, 0, false});
  drive.set_clock(Clock::timed);
  const Measured timed = measure_job<Work::timed_writes>(drive, random_writes(amount), amount);
  rows.push_back({"timed random writes, OP 7 %, QD 32", timed.requests_per_us, "M host writes/s", 3, false, limit});
  rows.push_back({"  media operations of them, in pages", timed.operations_per_us, "M/s", 40});
  rows.push_back({"  their write amplification", timed.wa, "", 0, false, 0, false});
  const Measured reads = measure_job<Work::reads>(drive, random_reads(amount), amount);
  rows.push_back({"timed random reads, QD 32", reads.requests_per_us, "M host reads/s", 12, false, 1e3 / access});
  const std::uint64_t all = config.user_bytes;
  const Measured over_random = measure_job<Work::other>(drive, sequential_writes(all), all);
  rows.push_back({"timed sequential writes, 128 KiB, over random data", over_random.requests_per_us * 4.096, "GB/s"});
  rows.push_back({"  their write amplification", over_random.wa, "", 0, false, 0, false});
  const Measured sequential = measure_job<Work::sequential_writes>(drive, sequential_writes(all), all);
  rows.push_back({"timed sequential writes, 128 KiB, over data in order", sequential.requests_per_us * 4.096, "GB/s", 40});
  rows.push_back({"  their write amplification", sequential.wa, "", 0, false, 0, false});
  return rows;
}

std::vector<BenchRow> spare_rows(bool small) {
  const DriveConfig config = bench_drive(small, 0.28);
  const std::uint64_t amount = amount_of(config, small) * 2;
  Drive drive(config, Clock::untimed);
  drive.discard_versions();
  age(drive, 3);
  drive.set_clock(Clock::timed);
  const double access = bare_update_ns(config.user_bytes / 4096, 4);
  const Measured timed = measure_job<Work::other>(drive, random_writes(amount), amount);
  return {{"timed random writes, OP 28 %, QD 32", timed.requests_per_us, "M host writes/s", 5, false,
           1e3 / (access * (1 + timed.wa))},
          {"  their write amplification", timed.wa, "", 0, false, 0, false}};
}

std::vector<BenchRow> everything_rows(bool small) {
  std::vector<BenchRow> rows;
  for (const bool queues : {false, true}) {
    const DriveConfig config = bench_drive_with_everything(small, queues);
    const std::string what = queues ? "all models: " : "all models, but reads do not go first: ";
    Drive drive(config, Clock::untimed);
    drive.discard_versions();
    age(drive, 2);
    drive.set_clock(Clock::timed);
    const std::uint64_t amount = config.user_bytes / (small ? 1 : 16);
    rows.push_back({what + "random writes", measure_job<Work::other>(drive, random_writes(amount), amount).requests_per_us,
                    "M host writes/s", 2});
    rows.push_back({what + "random reads", measure_job<Work::other>(drive, random_reads(amount), amount).requests_per_us,
                    "M host reads/s", 6});
  }
  return rows;
}

// Two runs at once in separate processes, which share only the memory.

std::vector<BenchRow> pair_rows(bool small) {
  const DriveConfig config = small ? bench_drive(true) : bench_drive_of(512);
  const auto work = [&config] {
    Drive drive(config, Clock::untimed);
    age(drive, 2);
    drive.set_clock(Clock::timed);
    return run_job(drive, random_writes(config.user_bytes));
  };
  const double one = run_at_once(1, work), two = run_at_once(2, work);
  // A single core cannot run them in parallel.
  const double asked = std::thread::hardware_concurrency() >= 2 ? 1.8 : 0;
  return {{"two runs at once against one, by the clock", 2 * one / two, "", asked, false, 2, false}};
}

}  // namespace ftlab
