// A lost page stays lost until the host writes all of it, whatever happens to its copy: failing programs, a power cut with a
// part of the page in RAM, a missing parity.
#include <algorithm>
#include <vector>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Flash without errors except for the reads that are planned to fail.
CellsConfig sound_cells() {
  CellsConfig cells = cells_with({});
  cells.wear_cycles = 1'000'000;
  return cells;
}

std::vector<bool> read_all(Host& host) {
  std::vector<bool> lost;
  for (std::uint64_t p = 0; p < host.pages(); ++p) lost.push_back(host.read(p) == Status::media_error);
  return lost;
}

}  // namespace

TEST_CASE("lost pages stay lost when the program that moves them fails") {
  DriveConfig config = erring_drive(fading());
  config.ftl.failure_reserve = 1;
  config.ftl.gc = {0, 4, 6, 8};
  config.user_bytes = 40ull << 20;
  config.endurance.program_failures_per_billion = 2'000'000;  // eight blocks, two planes: one stripe of 250 fails
  Host host(config, Clock::untimed);
  host.fill();
  host.rest(52 * kDay);
  std::vector<bool> lost = read_all(host);
  const auto count = [&lost] { return std::count(lost.begin(), lost.end(), true); };
  REQUIRE(count() > 100);
  RandomStream random(8, "overwritten");
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t page = random.below(host.pages() / 2);  // the other half is only relocated
    REQUIRE(host.write(page) == Status::ok);
    lost[page] = false;
  }
  REQUIRE(count() > 50);
  CHECK(host.counters().program_failures > 50);
  CHECK(read_all(host) == lost);
  host.require_sound();
}

TEST_CASE("a page with a part in RAM at a power cut is as lost as its old content") {
  for (const bool lost : {false, true}) {
    DriveConfig config = erring_drive(sound_cells());
    if (lost) config.cells.planned_reads = {1, 1, 0, 0};
    config.ftl.buffer.power_loss_protected = true;
    Host host(config);
    for (std::uint64_t p = 0; p < 64; ++p) REQUIRE(host.write(p) == Status::ok);
    host.flush();
    for (std::uint64_t p = 64; p < 512; ++p) REQUIRE(host.write(p) == Status::ok);
    CHECK((host.read(5) == Status::media_error) == lost);
    CHECK(host.request(Op::write, 5 * kPage + 512, 1'024).status == Status::ok);
    Lifecycle(host.drive()).power_cycle();
    CHECK((host.read(5) == Status::media_error) == lost);
    CHECK(host.read(6) == Status::ok);
    REQUIRE(host.write(5) == Status::ok);
    CHECK(host.read(5) == Status::ok);
    host.require_sound();
  }
}

TEST_CASE("a page with a part in RAM at the end of life is as lost as its old content") {
  DriveConfig config = erring_drive(fading());
  config.ftl.failure_reserve = 1;
  config.ftl.gc = {0, 4, 6, 8};
  config.user_bytes = 40ull << 20;
  config.endurance.planned_erases = {1, std::uint64_t{1} << 60};  // so that a frontier still has room
  Host host(config, Clock::untimed);
  host.fill();
  host.rest(52 * kDay);
  const std::vector<bool> lost = read_all(host);
  std::vector<std::uint64_t> in_part;
  for (std::uint64_t p = 0; p < host.pages() && in_part.size() < 6; ++p)
    if (lost[p]) in_part.push_back(p);
  REQUIRE(in_part.size() == 6);
  for (const std::uint64_t p : in_part) REQUIRE(host.request(Op::write, p * kPage + 512, 1'024).status == Status::ok);
  RandomStream random(9, "until the end");
  const auto whole_page = [&] {
    std::uint64_t p = 0;
    do p = random.below(host.pages());
    while (std::find(in_part.begin(), in_part.end(), p) != in_part.end());
    return p;
  };
  while (host.write(whole_page()) == Status::ok) {
  }
  REQUIRE(host.drive().ftl().read_only());
  host.request(Op::flush, 0, 0);
  for (const std::uint64_t p : in_part) CHECK(host.read(p) == Status::media_error);
  host.require_sound();
}

// Rows of seven stripes of two pages, and their parity.
TEST_CASE("a page is rebuilt from the parity of its row, unless the parity's own program failed") {
  for (const bool fails : {false, true}) {
    DriveConfig config = erring_drive(sound_cells());
    config.ftl.superblock.parity = true;
    config.cells.planned_reads = {1, 1, 0, 0};
    config.ftl.failure_reserve = 1;
    config.ftl.gc = {0, 4, 6, 8};
    config.user_bytes = 40ull << 20;
    const std::uint64_t of_parity = 15;  // each plane of a stripe counts
    config.endurance.planned_programs = {fails ? of_parity : 1'000'000, fails ? of_parity : 1'000'000};
    Host host(config);
    for (std::uint64_t p = 0; p < 512; ++p) REQUIRE(host.write(p) == Status::ok);
    host.flush();
    REQUIRE(host.counters().program_failures == fails);
    REQUIRE(host.drive().medium().superblocks().programmed(SuperblockId{0}) == 256);  // it continues after its parity
    CHECK(host.read(3) == (fails ? Status::media_error : Status::ok));
    CHECK(host.counters().rebuilt_pages == !fails);
    CHECK(host.read(4) == Status::ok);
    CHECK(host.read(3) == (fails ? Status::media_error : Status::ok));
    host.require_sound();
  }
}
