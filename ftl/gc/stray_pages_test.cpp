// Translation pages that once found no room at their own frontier, when their superblock is collected.
#include <vector>

#include "ftl/layer/ftl.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint32_t kLogical = 48, kEntries = 16;  // three translation pages, LPNs 48 and up

DriveConfig demand_mapped() {
  DriveConfig config = theory_drive(24, 4, kLogical);
  MappingConfig& mapping = config.ftl.mapping;
  mapping.scheme = MappingConfig::Scheme::demand;
  mapping.ram_bytes = 2 * 64;
  mapping.cache = {true, 2 * 64, 64, 8, kEntries, MapCacheConfig::Eviction::lru, 0, true, 0};
  mapping.translation_pages = kLogical / kEntries;
  config.ftl.placement.scheme = PlacementConfig::Scheme::frequency;  // placement looks at each page
  config.ftl.placement.hot_writes = 2;
  config.ftl.placement.halve_after_pages = 100;
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.gc.policy = gc_policy_index("fifo");  // reaches every superblock
  config.ftl.gc.start_free = config.ftl.reserve(0);
  config.ftl.gc.stop_free = config.ftl.gc.start_free + 1;
  return config;
}

}  // namespace

// The host writes no page that the first translation page maps, so only GC moves it.
TEST_CASE("GC moves a translation page among data to the translation frontier, even the first page of a victim") {
  const DriveConfig config = demand_mapped();
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  const std::uint32_t own = config.ftl.translation_frontier();
  for (const std::uint32_t at : {0u, 2u}) {
    Medium medium(layout);
    WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
    medium.open(SuperblockId{0}, 0);
    for (std::uint32_t page = 0; page < 4; ++page) {
      const Lpn lpn{page == at ? kLogical : kEntries + page};
      medium.program(SuperblockId{0}, page, std::vector{lpn}, std::vector{Version{page + 1}});
    }
    medium.close(SuperblockId{0});
    Ftl ftl(config.ftl, kLogical, medium, work, 1);
    const Ppn first = ftl.store().pages().map().find(Lpn{kLogical});
    REQUIRE(first == Ppn{at});
    RandomStream random(2, "data");
    for (int i = 0; i < 1'000; ++i) {
      const Lpn lpn{kEntries + static_cast<std::uint32_t>(random.below(kLogical - kEntries))};
      REQUIRE(ftl.write(lpn, 0, config.ftl.mapping_bytes, {}));
    }
    const Ppn moved = ftl.store().pages().map().find(Lpn{kLogical});
    REQUIRE(moved != first);
    CHECK(medium.superblocks().frontier(layout.block_of(moved)) == own);
    CHECK(inspect(ftl).empty());
  }
}
