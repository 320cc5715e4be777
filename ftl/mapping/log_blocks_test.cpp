#include "ftl/mapping/log_blocks.h"

#include "ftl/drive.h"
#include "ftl/test_drives.h"
#include "sim/test.h"

namespace ftlab {
namespace {

DriveConfig log_drive(MappingConfig::Scheme scheme) {
  DriveConfig drive = theory_drive(9, 4, 12);
  drive.ftl.mapping.scheme = scheme;
  drive.ftl.mapping.log_superblocks = 2;
  drive.ftl.buffer.held_pages = 0;
  return drive;
}

void write(Drive& drive, std::uint64_t page) {
  const Request request{0, Op::write, page * 4096, 4096, Nanoseconds{0}};
  drive.submit({&request, 1});
  Completion done;
  while (drive.wait(kNever, {&done, 1}) > 0) REQUIRE(done.status == Status::ok);
}

}  // namespace

TEST_CASE("pages of two logical superblocks that happen to lie in place in one log superblock do not both make it a home") {
  Drive drive(log_drive(MappingConfig::Scheme::fast), Clock::untimed);
  for (const std::uint64_t page : {11u, 1u, 6u, 11u}) write(drive, page);  // places 0 to 3 of the log superblock
  drive.power_cycle();
  for (int i = 0; i < 20; ++i) {
    for (const std::uint64_t page : {1u, 2u, 3u, 11u}) write(drive, page);
    REQUIRE(inspect(drive.ftl()).empty());
  }
  CHECK(drive.ftl().version(Lpn{6}) == Version{3});
}

}  // namespace ftlab
