// Timing after another design took over a drive equals that of a drive built with that design.
#include <array>
#include <functional>
#include <vector>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

DriveConfig plain() {
  DriveConfig config = striped_drive();
  config.user_bytes = 40ull << 20;
  return config;
}

void write_pages(Drive& drive) {
  execute(drive, Op::write, 0, 64 * 4096, ns(0));
  execute(drive, Op::flush, 0, 0, drive.idle_from());
}

using Latencies = std::array<Nanoseconds, 3>;

// Latencies of a read of 24 pages and a write of one page on an idle drive, and of a read right after the write.
Latencies latencies(Drive& drive) {
  const Nanoseconds at = drive.idle_from() + ns(1'000'000);
  const Nanoseconds read = execute(drive, Op::read, 3 * 4096, 24 * 4096, at).completed - at;
  const Nanoseconds later = drive.idle_from() + ns(1'000'000);
  const Nanoseconds written = execute(drive, Op::write, 100 * 4096, 4096, later).completed;
  return {read, written - later, execute(drive, Op::read, 4096, 4096, written).completed - written};
}

}  // namespace

TEST_CASE("a redesigned drive is as fast as one built with that design") {
  const std::vector<std::function<void(DriveConfig&)>> changes = {
      [](DriveConfig&) {},
      [](DriveConfig& d) { d.nand.read += ns(11'000); },
      [](DriveConfig& d) { d.nand.bus_bytes_per_s /= 2; },
      [](DriveConfig& d) { d.link.bytes_per_s /= 3; },
      [](DriveConfig& d) { d.link.write_command += ns(800); },
      [](DriveConfig& d) { d.controller.read_command += ns(700); },
      [](DriveConfig& d) { d.controller.write_command += ns(600); },
      [](DriveConfig& d) { d.controller.look_up_page += ns(50); },
      [](DriveConfig& d) {
        d.controller.pauses = {4'096, ns(3'000'000)};
      },
      [](DriveConfig& d) { d.dram.bytes_per_s = 100'000'000; }};
  std::vector<Latencies> seen;
  for (const auto& change : changes) {
    CAPTURE(seen.size());
    DriveConfig other = plain();
    change(other);
    Drive built(other, Clock::timed), taken_over(plain(), Clock::timed);
    write_pages(built);
    Lifecycle(built).redesign(other);  // so that both reopen their frontiers at a power-on scan
    write_pages(taken_over);
    Lifecycle(taken_over).redesign(other);
    seen.push_back(latencies(built));
    CHECK(latencies(taken_over) == seen.back());
    CHECK((seen.size() == 1 || seen.back() != seen.front()));
  }
}

TEST_CASE("data in RAM are programmed before another design takes over, which takes time") {
  Drive drive(plain(), Clock::timed);
  execute(drive, Op::write, 0, 3 * 4096, ns(0));
  const Nanoseconds before = drive.idle_from();
  Lifecycle(drive).redesign(plain());
  CHECK(drive.idle_from() >= before + plain().nand.program.front());
}

TEST_CASE("a read-only drive that does not fit another design for another reason reports that reason first") {
  DriveConfig mortal = plain();
  mortal.endurance.planned_programs = {12'000, std::uint64_t{1} << 60};
  mortal.ftl.failure_reserve = 1;
  mortal.ftl.gc = {0, 4, 6, 8};
  Drive drive(mortal, Clock::untimed);
  RandomStream random(4, "last writes");
  while (!drive.ftl().read_only()) execute(drive, Op::write, random.below(mortal.logical_pages()) * 4096, 4096, ns(0));
  DriveConfig other = mortal;
  other.user_bytes -= 4096;
  CHECK(redesign_problem(drive, other).find("the user capacity in bytes differs") == 0);
  CHECK(redesign_problem(drive, mortal) == "the drive is read-only, at its end");
}
