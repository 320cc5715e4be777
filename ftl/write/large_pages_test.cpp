// Pages larger than a stripe: several programs on consecutive dies that belong together.
#include <optional>
#include <vector>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/layer/ftl.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Mapping pages of 16 KiB in stripes of 8 KiB: two programs of two planes each.
DriveConfig large_pages() {
  DriveConfig drive = striped_drive();
  drive.ftl.mapping_bytes = 16 << 10;
  drive.ftl.buffer.coalescing_pages = 0;
  drive.ftl.failure_reserve = 1;
  drive.user_bytes = 48ull << 20;
  return drive;
}

// An FTL whose flash fails the program of the NAND page with that number, and the operations that it requests.
struct Layer {
  explicit Layer(std::uint64_t failing) : config(large_pages()) {
    config.endurance.planned_programs = {failing, failing};
    health.emplace(config.endurance, config.geometry, config.ftl.superblock);
    ftl.emplace(config.ftl, static_cast<std::uint32_t>(config.logical_pages()), medium, work, 1, &*health);
  }
  // Wait flags of the programs, in order.
  std::vector<int> waiting() const {
    std::vector<int> flags;
    for (const WorkRecord& record : work.records())
      if (record.kind == WorkRecord::Kind::program)
        flags.push_back(record.flags & (WorkRecord::kAfterPrevious | WorkRecord::kWithPrevious));
    return flags;
  }

  DriveConfig config;
  Layout layout{config.geometry, config.ftl.superblock, config.ftl.slot_bytes()};
  Medium medium{layout};
  WorkList work{config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), true};
  std::optional<BadBlockTable> health;
  std::optional<Ftl> ftl;
};

constexpr int kTogether = WorkRecord::kWithPrevious, kAfterwards = WorkRecord::kAfterPrevious;

}  // namespace

// The data of both programs are available at once: each starts as soon as its die is free.
TEST_CASE("the programs of a page larger than a stripe do not wait for each other") {
  Layer layer(0);
  REQUIRE(layer.ftl->write(Lpn{3}, 0, 16 << 10));
  REQUIRE(layer.ftl->write(Lpn{4}, 0, 16 << 10));
  CHECK(layer.waiting() == std::vector{0, 0, 0, 0});
  CHECK(layer.ftl->pages().all_in_flash());
}

// Whichever of the two programs fails, this is known at the end of the second. Then both are repeated: the first after that
// end, the second together with the first.
TEST_CASE("a page larger than a stripe whose program fails is programmed again as a whole after that program ends") {
  for (const std::uint64_t failing : {1, 2, 3, 4}) {
    INFO("program of a NAND page " << failing);
    Layer layer(failing);
    REQUIRE(layer.ftl->write(Lpn{3}, 0, 16 << 10));
    CHECK(layer.waiting() == std::vector{0, 0, kAfterwards, kTogether});
    CHECK(layer.health->program_failures() == 1);
    CHECK(layer.ftl->pages().version(Lpn{3}) == Version{1});
    CHECK(inspect(*layer.ftl).empty());
  }
}
