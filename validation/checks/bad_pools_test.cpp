// Pools of superblocks on flash with factory bad blocks.
#include <cstdlib>
#include <string>

#include "ftl/drive/drive.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

// Superblocks of two pools beyond those that they need.
struct Spare {
  std::int64_t first, second;
  std::uint32_t retired;
};

Spare spare_of(std::uint32_t first_pool, int specimen) {
  Node design = document("pools");
  for (const std::string& part :
       {R"(ftl.placement.pools=[{"logical_pages": 400, "superblocks": )" + std::to_string(first_pool) +
            R"(}, {"logical_pages": 1392, "superblocks": )" + std::to_string(48 - first_pool) + "}]",
        std::string("endurance.factory_bad_per_million=40000"), "endurance.specimen=" + std::to_string(specimen)}) {
    set_by_path(design, part);
  }
  const DriveConfig config = read_drive(design);
  const Drive drive(config, Clock::untimed);
  const Blocks& blocks = drive.ftl().store().blocks();
  const auto spare = [&](std::uint32_t pool) {
    return std::int64_t{blocks.free().quota(pool)} - static_cast<std::int64_t>(superblocks_needed_of(
                                                         config.ftl, drive.medium().layout(), pool, config.logical_pages()));
  };
  CHECK(blocks.free().quota(0) + blocks.free().quota(1) + blocks.free().retired() == 48);
  return {spare(0), spare(1), blocks.free().retired()};
}

}  // namespace

TEST_CASE("factory bad blocks cost superblocks of the pool with the most spare ones") {
  for (int specimen = 1; specimen <= 8; ++specimen) {
    CAPTURE(specimen);
    const Spare even = spare_of(16, specimen);  // 7 and 8 without bad blocks
    CHECK(even.retired >= 2);
    CHECK(std::abs(even.first - even.second) <= 1);
    const Spare rich_first = spare_of(20, specimen), rich_second = spare_of(12, specimen);
    CHECK((rich_first.second == 4 && rich_first.first == 11 - std::int64_t{rich_first.retired}));
    CHECK((rich_second.first == 3 && rich_second.second == 12 - std::int64_t{rich_second.retired}));
  }
}
