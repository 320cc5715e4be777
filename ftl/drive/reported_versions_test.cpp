// Versions that a drive reports to a content log that is attached while writes are in flight.
#include <vector>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/content_log.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

// Four writes that exceed the write buffer: the first is being admitted, the others wait in the drive.
TEST_CASE("the newest version reported includes the pages that writes in flight have yet to bring") {
  for (const std::uint64_t waits_ns : {0ull, 100'000ull, 1'000'000ull, 5'000'000ull}) {
    Drive drive(striped_drive(), Clock::timed);
    execute(drive, Op::write, 0, 5 * 4096, ns(0));
    const Nanoseconds now = drive.idle_from();
    std::vector<Request> writes;
    for (std::uint64_t i = 0; i < 4; ++i) writes.push_back({i, Op::write, i * 100 * 4096, 100 * 4096, now});
    drive.submit(writes);
    std::vector<Completion> done(writes.size());
    std::size_t ended = drive.wait(now + ns(waits_ns), done);
    ContentLog log;
    const std::optional<VersionRules> rules = drive.report_contents(&log);
    REQUIRE(rules.has_value());
    while (ended < writes.size()) ended += drive.wait(kNever, done);
    CHECK(rules->newest == number(drive.ftl().pages().newest_version()));
    CHECK(rules->newest == 5 + 4 * 100);
    drive.report_contents(nullptr);
  }
}
