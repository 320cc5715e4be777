// Two runs at once in separate processes, which share only the memory.
#include <thread>

#include "validation/benchmarks/bench.h"
#include "validation/benchmarks/bench_drives.h"
#include "validation/benchmarks/child_run.h"

namespace ftlab {

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
