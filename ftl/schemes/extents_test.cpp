#include "ftl/schemes/extents.h"

#include <string>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kEntries = 400;  // 112 regions of 128 pages need at least one each

DriveConfig extent_drive(bool fill_holes, std::uint32_t stop_permille, std::uint32_t pages_per_host_write = 128) {
  DriveConfig config = striped_drive();
  config.ftl.mapping.scheme = MappingConfig::Scheme::extent;
  config.ftl.mapping.extents = {kEntries, 128, 900, stop_permille, pages_per_host_write, fill_holes};
  return config;
}

constexpr const char* kScattered = "rw=randwrite\nbs=4k\nnorandommap\niodepth=4\nio_size=8m\n";

// The fewest extents after a write, once the start mark was reached.
std::uint64_t fewest_extents(std::uint32_t stop_permille) {
  Drive drive(extent_drive(false, stop_permille), Clock::untimed);
  fill(drive);
  RandomStream random(5, "extents");
  const std::uint64_t pages = drive.config().user_bytes / 4096;
  std::uint64_t fewest = ~std::uint64_t{0};
  bool reached = false;
  for (std::uint64_t i = 1; i <= 2000; ++i) {
    execute(drive, Op::write, random.below(pages) * 4096, 4096, i * kLater);
    const std::uint64_t extents = drive.counters().extents;
    reached = reached || extents + 2 >= kEntries * 9 / 10;
    if (reached) fewest = std::min(fewest, extents);
  }
  REQUIRE(reached);
  return fewest;
}

}  // namespace

TEST_CASE("regions that are rewritten whole fit into the RAM even if most of the drive is unmapped") {
  for (const bool fill_holes : {false, true}) {
    Drive drive(extent_drive(fill_holes, 900), Clock::timed);
    run(drive, kScattered);
    CHECK((dynamic_cast<const Extents&>(drive.ftl().scheme()).over_budget() == 0) == fill_holes);
    CHECK((drive.counters().extents <= kEntries) == fill_holes);
    CHECK((drive.counters().mapped_bytes > std::uint64_t{8} << 20) == fill_holes);
  }
}

TEST_CASE("after a region that gained the next one is rewritten, after one that did not the attempt ends") {
  Drive drive(extent_drive(false, 900, 0), Clock::untimed);
  fill(drive);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=4\nio_size=16m\n");
  const Extents& extents = dynamic_cast<const Extents&>(drive.ftl().scheme());
  REQUIRE(extents.over_budget() > 100);
  CHECK(2 * extents.counts().regions_rewritten > 3 * extents.over_budget());
  CHECK(drive.counters().regions_rewritten == extents.counts().regions_rewritten);
}

TEST_CASE("a saved map with a wrong count of extents is refused") {
  const DriveConfig config = extent_drive(false, 900);
  Drive drive(config, Clock::untimed);
  run(drive, kScattered);
  const std::string state = drive.save();
  // The last number of the section. A name follows a mark (4 bytes) and its own length (1 byte).
  const std::size_t at = state.find("valid bits", state.find("page map")) - 5 - sizeof(std::uint64_t);
  const std::uint64_t extents = drive.counters().extents;
  REQUIRE(with_number(state, at, extents) == state);
  Drive other(config, Clock::untimed);
  CHECK_THROWS_WITH(other.load(with_number(state, at, extents + 1)),
                    Catch::Contains("the saved state contradicts itself: I14: the map has"));
}

TEST_CASE("pages that fill holes have no version of a host write") {
  Drive drive(extent_drive(true, 900), Clock::timed);
  run(drive, kScattered);
  std::uint64_t filled = 0;
  for (std::uint32_t lpn = 0; lpn < drive.ftl().store().pages().map().lpns(); ++lpn) {
    const bool mapped = drive.ftl().store().pages().map().find(Lpn{lpn}) != kNoPpn;
    filled += mapped && drive.ftl().pages().version(Lpn{lpn}) == Version{0};
  }
  CHECK(filled * 4096 > drive.counters().mapped_bytes / 4);
  CHECK(filled * 4096 >= drive.counters().mapped_bytes - (std::uint64_t{8} << 20));
}

TEST_CASE("defragmentation continues until the stop mark") {
  CHECK(fewest_extents(700) < kEntries * 72 / 100);
  CHECK(fewest_extents(900) > kEntries * 85 / 100);
}
