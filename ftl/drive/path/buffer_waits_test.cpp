#include "ftl/drive/path/buffer_waits.h"

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

struct Sums {
  std::uint64_t writes = 0;
  Nanoseconds waited{0}, programming{0};

  explicit Sums(const BufferWaits& waits) {
    for (const BufferWaits::Range& range : waits.ranges()) {
      writes += range.writes;
      waited += range.waited;
      programming += range.dies.of(DieTime::host_programs);
    }
  }
};

}  // namespace

TEST_CASE("buffer waits are those of the requests, and the dies programmed meanwhile") {
  Drive drive(striped_drive(), Clock::timed);
  const RunStats stats = run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=16\nio_size=8m\n");
  const Sums sums(drive.flash().waits);
  const LatencyParts parts = stats.jobs[0].parts;
  CHECK(sums.writes == 2048);
  CHECK(sums.waited > Nanoseconds{0});
  CHECK(sums.waited <= parts[static_cast<std::size_t>(LatencyPart::buffer_wait)]);  // which has waits for other commands, too
  CHECK(sums.programming > Nanoseconds{0});
  Lifecycle(drive).forget_buffer_waits();
  CHECK(drive.flash().waits.ranges().empty());
}

TEST_CASE("a wait counts in the range of its length, and time that was taken back counts as none") {
  DieTime before, after;
  before.add(DieTime::erases, Nanoseconds{100});
  after.add(DieTime::erases, Nanoseconds{40});
  after.add(DieTime::host_programs, Nanoseconds{30});
  BufferWaits waits;
  waits.add(Nanoseconds{0}, after, before);
  waits.add(Nanoseconds{1000}, before, after);
  CHECK(waits.ranges().front().writes == 1);
  CHECK(waits.ranges().front().dies.total() == Nanoseconds{0});
  const BufferWaits::Range& last = waits.ranges()[PartsByLatency::range_of(Nanoseconds{1000})];
  CHECK((last.writes == 1 && last.waited == Nanoseconds{1000}));
  CHECK((last.dies.of(DieTime::erases) == Nanoseconds{0} && last.dies.of(DieTime::host_programs) == Nanoseconds{30}));
}
